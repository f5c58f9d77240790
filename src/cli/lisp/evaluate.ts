// Evaluates one expression on data, and answers as the command line does.
import type { Json, JsonObject } from '../../base/json.ts';
import type { Limits } from '../../lisp/limits.ts';
import { compile } from '../../lisp/program.ts';
import { run } from '../../lisp/run.ts';
import { toEdn, toJson } from '../../lisp/to-json.ts';

export interface ErrorAnswer {
  readonly error: {
    readonly code: string;
    readonly message: string;
    /** In the expression, from 1. */
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
  const compiled = compile(source, { limits });
  if (!compiled.ok) {
    const [first] = compiled.issues;
    const { code = 'LISP_PARSE', message = '', place, hint } = first ?? {};
    return {
      error: {
        code,
        message,
        line: place?.line ?? 1,
        column: place?.column ?? 1,
        ...(hint === undefined ? {} : { hint }),
      },
    };
  }
  const outcome = run(compiled.value, data, { now: () => performance.now() });
  if (!outcome.ok) {
    const { code, message, line, column, hint } = outcome.error;
    return { error: { code, message, line, column, ...(hint === undefined ? {} : { hint }) } };
  }
  if (edn) return { edn: toEdn(outcome.value) };
  const json = toJson(outcome.value);
  return json.ok ? { value: json.value } : { error: { code: json.code, message: json.message, line: 1, column: 1 } };
}
