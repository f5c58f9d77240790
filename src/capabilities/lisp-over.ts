// Evaluates an expression that came as data, over data.
import type { Json } from '../base/json.ts';
import { compile } from '../lisp/program.ts';
import { type Outcome, run } from '../lisp/run.ts';
import { CapabilityError } from './capability-error.ts';

/** `data/input` is the data. @throws CapabilityError with the code of what is wrong with the expression */
export function lispOver(expr: string, data: Json): Outcome {
  const program = compile(expr, { bindings: ['input'] });
  if (program.ok) return run(program.value, { input: data }, { now: () => performance.now() });
  const [first] = program.issues;
  const messages = program.issues.map(({ message, hint }) => (hint === undefined ? message : `${message}; ${hint}`));
  throw new CapabilityError(first?.code ?? 'LISP_PARSE', messages.join('; '), { retry: 'never' });
}

export function lispTrouble({ code, message, line, column }: LispTrouble): CapabilityError {
  return new CapabilityError(code, `${message} (line ${line}, column ${column})`, { retry: 'never' });
}

type LispTrouble = Extract<Outcome, { readonly ok: false }>['error'];
