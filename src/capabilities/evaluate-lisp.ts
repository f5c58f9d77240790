// Evaluates Lisp expressions that came as data.
import type { Json } from '../base/json.ts';
import { deadlineFrom, type TimeOptions } from '../lisp/deadline.ts';
import type { Limits } from '../lisp/limits.ts';
import { compile, type Program } from '../lisp/program.ts';
import { type LispError, type Outcome, run } from '../lisp/run.ts';
import { toJson } from '../lisp/to-json.ts';
import { CapabilityError } from './capability-error.ts';

/** Binds `data/input` to the data. @throws CapabilityError with the code of the first error in the expression */
export function lispOver(expr: string, data: Json, time = fromNow()): Outcome {
  const program = compile(expr, { bindings: ['input'], ...time });
  if (program.ok) return run(program.value, { input: data }, time);
  const [first] = program.error;
  const messages = program.error.map(({ message, hint }) => (hint === undefined ? message : `${message}; ${hint}`));
  throw new CapabilityError(first?.code ?? 'LISP_PARSE', messages.join('; '), { retry: 'never' });
}

/** The value of the expression; one deadline covers parsing and evaluation. @throws CapabilityError when the expression fails */
export function lispValue(expr: string, data: Json): Json {
  const time = fromNow();
  return jsonOf(lispOver(expr, data, time), time);
}

/** The value of a program over `data/input`. @throws CapabilityError */
export function programValue(program: Program, data: Json, limits: Partial<Limits>): Json {
  const options = { limits, ...fromNow(limits) };
  return jsonOf(run(program, { input: data }, options), options);
}

/** A deadline by the clock is safe here: no replay depends on it. */
export function fromNow(limits: Partial<Limits> = {}): Required<TimeOptions> {
  return deadlineFrom(() => performance.now(), limits);
}

function jsonOf(outcome: Outcome, options: Parameters<typeof toJson>[1]): Json {
  if (!outcome.ok) throw errorOfLisp(outcome.error);
  const answer = toJson(outcome.value, options);
  if (answer.ok) return answer.value;
  const { code, message, hint } = answer.error;
  throw new CapabilityError(code, hint === undefined ? message : `${message}; ${hint}`, { retry: 'never' });
}

export function errorOfLisp({ code, message, line, column }: LispError): CapabilityError {
  return new CapabilityError(code, `${message} (line ${line}, column ${column})`, { retry: 'never' });
}
