// Builds the text of `(doc name)`, and lists the names that Tab completes.
import { specialNames } from '../../lisp/analyze/analyze.ts';
import { builtinNames, findBuiltin } from '../../lisp/builtins.ts';
import { type Form, isNamed, isSymbolForm } from '../../lisp/form.ts';
import { docOf } from '../../lisp/reference.ts';

/** The name that `(doc name)` asks about. */
export function nameAsked(form: Form): (Form & { readonly name: string }) | undefined {
  if (form.kind !== 'list' || form.items.length !== 2 || !isNamed(form.items[0], 'doc')) return undefined;
  const [, name] = form.items;
  return isSymbolForm(name) ? name : undefined;
}

/** The arguments, a description, an example and the cost; undefined for a name that the language does not have. */
export function docText(name: string): string | undefined {
  const text = docOf(name);
  const builtin = findBuiltin(name);
  if (text === undefined || builtin === undefined) return text;
  return `${text}\n  burns at most ${builtin.price} (n elements, c characters, k arguments, r instructions of the regex)`;
}

/** The names that begin with the word before the cursor, and that word. */
export function complete(line: string, own: readonly string[]): [string[], string] {
  const word = /[^\s,()[\]{}"'`;@^~\\]*$/.exec(line)?.[0] ?? '';
  const known = new Set([...own, ...specialNames, ...builtinNames()]);
  return [word === '' ? [] : [...known].filter((name) => name.startsWith(word)).sort(), word];
}
