// The rows in the tables of builtins, and the function values made from them.
import { counted } from '../base/counted.ts';
import { arityError } from './exception.ts';
import type { Fn, FnCode, Machine, Value } from './value.ts';

/** The implementations of a builtin by number of arguments. `rest` takes all other numbers, from `min` on. */
export interface Shapes {
  readonly zero?: (m: Machine) => Value;
  readonly one?: (m: Machine, a: Value) => Value;
  readonly two?: (m: Machine, a: Value, b: Value) => Value;
  readonly three?: (m: Machine, a: Value, b: Value, c: Value) => Value;
  readonly four?: (m: Machine, a: Value, b: Value, c: Value, d: Value) => Value;
  readonly rest?: (m: Machine, args: readonly Value[]) => Value;
  /** The fewest arguments for `rest` when no smaller shape is given; default 0. */
  readonly min?: number;
}

/**
 * The largest fuel of a call as a formula: `n` elements of collections, `c` characters of text, `k` arguments, `r` instructions
 * of a regex. Functions among the arguments burn their own fuel on top.
 */
export type Price = string;

export interface Builtin {
  /** `get`, `string/join`, `date/diff`; names of clojure.core have no namespace. */
  readonly name: string;
  readonly shapes: Shapes;
  readonly price: Price;
  readonly doc: string;
  readonly example: string;
  /** The value of the example as EDN, or `error FAMILY`. */
  readonly gives: string;
  readonly min: number;
  readonly max: number;
  readonly fn: Fn;
}

/** Makes one row. */
export function builtin(
  name: string,
  shapes: Shapes,
  price: Price,
  doc: string,
  example: string,
  gives: string,
): Builtin {
  const { min, max } = arityOf(shapes);
  return {
    name,
    shapes,
    price,
    doc,
    example,
    gives,
    min,
    max,
    fn: { kind: 'fn', code: codeOf(name, shapes, min, max), captured: [] },
  };
}

function arityOf(shapes: Shapes): { min: number; max: number } {
  const fixed = [shapes.zero, shapes.one, shapes.two, shapes.three, shapes.four];
  const counts = fixed.flatMap((shape, count) => (shape === undefined ? [] : [count]));
  if (shapes.rest !== undefined) return { min: shapes.min ?? Math.min(0, ...counts), max: Number.POSITIVE_INFINITY };
  return { min: Math.min(...counts), max: Math.max(...counts) };
}

function codeOf(name: string, shapes: Shapes, min: number, max: number): FnCode {
  const { zero, one, two, three, four, rest } = shapes;
  const wrong = (count: number) => arityError(`${name} takes ${arityText(min, max)}, not ${count}`);
  return {
    name,
    min,
    max,
    call1: (m, _, a) => {
      if (one !== undefined) return one(m, a);
      if (rest !== undefined && min <= 1) return rest(m, [a]);
      throw wrong(1);
    },
    call2: (m, _, a, b) => {
      if (two !== undefined) return two(m, a, b);
      if (rest !== undefined && min <= 2) return rest(m, [a, b]);
      throw wrong(2);
    },
    apply: (m, _, args) => {
      const [a = null, b = null, c = null, d = null] = args;
      if (args.length === 0 && zero !== undefined) return zero(m);
      if (args.length === 1 && one !== undefined) return one(m, a);
      if (args.length === 2 && two !== undefined) return two(m, a, b);
      if (args.length === 3 && three !== undefined) return three(m, a, b, c);
      if (args.length === 4 && four !== undefined) return four(m, a, b, c, d);
      if (rest !== undefined && args.length >= min) return rest(m, args);
      throw wrong(args.length);
    },
  };
}

/** Makes a function at run time, as `partial` and `comp` do. */
export function native(
  name: string,
  min: number,
  max: number,
  apply: (m: Machine, args: readonly Value[]) => Value,
): Fn {
  const check = (count: number) => {
    if (count < min || count > max) throw arityError(`${name} takes ${arityText(min, max)}, not ${count}`);
  };
  const code: FnCode = {
    name,
    min,
    max,
    call1: (m, _, a) => {
      check(1);
      return apply(m, [a]);
    },
    call2: (m, _, a, b) => {
      check(2);
      return apply(m, [a, b]);
    },
    apply: (m, _, args) => {
      check(args.length);
      return apply(m, args);
    },
  };
  return { kind: 'fn', code, captured: [] };
}

/** `1 argument`, `2 to 4 arguments`, `at least 1 argument` */
export function arityText(min: number, max: number): string {
  if (max === Number.POSITIVE_INFINITY) return `at least ${counted(min, 'argument')}`;
  return min === max ? counted(min, 'argument') : `${min} to ${counted(max, 'argument')}`;
}
