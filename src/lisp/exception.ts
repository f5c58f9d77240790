// Errors inside the Lisp: thrown within a run, and returned as values at its edge.
import { defined } from '../base/json.ts';

/** The kinds of errors that callers may distinguish without knowing each code. */
export type ErrorFamily = 'parse' | 'unbound' | 'arity' | 'type' | 'arithmetic' | 'limit' | 'fail';

const FAMILIES: Readonly<Record<string, ErrorFamily>> = {
  LISP_PARSE: 'parse',
  LISP_FORM: 'parse',
  LISP_UNBOUND: 'unbound',
  LISP_ARITY: 'arity',
  LISP_TYPE: 'type',
  LISP_ARITHMETIC: 'arithmetic',
  LISP_OUT_OF_FUEL: 'limit',
  LISP_LIMIT: 'limit',
  LISP_FAILED: 'fail',
};

/** The family of an error code of the Lisp; `type` for an unknown code. */
export function familyOf(code: string): ErrorFamily {
  return FAMILIES[code] ?? 'type';
}

const EXCEPTION: unique symbol = Symbol('exception');

export interface LispException {
  readonly [EXCEPTION]: true;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  /** The offset in the source, when the thrower knows it better than the machine. */
  readonly at?: number;
}

export function exception(code: string, message: string, hint?: string, at?: number): LispException {
  return {
    [EXCEPTION]: true,
    code,
    message,
    ...defined({ hint, at }),
  };
}

export function isException(value: unknown): value is LispException {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, EXCEPTION);
}

export function typeError(message: string, hint?: string): LispException {
  return exception('LISP_TYPE', message, hint);
}

export function arityError(message: string, hint?: string): LispException {
  return exception('LISP_ARITY', message, hint);
}

export function arithmeticError(message: string, hint?: string): LispException {
  return exception('LISP_ARITHMETIC', message, hint);
}

export function limitError(message: string, hint?: string): LispException {
  return exception('LISP_LIMIT', message, hint);
}
