// Calls of each builtin with growing arguments, made from the example in its own row.
import type { Builtin } from '../../src/lisp/builtin.ts';
import { chapters, findBuiltin } from '../../src/lisp/builtins.ts';
import { type Form, isSymbolForm } from '../../src/lisp/form.ts';
import { defaultLimits } from '../../src/lisp/limits.ts';
import { read } from '../../src/lisp/reader.ts';

/** One way to call a builtin: `(builtin a b)`, with some arguments grown. */
export interface Probe {
  readonly builtin: Builtin;
  /** The arguments that grow, as the table prints them: `1`, `2`, `all`. */
  readonly grown: string;
  /** Expressions that are evaluated once, by the names that the call uses. */
  readonly given: readonly (readonly [name: string, expression: string])[];
  readonly call: string;
  /** The text grows, and not the number of elements. */
  readonly inText: boolean;
}

export const builtins: readonly Builtin[] = chapters.flatMap((chapter) => chapter.builtins);

/** The arguments of the builtin's own call in its example, as text; undefined when the example passes the builtin as a value. */
export function exampleArguments(builtin: Builtin): readonly string[] | undefined {
  const call = read(builtin.example, defaultLimits)
    .map((form) => callIn(form, builtin))
    .find((each) => each !== undefined);
  return call?.items.slice(1).map(({ start, end }) => builtin.example.slice(start, end));
}

function callIn(form: Form, builtin: Builtin): (Form & { readonly items: readonly Form[] }) | undefined {
  if (!('items' in form)) return undefined;
  const [head] = form.items;
  if (isSymbolForm(head) && findBuiltin(head.name) === builtin) return form;
  return form.items.map((item) => callIn(item, builtin)).find((each) => each !== undefined);
}

/** An expression for the argument at a size, with the same kind of content; undefined for a value that cannot grow. */
export function grown(argument: string, size: number): string | undefined {
  if (/^"(?!")/.test(argument)) {
    const length = argument.length - 2;
    return `(apply str (repeat ${Math.ceil(size / Math.max(1, length))} ${argument}))`;
  }
  if (/^\[\s*[^\]\s]/.test(argument)) return `(vec (take ${size} (cycle ${argument})))`;
  if (/^#\{\s*[^}\s]/.test(argument)) return `(into ${argument} (range ${size}))`;
  if (/^\{\s*[^}\s]/.test(argument)) return `(into ${argument} (map (fn [i] [(str "k" i) i]) (range ${size})))`;
  if (/^\(sorted-set /.test(argument)) return `(into ${argument} (range ${size}))`;
  return /^\d+$/.test(argument) ? String(size) : undefined;
}

/** Each argument that can grow by itself, and all of them together; the example as it is when none can. */
export function probesOf(builtin: Builtin, size: number): readonly Probe[] {
  const written = exampleArguments(builtin);
  if (written === undefined) return [];
  const growing = written.flatMap((argument, i) => (grown(argument, size) === undefined ? [] : [i]));
  const choices = growing.length > 1 ? [...growing.map((i) => [i]), growing] : [growing];
  return choices.map((chosen) => {
    const given = chosen.map((i) => [`a${i}`, grown(written[i] ?? '', size) ?? ''] as const);
    const args = written.map((argument, i) => (chosen.includes(i) ? `a${i}` : argument));
    return {
      builtin,
      grown: chosen.length === growing.length && chosen.length > 1 ? 'all' : chosen.map((i) => i + 1).join(),
      given,
      call: `(${[builtin.name, ...args].join(' ')})`,
      inText: chosen.some((i) => (written[i] ?? '').startsWith('"')),
    };
  });
}

/** Builds the prepared values once, then calls `count` times. */
export function programOf({ given, call }: Pick<Probe, 'given' | 'call'>, times: number): string {
  const bindings = given.map(([name, expression]) => `${name} ${expression}`).join(' ');
  return `(let [${bindings}] (dotimes [_ ${times}] ${call}))`;
}
