// Evaluates one expression on data, and formats the result for the command line.
import { defined, type Json, type JsonObject } from '../../base/json.ts';
import { deadlineFrom } from '../../lisp/deadline.ts';
import type { Limits } from '../../lisp/limits.ts';
import { compile } from '../../lisp/program.ts';
import { run } from '../../lisp/run.ts';
import { ednOutcome, type OutputError, toJson } from '../../lisp/to-json.ts';

export interface ErrorAnswer {
  readonly error: {
    readonly code: string;
    readonly message: string;
    /** The line in the expression, from 1. */
    readonly line: number;
    readonly column: number;
    readonly hint?: string;
  };
}

export type Answer = { readonly value: Json } | { readonly edn: string } | ErrorAnswer;

export interface EvaluateOptions {
  readonly edn: boolean;
  readonly limits: Limits;
}

export function evaluate(source: string, data: JsonObject, { edn, limits }: EvaluateOptions): Answer {
  const time = deadlineFrom(() => performance.now(), limits);
  const compiled = compile(source, { limits, ...time });
  if (!compiled.ok) {
    const [first] = compiled.error;
    const { code = 'LISP_PARSE', message = '', place, hint } = first ?? {};
    return {
      error: {
        code,
        message,
        line: place?.line ?? 1,
        column: place?.column ?? 1,
        ...defined({ hint }),
      },
    };
  }
  const outcome = run(compiled.value, data, time);
  if (!outcome.ok) {
    const { code, message, line, column, hint } = outcome.error;
    return { error: { code, message, line, column, ...defined({ hint }) } };
  }
  if (edn) {
    const written = ednOutcome(outcome.value, { limits, ...time });
    return written.ok ? { edn: written.value } : unwritten(written.error);
  }
  const json = toJson(outcome.value, { limits, ...time });
  return json.ok ? { value: json.value } : unwritten(json.error);
}

/** The error concerns the value of the whole expression, so its place is the expression's beginning. */
function unwritten({ code, message, hint }: OutputError): ErrorAnswer {
  return { error: { code, message, line: 1, column: 1, ...defined({ hint }) } };
}
