// The state of a Lisp session. The language is pure, so a session keeps the text of definitions and puts it before each new form.
import { type Issue, issue } from '../../base/issue.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Place } from '../../base/place.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { deadlineFrom } from '../../lisp/deadline.ts';
import { type Form, isSymbolForm } from '../../lisp/form.ts';
import type { Limits } from '../../lisp/limits.ts';
import { compile } from '../../lisp/program.ts';
import { run } from '../../lisp/run.ts';
import { toEdn } from '../../lisp/to-json.ts';
import type { Value } from '../../lisp/value.ts';
import type { SourceText } from './input.ts';

export interface LispSession {
  readonly limits: Limits;
  /** Evaluates one form and keeps its definitions, unless it fails. Issues have places in the session's own lines. */
  evaluate(source: SourceText, form: Form): Result<Value>;
  /** The latest definition of a name. */
  definitionOf(name: string): string | undefined;
  /** The names defined so far, for completion. */
  names(): readonly string[];
}

interface Definition extends SourceText {
  readonly names: readonly string[];
}

/** The names of the last values, newest first. */
const RECENT = ['*1', '*2', '*3'];

/** `file` is the name of the session's text in places. */
export function openSession(file: string, data: JsonObject, limits: Limits): LispSession {
  const bindings = Object.keys(data);
  const definitions: Definition[] = [];
  const recent: string[] = [];
  /** The fuel that the definitions use, the same amount for each new form. */
  let spent = 0;

  /** Each form gets the full limits, no matter how much the earlier definitions use. */
  const granted = (before: readonly SourceText[]): Limits => ({
    ...limits,
    source: limits.source + before.reduce((sum, { text }) => sum + text.length + 1, 0),
    fuel: limits.fuel + spent,
    cells: limits.cells * (before.length + 1),
    deadline: limits.deadline * (before.length + 1),
  });

  return {
    limits,
    evaluate(source, form) {
      const before = [...definitions, ...recentIn(source, recent)];
      const sources = [...before, source];
      const text = sources.map(({ text }) => text).join('\n');
      const issueAt = (code: string, message: string, place: Place | undefined, hint: string | undefined): Issue =>
        issue(code, message, { place: place === undefined ? undefined : within(file, sources, place), hint });

      const bounds = granted(before);
      const time = deadlineFrom(() => performance.now(), bounds);
      const compiled = compile(text, { bindings, limits: bounds, place: START, ...time });
      if (!compiled.ok)
        return bad(compiled.error.map((each) => issueAt(each.code, each.message, each.place, each.hint)));
      const outcome = run(compiled.value, data, time);
      if (!outcome.ok) {
        const { code, message, place, hint } = outcome.error;
        return bad([issueAt(code, message, place, hint)]);
      }
      const names = definedIn(form);
      if (names.length > 0) {
        definitions.push(...before.slice(definitions.length).map((each) => ({ ...each, names: [] })), {
          ...source,
          names,
        });
        spent = outcome.fuel;
      }
      // The value of a definition is only its name.
      if (names.length === 0) recent.unshift(toEdn(outcome.value, { limits: { output: limits.source } }));
      recent.splice(RECENT.length);
      return good(outcome.value);
    },
    definitionOf: (name) => definitions.findLast(({ names }) => names.includes(name))?.text.trim(),
    names: () => definitions.flatMap(({ names }) => names),
  };
}

const START: Place = { file: '', line: 1, column: 1, endLine: 1, endColumn: 1 };

/** Definitions of the recent values that the source mentions. A value that cannot be written as text, such as a function, has none. */
function recentIn({ text, line }: SourceText, recent: readonly string[]): readonly SourceText[] {
  return RECENT.flatMap((name, i) => {
    const edn = recent[i];
    const definition = `(def ${name} (quote ${edn}))`;
    return edn !== undefined && text.includes(name) && compile(definition).ok ? [{ text: definition, line }] : [];
  });
}

/** Maps a place in the joined sources to a place in the session. */
function within(file: string, sources: readonly SourceText[], place: Place): Place {
  let from = 0;
  for (const { text, line } of sources) {
    const lines = text.split('\n').length;
    const shift = line - from - 1;
    if (place.line <= from + lines) return { ...place, file, line: place.line + shift, endLine: place.endLine + shift };
    from += lines;
  }
  return { ...place, file };
}

/** All names that a `def` in the form defines. */
function definedIn(form: Form): readonly string[] {
  if (!('items' in form)) return [];
  const [head, name] = form.items;
  const own = isSymbolForm(head) && /^(def|declare$)/.test(head.name) && isSymbolForm(name) ? [name.name] : [];
  return [...own, ...form.items.flatMap(definedIn)];
}
