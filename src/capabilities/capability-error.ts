// The error that a capability throws to name its failure; any other error becomes CAPABILITY_THREW.
import { type Failure, type Fate, failure } from '../base/failure.ts';
import type { Duration } from '../base/quantity.ts';

export interface CapabilityErrorDetails {
  /** `never` when a retry would fail the same way; default `may`. */
  readonly retry?: 'may' | 'never';
  /** The wait before a retry that the other side asked for. */
  readonly retryAfter?: Duration;
  /** `refused`: the call was certainly not carried out; `unknown`: nobody knows. */
  readonly fate?: Fate | undefined;
  readonly cause?: unknown;
}

export class CapabilityError extends Error {
  override readonly name = 'CapabilityError';
  /** NOUN_PROBLEM in capitals. */
  readonly code: string;
  readonly retry: 'may' | 'never';
  readonly retryAfter: Duration | undefined;
  readonly fate: Fate | undefined;

  constructor(code: string, message: string, details: CapabilityErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.retry = details.retry ?? 'may';
    this.retryAfter = details.retryAfter;
    this.fate = details.fate;
  }
}

const DEEPEST_CAUSE = 5;
/** Characters. The message is stored, printed, and shown to planners. */
const LONGEST_MESSAGE = 2_000;
/** Limits the length: a longer code would break the tables that show codes. */
const CODE = /^[A-Z][A-Z0-9_]{0,99}$/i;

/** One year. A longer wait could end at a time that no date can show. */
const LONGEST_WAIT: Duration = 31_536_000_000;

/** The failure for anything that can be thrown: its message and causes, never its stack. Never throws. */
export function failureOf(thrown: unknown, depth = 0): Failure {
  try {
    return readFailure(thrown, depth);
  } catch {
    return failure('CAPABILITY_THREW', UNREADABLE);
  }
}

function readFailure(thrown: unknown, depth: number): Failure {
  const given = thrown instanceof Error && depth < DEEPEST_CAUSE ? partOf(thrown, 'cause') : undefined;
  const cause = given === undefined ? undefined : failureOf(given, depth + 1);
  const message = cut(messageOf(thrown));
  const code = thrown instanceof CapabilityError ? partOf(thrown, 'code') : undefined;
  if (typeof code !== 'string' || !CODE.test(code)) return failure('CAPABILITY_THREW', message, { cause });
  const retry = partOf(thrown, 'retry') === 'never' ? 'never' : 'may';
  const fate = fateIn(partOf(thrown, 'fate'));
  return failure(code, message, { retry, retryAfter: waitIn(partOf(thrown, 'retryAfter')), fate, cause });
}

function fateIn(fate: unknown): Fate | undefined {
  return fate === 'refused' || fate === 'unknown' ? fate : undefined;
}

/** Whole milliseconds; undefined when the value is no duration. */
function waitIn(after: unknown): Duration | undefined {
  if (typeof after !== 'number' || !(after >= 0)) return undefined;
  return Math.min(Math.ceil(after), LONGEST_WAIT);
}

function cut(message: string): string {
  const { length } = message;
  if (length <= LONGEST_MESSAGE) return message;
  return `${message.slice(0, LONGEST_MESSAGE).replace(/[\uD800-\uDBFF]$/, '')}… (cut: ${length} characters)`;
}

const UNREADABLE = 'threw something that cannot be read';

/** The message of any thrown value. Never throws. */
export function messageOf(thrown: unknown): string {
  try {
    if (thrown instanceof Error)
      return textIn(thrown, 'message') ?? textIn(thrown, 'name') ?? 'threw an Error without a message';
    return typeof thrown === 'string' && thrown !== '' ? thrown : `threw ${describe(thrown)} instead of an Error`;
  } catch {
    return UNREADABLE;
  }
}

function describe(thrown: unknown): string {
  return thrown === null || thrown === undefined ? String(thrown) : `a value of type ${typeof thrown}`;
}

/** The code of a system error such as ENOENT; undefined for other values. Never throws. */
export function systemCode(thrown: unknown): string | undefined {
  return partOfError(thrown, 'code');
}

/** The stack of an error; undefined when there is none to read. Never throws. */
export function stackOf(thrown: unknown): string | undefined {
  return partOfError(thrown, 'stack');
}

function partOfError(thrown: unknown, name: string): string | undefined {
  try {
    return thrown instanceof Error ? textIn(thrown, name) : undefined;
  } catch {
    return undefined;
  }
}

function textIn(thrown: Error, name: string): string | undefined {
  const part = partOf(thrown, name);
  return typeof part === 'string' && part !== '' ? part : undefined;
}

/** Reads the property once, because a getter may answer differently the second time. Undefined when reading throws. */
function partOf(thrown: unknown, name: string): unknown {
  try {
    return typeof thrown === 'object' && thrown !== null ? Reflect.get(thrown, name) : undefined;
  } catch {
    return undefined;
  }
}
