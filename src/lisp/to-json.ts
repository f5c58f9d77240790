// Converts values to JSON or EDN text. Counts the output, because shared parts are written each time.
import { counted } from '../base/counted.ts';
import { defined, type Json } from '../base/json.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { TimeOptions } from './deadline.ts';
import { isException, type LispException, limitError, typeError } from './exception.ts';
import { elements, fromHost, isHostArray } from './host.ts';
import { keyText } from './json-text.ts';
import { defaultLimits, type Limits, raising } from './limits.ts';
import { burn, enter, leave, machine } from './machine.ts';
import { setItems } from './map.ts';
import { sortedEdn } from './text-of.ts';
import { aKind, type HostObject, type Machine, type MapValue, type Value, type Vector } from './value.ts';

export interface OutputOptions extends TimeOptions {
  readonly limits?: Partial<Limits>;
}

/** The reason why a value cannot be written. */
export interface OutputError {
  readonly code: string;
  readonly message: string;
  readonly hint?: string;
}

export type JsonOutcome = Result<Json, OutputError>;

const NO_BOUND = Number.POSITIVE_INFINITY;
const NO_OPTIONS: OutputOptions = {};

/** Writes keywords and symbols as strings, sets as lists. LISP_TYPE for functions, infinities and NaN; LISP_LIMIT beyond `limits.output` and for endless nesting. */
export function toJson(value: Value, options: OutputOptions = NO_OPTIONS): JsonOutcome {
  return guarded(options, 'JSON', (m) => converted(m, value));
}

/** Equal values give equal text: maps and sets are sorted. Bounded as `toJson`. */
export function ednOutcome(value: Value, options: OutputOptions = NO_OPTIONS): Result<string, OutputError> {
  return guarded(options, 'EDN', (m) => sortedEdn(m, value));
}

/** As `ednOutcome`, but returns `#unreadable` for a value that cannot be written. */
export function toEdn(value: Value, options: OutputOptions = NO_OPTIONS): string {
  const outcome = ednOutcome(value, options);
  return outcome.ok ? outcome.value : '#unreadable';
}

/** Uses the output limit as fuel; the run has paid for the memory already. */
function guarded<T>(options: OutputOptions, as: string, write: (m: Machine) => T): Result<T, OutputError> {
  const limits = { ...defaultLimits, ...options.limits };
  try {
    return good(write(machine({ ...limits, fuel: limits.output, cells: NO_BOUND, text: NO_BOUND }, options, [], 0)));
  } catch (error) {
    const { code, message, hint } = exceptionOf(error, as, limits);
    return bad({ code, message, ...defined({ hint }) });
  }
}

function exceptionOf(error: unknown, as: string, { output }: Limits): LispException {
  if (!isException(error)) return typeError('the data could not be read', 'pass plain JSON as data');
  if (error.code !== 'LISP_OUT_OF_FUEL') return error;
  return limitError(
    `the value has more than ${counted(output, 'character')} as ${as}`,
    `return a part of the value (shared parts count each time), or ${raising('output')}`,
  );
}

/** The least characters for a number, a member and a collection, in memory. */
const NUMBER = 4;
const MEMBER = 16;
const COLLECTION = 16;

function converted(m: Machine, value: Value): Json {
  if (value === null || typeof value !== 'object') return scalar(m, value);
  switch (value.kind) {
    case 'keyword':
    case 'symbol':
      return scalar(m, value.name);
    case 'vector':
      return isHostArray(value.raw) ? hostList(m, value.raw, value) : list(m, elements(m, value));
    case 'set':
      return list(m, setItems(m, value));
    case 'map':
      return value.raw === undefined ? object(m, value) : hostObject(m, value.raw);
    default:
      throw typeError(`JSON cannot hold ${aKind(value)}`);
  }
}

function scalar(m: Machine, value: null | boolean | number | string): Json {
  burn(m, typeof value === 'string' ? value.length + NUMBER : NUMBER);
  if (typeof value === 'number' && !Number.isFinite(value)) throw typeError('JSON has no infinities and no NaN');
  return value;
}

function list(m: Machine, items: readonly Value[]): Json {
  enter(m);
  burn(m, COLLECTION + items.length);
  const out = new Array<Json>(items.length);
  for (let i = 0; i < items.length; i++) out[i] = converted(m, items[i] ?? null);
  leave(m);
  return out;
}

function object(m: Machine, { keys, vals, size }: MapValue): Json {
  enter(m);
  burn(m, COLLECTION);
  const out: Record<string, Json> = {};
  for (let i = 0; i < size; i++) put(m, out, keyText(keys[i] ?? null), converted(m, vals[i] ?? null));
  leave(m);
  return out;
}

function put(m: Machine, out: Record<string, Json>, key: string, value: Json): void {
  burn(m, MEMBER + key.length);
  if (key === '__proto__') Object.defineProperty(out, key, { value, ...PLAIN });
  else out[key] = value;
}

const PLAIN = { enumerable: true, configurable: true, writable: true };

/** Writes host data directly when the program did not touch it. */
function hostValue(m: Machine, value: unknown): Json {
  const read = fromHost(value);
  if (read === null || typeof read !== 'object') return scalar(m, read);
  return converted(m, read);
}

function hostList(m: Machine, raw: readonly unknown[], { start, size }: Vector): Json {
  enter(m);
  burn(m, COLLECTION + size);
  const out = new Array<Json>(size);
  for (let i = 0; i < size; i++) out[i] = hostValue(m, raw[start + i]);
  leave(m);
  return out;
}

function hostObject(m: Machine, raw: HostObject): Json {
  enter(m);
  burn(m, COLLECTION);
  const out: Record<string, Json> = {};
  for (const key of Object.keys(raw)) put(m, out, key, hostValue(m, raw[key]));
  leave(m);
  return out;
}
