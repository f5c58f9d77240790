// Resolves names to locals, definitions, data or builtins, and suggests names for unknown ones.
import { didYouMean } from '../../base/nearest.ts';
import { builtinNames, findBuiltin } from '../builtins.ts';
import type { NameForm } from '../form.ts';
import { type Analysis, report } from './analysis.ts';
import { INVENTED } from './invented.ts';
import type { Node } from './node.ts';
import { localNames, resolveLocal, type Scope } from './scope.ts';

export function analyzeSymbol(a: Analysis, form: NameForm, scope: Scope, specials: ReadonlyMap<string, unknown>): Node {
  const known = resolveName(a, form, scope);
  if (known !== undefined) return known;
  const { name } = form;
  if (name === 'data')
    return report(a, 'LISP_UNBOUND', form, '"data" needs the name of a value after it', offeredHint(a));
  if (name.startsWith('data/')) {
    const hint =
      inPacket(a, name) ??
      suggestion(a, name, () => [...(a.offered ?? [])].map((each) => `data/${each}`)) ??
      offeredHint(a);
    return report(a, 'LISP_UNBOUND', form, `"${name}" is not offered here`, hint);
  }
  if (specials.has(name)) {
    return report(
      a,
      'LISP_FORM',
      form,
      `"${name}" is a special form, not a value`,
      `call it as (${name} …), or wrap it: #(${name} %)`,
    );
  }
  return report(a, 'LISP_UNBOUND', form, `"${name}" is unknown`, hintFor(a, name, scope, specials));
}

/** The node for a known name; undefined otherwise. */
export function resolveName(a: Analysis, form: NameForm, scope: Scope): Node | undefined {
  const { name, start: at } = form;
  const local = resolveLocal(scope, name, a.machine);
  if (local !== undefined) return { kind: 'local', slot: local, at };
  const global = a.globals.get(name);
  if (global !== undefined) return { kind: 'global', slot: global, name, at };
  if (name.startsWith('data/')) return dataNode(a, name.slice('data/'.length), at);
  const found = findBuiltin(name);
  if (found !== undefined) return { kind: 'builtin', builtin: found, at };
  return a.aliases.has(name) ? dataNode(a, name, at) : undefined;
}

function dataNode(a: Analysis, name: string, at: number): Node | undefined {
  if (name === '' || (a.offered !== undefined && !a.offered.has(name))) return undefined;
  const known = a.data.get(name) ?? a.data.size;
  a.data.set(name, known);
  return { kind: 'data', slot: known, name, at };
}

function offeredHint(a: Analysis): string {
  if (a.offered === undefined) return 'write data/NAME';
  if (a.offered.size > MOST_OFFERED) return `there are ${a.offered.size} names; see which data is given`;
  return a.offered.size === 0
    ? 'no data is offered here'
    : `there are ${[...a.offered].map((each) => `data/${each}`).join(', ')}`;
}

/** A planner sees results only in its packet. */
function inPacket(a: Analysis, name: string): string | undefined {
  return name === 'data/results' && a.offered?.has('packet') === true
    ? 'a planner finds results in its packet: write (get-in data/packet [:results :STEP])'
    : undefined;
}

function hintFor(a: Analysis, name: string, scope: Scope, specials: ReadonlyMap<string, unknown>): string | undefined {
  if (a.defined.has(name)) return 'it is defined further down: move that up, or write (declare …) before';
  const invented = INVENTED.get(name.toLowerCase());
  if (invented !== undefined) return invented;
  const field = fieldHint(a, name);
  if (field !== undefined) return field;
  const near = suggestion(a, name, () => {
    const own = [...localNames(scope), ...a.globals.keys(), ...a.aliases].slice(0, MOST_OWN_NAMES);
    // Every short word is similar to some builtin.
    return name.length < 3 ? own : [...own, ...specials.keys(), ...builtinNames()];
  });
  const isDotted = /^[a-z]\w*(?:\.\w+)+$/.test(name) && name.length <= LONGEST_WORD;
  return near ?? (isDotted ? `a name such as that of a capability needs quotes: write "${name}"` : undefined);
}

const MOST_OFFERED = 50;
const LONGEST_WORD = 60;
const MOST_OWN_NAMES = 500;

/** Searching all names takes time, so only the first unknown words of a program get suggestions. */
function suggestion(a: Analysis, word: string, known: () => readonly string[]): string | undefined {
  if (word.length > LONGEST_WORD || a.searches === 0) return undefined;
  a.searches -= 1;
  return didYouMean(word, known());
}

/** `input.amount`, the notation of other languages for fields. */
function fieldHint(a: Analysis, written: string): string | undefined {
  const [name = '', ...fields] = written.replace(/^data\./, '').split('.');
  const isData = written.startsWith('data.') && a.offered === undefined;
  if (!isData && a.offered?.has(name) !== true) return undefined;
  const keys = fields.map((field) => `"${field}"`);
  if (keys.length === 0) return `did you mean "data/${name}"?`;
  return keys.length === 1
    ? `fields are read with get: (get data/${name} ${keys[0]})`
    : `fields are read with get-in: (get-in data/${name} [${keys.join(' ')}])`;
}
