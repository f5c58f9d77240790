// Runs a program on data within limits. Never throws.
import { defined } from '../base/json.ts';
import type { Place } from '../base/place.ts';
import { bad, type Result } from '../base/result.ts';
import type { TimeOptions } from './deadline.ts';
import { type ErrorFamily, exception, familyOf, isException, type LispException } from './exception.ts';
import { finite, fromHost } from './host.ts';
import type { Limits } from './limits.ts';
import { machine } from './machine.ts';
import type { Program } from './program.ts';
import { formEnd } from './reader.ts';
import { locate, positionOf } from './source-place.ts';
import { type HostObject, isVector, type Machine, type Value } from './value.ts';

export interface LispError {
  /** A LISP_ code. */
  readonly code: string;
  readonly family: ErrorFamily;
  readonly message: string;
  readonly hint?: string;
  /** Line and column in the expression's text, from 1. */
  readonly line: number;
  readonly column: number;
  /** The place in the surrounding document, when known. */
  readonly place?: Place;
  /** The expression that failed, shortened. */
  readonly form?: string;
}

/** `fuel` is the fuel burned. */
export type Outcome = Result<Value, LispError> & { readonly fuel: number };

export interface RunOptions extends TimeOptions {
  readonly limits?: Partial<Limits>;
}

const NO_OPTIONS: RunOptions = {};
const NO_WARNINGS: readonly never[] = [];
const LONGEST_FORM = 80;

/** Evaluates with `data/NAME` bound to `data[NAME]`; missing names are nil. */
export function run(program: Program, data: HostObject, options: RunOptions = NO_OPTIONS): Outcome {
  const limits = options.limits === undefined ? program.limits : { ...program.limits, ...options.limits };
  const { bindings } = program;
  const m = machine(limits, options, new Array<Value | undefined>(bindings.length), program.globals);
  try {
    for (let i = 0; i < bindings.length; i++) {
      const name = bindings[i] ?? '';
      m.bindings[i] = Object.hasOwn(data, name) ? fromHost(data[name]) : null;
    }
    m.depth = program.weight;
    const value = program.code(new Array<Value>(program.frameSize), m);
    if (isVector(value)) finite(value);
    return { ok: true, value, warnings: NO_WARNINGS, fuel: limits.fuel - m.fuel };
  } catch (error) {
    return { ...bad(describe(program, m, asException(error, m))), fuel: limits.fuel - m.fuel };
  }
}

/** Hides errors that host data threw while it was read: they may contain anything. */
function asException(error: unknown, m: Machine): LispException {
  try {
    if (isException(error)) return error;
    if (error instanceof RangeError)
      return exception('LISP_LIMIT', `calls or data nest deeper than the host's stack allows`, 'use loop and recur');
  } catch {
    // The thrown value is hostile and throws when it is inspected.
  }
  return exception('LISP_TYPE', 'the data could not be read', 'pass plain JSON as data', m.at);
}

function describe(program: Program, m: Machine, error: LispException): LispError {
  const { source, place } = program;
  const at = error.at ?? m.at;
  const end = endOf(program, at);
  const form = source.slice(at, end);
  return {
    code: error.code,
    family: familyOf(error.code),
    message: error.message,
    ...defined({ hint: error.hint }),
    ...positionOf(source, at),
    ...defined({ place: place === undefined ? undefined : locate(source, at, end, place) }),
    ...(form === '' ? {} : { form: form.length > LONGEST_FORM ? `${form.slice(0, LONGEST_FORM - 1)}…` : form }),
  };
}

function endOf(program: Program, at: number): number {
  try {
    return formEnd(program.source, at, program.limits);
  } catch {
    return at;
  }
}
