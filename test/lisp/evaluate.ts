// Evaluates an expression for tests: EDN text, or `error FAMILY`.
import type { Json } from '../../src/base/json.ts';
import { familyOf } from '../../src/lisp/exception.ts';
import { compile } from '../../src/lisp/program.ts';
import { type Outcome, run } from '../../src/lisp/run.ts';
import { toEdn } from '../../src/lisp/to-json.ts';

export function evaluate(expression: string, data: Readonly<Record<string, Json>> = {}): string {
  const program = compile(expression);
  if (!program.ok) return `error ${familyOf(program.error[0]?.code ?? '')}`;
  const outcome = run(program.value, data);
  return outcome.ok ? toEdn(outcome.value) : `error ${outcome.error.family}`;
}

/** The expected text in the same spelling as `evaluate` gives, so that order and spaces do not count. */
export function expected(text: string): string {
  if (text.startsWith('error ') || text.startsWith("#'")) return text;
  return evaluate(`(quote ${text})`);
}

/** Runs source that must compile. */
export function outcomeOf(expression: string, data: Readonly<Record<string, unknown>> = {}): Outcome {
  const program = compile(expression);
  if (!program.ok) throw new Error(program.error.map((issue) => issue.message).join('; '));
  return run(program.value, data);
}
