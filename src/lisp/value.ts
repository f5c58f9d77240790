// The values of the language, their constructors, and the machine that functions run on.
import type { RE2JS } from 're2js';
import type { Limits } from './limits.ts';

export type Value =
  | null
  | boolean
  | number
  | string
  | Keyword
  | Sym
  | Vector
  | MapValue
  | SetValue
  | Fn
  | Regex
  | Reduced;

export interface Keyword {
  readonly kind: 'keyword';
  /** Without the colon: `a` or `ns/a`. */
  readonly name: string;
  readonly key: string;
  /** The name with `_` instead of `-`, when different: foreign data often spells keys so. */
  readonly flex: string;
}

export interface Sym {
  readonly kind: 'symbol';
  readonly name: string;
}

/** A window on storage that other vectors may share: `size` elements of `own` or `raw`, from `start` on. */
export interface Vector {
  readonly kind: 'vector';
  readonly size: number;
  start: number;
  own: Value[];
  /** Host data that is not converted yet; its elements are read one by one. */
  raw: readonly unknown[] | EndlessSequence | undefined;
  /** True while `conj` may grow the storage in place: nobody holds it as an array. */
  open: boolean;
}

/** An infinite sequence such as `(range)`. Builtins can take from it, but not walk to its end. */
interface EndlessSequence {
  readonly length: number;
  readonly element: (index: number) => Value;
}

/** Keeps insertion order. Shares keys and values with older versions; `size` is the visible part. */
export interface MapValue {
  readonly kind: 'map';
  size: number;
  index: Map<Key, number>;
  keys: Value[];
  vals: Value[];
  /** A host object that is not converted yet; its entries are read one by one. */
  raw: HostObject | undefined;
  readonly order: Fn | undefined;
}

export interface SetValue {
  readonly kind: 'set';
  /** Maps each element to itself. */
  readonly map: MapValue;
}

export interface Regex {
  readonly kind: 'regex';
  readonly source: string;
  readonly engine: RE2JS;
}

/** The result of `(reduced x)`, which stops a reduction. */
export interface Reduced {
  readonly kind: 'reduced';
  readonly value: Value;
}

export interface Fn {
  readonly kind: 'fn';
  readonly code: FnCode;
  /** The captured variables of a closure; patched once by `letfn`. */
  readonly captured: Value[];
}

/** The entry points of a function; those for one and two arguments avoid an argument list. */
export interface FnCode {
  readonly name: string;
  readonly min: number;
  /** Infinity when variadic. */
  readonly max: number;
  readonly call1: (m: Machine, self: Fn, a: Value) => Value;
  readonly call2: (m: Machine, self: Fn, a: Value, b: Value) => Value;
  readonly apply: (m: Machine, self: Fn, args: Value[]) => Value;
}

/** The state of one run: remaining resources, position and data. */
export interface Machine {
  /** Fuel left. */
  fuel: number;
  /** Look at the clock when `fuel` falls to this value; zero without a clock. */
  pauseAt: number;
  /** Slots left. */
  cells: number;
  /** Nested calls so far. */
  depth: number;
  /** The source offset of the expression under evaluation. */
  at: number;
  readonly limits: Limits;
  readonly now: (() => number) | undefined;
  readonly endsAt: number;
  readonly bindings: (Value | undefined)[];
  readonly globals: (Value | undefined)[];
  /** The regexes that this run has compiled. */
  regexes: Map<string, Regex> | undefined;
}

/** The key of an element: equal values have equal keys. */
export type Key = string | boolean | null;

export interface HostObject {
  readonly [key: string]: unknown;
}

const NO_VALUES: Value[] = [];
const NO_INDEX: Map<Key, number> = new Map();

export function keyword(name: string): Keyword {
  return { kind: 'keyword', name, key: `\u0000:${name}`, flex: name.includes('-') ? name.replaceAll('-', '_') : name };
}

export function symbol(name: string): Sym {
  return { kind: 'symbol', name };
}

/** Takes ownership of the array: the caller must not change it afterwards. */
export function vector(own: Value[]): Vector {
  return { kind: 'vector', size: own.length, start: 0, own, raw: undefined, open: false };
}

export function hostVector(raw: readonly unknown[]): Vector {
  return { kind: 'vector', size: raw.length, start: 0, own: NO_VALUES, raw, open: false };
}

/** The elements from an index on, shared instead of copied. */
export function tailOf(v: Vector, from: number): Vector {
  const skipped = Math.min(Math.max(0, from), v.size);
  return { kind: 'vector', size: v.size - skipped, start: v.start + skipped, own: v.own, raw: v.raw, open: false };
}

export function endless(element: (index: number) => Value): Vector {
  return {
    kind: 'vector',
    size: Number.POSITIVE_INFINITY,
    start: 0,
    own: NO_VALUES,
    raw: { length: Number.POSITIVE_INFINITY, element },
    open: false,
  };
}

export function hostMap(raw: HostObject): MapValue {
  return { kind: 'map', size: -1, index: NO_INDEX, keys: NO_VALUES, vals: NO_VALUES, raw, order: undefined };
}

/** The name of a value's type in messages. */
export function kindOf(value: Value): string {
  if (value === null) return 'nil';
  if (typeof value !== 'object') return typeof value;
  return value.kind === 'fn' ? 'function' : value.kind;
}

/** `nil`, `a string`: with its article, for messages. */
export function aKind(value: Value): string {
  return value === null ? 'nil' : `a ${kindOf(value)}`;
}

export function isVector(value: Value): value is Vector {
  return typeof value === 'object' && value !== null && value.kind === 'vector';
}

export function isMap(value: Value): value is MapValue {
  return typeof value === 'object' && value !== null && value.kind === 'map';
}

export function isSet(value: Value): value is SetValue {
  return typeof value === 'object' && value !== null && value.kind === 'set';
}

export function isKeyword(value: Value): value is Keyword {
  return typeof value === 'object' && value !== null && value.kind === 'keyword';
}

export function isSymbol(value: Value): value is Sym {
  return typeof value === 'object' && value !== null && value.kind === 'symbol';
}

export function isFn(value: Value): value is Fn {
  return typeof value === 'object' && value !== null && value.kind === 'fn';
}

export function isRegex(value: Value): value is Regex {
  return typeof value === 'object' && value !== null && value.kind === 'regex';
}

export function isReduced(value: Value): value is Reduced {
  return typeof value === 'object' && value !== null && value.kind === 'reduced';
}

/** True for everything except nil and false. */
export function truthy(value: Value): boolean {
  return value !== null && value !== false;
}
