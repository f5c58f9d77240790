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

const TROUBLE: unique symbol = Symbol('trouble');

export interface Trouble {
  readonly [TROUBLE]: true;
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
  /** The offset in the source, when the thrower knows it better than the machine. */
  readonly at?: number;
}

export function trouble(code: string, message: string, hint?: string, at?: number): Trouble {
  return {
    [TROUBLE]: true,
    code,
    message,
    ...defined({ hint, at }),
  };
}

export function isTrouble(value: unknown): value is Trouble {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, TROUBLE);
}

export function typeTrouble(message: string, hint?: string): Trouble {
  return trouble('LISP_TYPE', message, hint);
}

export function arityTrouble(message: string, hint?: string): Trouble {
  return trouble('LISP_ARITY', message, hint);
}

export function arithmeticTrouble(message: string, hint?: string): Trouble {
  return trouble('LISP_ARITHMETIC', message, hint);
}

export function limitTrouble(message: string, hint?: string): Trouble {
  return trouble('LISP_LIMIT', message, hint);
}
