// Builtins for arithmetic, comparison, bits, and tests on numbers.
import { defined } from '../base/json.ts';
import {
  add,
  divide,
  modulo,
  multiply,
  number,
  onBits,
  ordered,
  quotient,
  remainder,
  rounded,
  subtract,
} from './arithmetic.ts';
import { type Builtin, builtin, type Shapes } from './builtin.ts';
import { equal } from './equality.ts';
import { arithmeticError, typeError } from './exception.ts';
import { burn } from './machine.ts';
import { compare } from './order.ts';
import { aKind, type Machine, type Value } from './value.ts';

/** Folds any number of arguments with a binary operation. */
function folded(who: string, start: number, operate: (a: Value, b: Value) => number): Shapes {
  return {
    zero: () => start,
    one: (_, a) => number(a, who),
    two: (_, a, b) => operate(a, b),
    rest: (m, args) => {
      burn(m, args.length);
      return args.reduce<number>((total, each) => operate(total, each), start);
    },
  };
}

/** Like `folded`, but needs an argument; a single one is combined with `start`, as in `(- x)`. */
function against(who: string, start: number, operate: (a: Value, b: Value) => number): Shapes {
  return {
    one: (_, a) => operate(start, number(a, who)),
    two: (_, a, b) => operate(a, b),
    rest: (m, [first = null, ...others]) => {
      burn(m, others.length);
      return others.reduce<number>((total, each) => operate(total, each), number(first, who));
    },
    min: 1,
  };
}

/** A comparison that must hold between all neighbors. */
function chain(holds: (m: Machine, a: Value, b: Value) => boolean): Shapes {
  return {
    one: () => true,
    two: holds,
    rest: (m, args) => {
      burn(m, args.length);
      return args.every((each, i) => i === 0 || holds(m, args[i - 1] ?? null, each));
    },
    min: 1,
  };
}

function less(who: string, test: (a: number, b: number) => boolean): Shapes {
  return chain((_, a, b) => {
    if (typeof a === 'number' && typeof b === 'number') return test(a, b);
    return test(...ordered(who, a, b));
  });
}

/** The largest or smallest number; NaN wins. */
function extreme(who: string, pick: (a: number, b: number) => number): Shapes {
  return {
    one: (_, a) => a,
    two: (_, a, b) => pick(number(a, who), number(b, who)),
    rest: (m, args) => {
      burn(m, args.length);
      return args.map((each) => number(each, who)).reduce((best, each) => pick(best, each));
    },
    min: 1,
  };
}

function asked(test: (value: number) => boolean): Shapes {
  return { one: (_, a) => typeof a === 'number' && test(a) };
}

function sign(who: string, test: (value: number) => boolean): Shapes {
  return { one: (_, a) => test(number(a, who)) };
}

function parity(who: string, odd: boolean): Shapes {
  return {
    one: (_, a) => {
      if (!Number.isInteger(a))
        throw typeError(`${who} needs a whole number, not ${typeof a === 'number' ? 'a fraction' : aKind(a)}`);
      return (Math.abs(number(a, who)) % 2 === 1) === odd;
    },
  };
}

function rounding(who: string, round: (value: number) => number): Shapes {
  return { one: (_, a) => exactWhole(who, round(number(a, who)) + 0) };
}

function exactWhole(who: string, value: number): number {
  if (Number.isSafeInteger(value)) return value;
  throw arithmeticError(`${who} has no exact whole number as its result`);
}

function bitwise(who: string, operate: (a: bigint, b: bigint) => bigint): Shapes {
  return {
    two: (_, a, b) => onBits(who, a, b, operate),
    rest: (m, [first = null, ...others]) => {
      burn(m, others.length);
      return others.reduce<number>((total, each) => onBits(who, total, each, operate), number(first, who));
    },
    min: 2,
  };
}

/** Takes shift counts and bit positions modulo 64, as the JVM does. */
function atBit(who: string, operate: (a: bigint, bit: bigint) => bigint): Shapes {
  return { two: (_, a, b) => onBits(who, a, b, (value, count) => operate(value, BigInt.asUintN(6, count))) };
}

/** For a character, `int` returns its code point. */
function toWhole(who: string): Shapes {
  return {
    one: (_, a) => {
      if (typeof a === 'string' && [...a.slice(0, 3)].length === 1) return a.codePointAt(0) ?? 0;
      return exactWhole(who, Math.trunc(number(a, who)) + 0);
    },
  };
}

const plus = folded('+', 0, add);
const times = folded('*', 1, multiply);
const minus = against('-', 0, subtract);
const increment: Shapes = { one: (_, a) => add(number(a, 'inc'), 1) };
const decrement: Shapes = { one: (_, a) => subtract(number(a, 'dec'), 1) };
const NUMBER: Shapes = { one: (_, a) => typeof a === 'number' };
const WHOLE = asked(Number.isInteger);
const FRACTION = asked((value) => !Number.isInteger(value) || Object.is(value, -0));

export const numberBuiltins: readonly Builtin[] = [
  builtin('+', plus, 'k', 'Adds numbers', '(+ 1 2 3)', '6'),
  builtin("+'", plus, 'k', 'Adds numbers; the same as +', "(+' 1 2)", '3'),
  builtin('-', minus, 'k', 'Subtracts numbers from the first; negates a single number', '(- 10 3 2)', '5'),
  builtin("-'", minus, 'k', 'Subtracts numbers; the same as -', "(-' 10 3)", '7'),
  builtin('*', times, 'k', 'Multiplies numbers', '(* 2 3 4)', '24'),
  builtin("*'", times, 'k', 'Multiplies numbers; the same as *', "(*' 2 3)", '6'),
  builtin(
    '/',
    against('/', 1, divide),
    'k',
    'Divides the first number by the others; dividing by zero is an arithmetic error',
    '(/ 1 4)',
    '0.25',
  ),
  builtin('inc', increment, '1', 'Adds one', '(inc 1)', '2'),
  builtin("inc'", increment, '1', 'Adds one; the same as inc', "(inc' 1)", '2'),
  builtin('dec', decrement, '1', 'Subtracts one', '(dec 1)', '0'),
  builtin("dec'", decrement, '1', 'Subtracts one; the same as dec', "(dec' 1)", '0'),
  builtin('quot', { two: (_, a, b) => quotient(a, b) }, '1', 'Divides and drops the fraction', '(quot 7 -2)', '-3'),
  builtin(
    'rem',
    { two: (_, a, b) => remainder(a, b) },
    '1',
    'Returns the remainder, with the sign of the dividend',
    '(rem -7 2)',
    '-1',
  ),
  builtin(
    'mod',
    { two: (_, a, b) => modulo(a, b) },
    '1',
    'Returns the remainder, with the sign of the divisor',
    '(mod -7 2)',
    '1',
  ),
  builtin('max', extreme('max', Math.max), 'k', 'Returns the largest number', '(max 1 5 3)', '5'),
  builtin('min', extreme('min', Math.min), 'k', 'Returns the smallest number', '(min 4 1 3)', '1'),
  builtin('abs', { one: (_, a) => Math.abs(number(a, 'abs')) }, '1', 'Returns the absolute value', '(abs -5)', '5'),
  builtin('floor', rounding('floor', Math.floor), '1', 'Rounds down to a whole number', '(floor 3.7)', '3'),
  builtin('ceil', rounding('ceil', Math.ceil), '1', 'Rounds up to a whole number', '(ceil 3.2)', '4'),
  builtin(
    'round',
    rounding('round', rounded),
    '1',
    'Rounds to the nearest whole number, halves away from zero',
    '(round -1.5)',
    '-2',
  ),
  builtin('trunc', rounding('trunc', Math.trunc), '1', 'Drops the fraction', '(trunc 3.9)', '3'),
  builtin('sqrt', { one: (_, a) => Math.sqrt(number(a, 'sqrt')) }, '1', 'Returns the square root', '(sqrt 16)', '4'),
  builtin(
    'pow',
    { two: (_, a, b) => number(a, 'pow') ** number(b, 'pow') },
    '1',
    'Raises a number to a power; approximate beyond 2^53',
    '(pow 2 10)',
    '1024',
  ),
  builtin(
    '==',
    chain((_, a, b) => numericEqual(a, b)),
    'k',
    'Tests whether numbers are equal',
    '(== 1 1.0)',
    'true',
  ),
  builtin(
    '=',
    chain(equal),
    '1 + 2n',
    'Tests whether values are equal; collections are equal if their contents are',
    '(= [1 {:a 2}] [1 {:a 2}])',
    'true',
  ),
  builtin(
    'not=',
    negated(chain(equal)),
    '1 + 2n',
    'Tests whether values differ; the opposite of =',
    '(not= 1 2)',
    'true',
  ),
  builtin(
    '<',
    less('<', (a, b) => a < b),
    'k',
    'Tests whether each number is smaller than the next',
    '(< 1 2 3)',
    'true',
  ),
  builtin(
    '<=',
    less('<=', (a, b) => a <= b),
    'k',
    'Tests whether no number is larger than the next',
    '(<= 1 1 2)',
    'true',
  ),
  builtin(
    '>',
    less('>', (a, b) => a > b),
    'k',
    'Tests whether each number is larger than the next',
    '(> 3 2 1)',
    'true',
  ),
  builtin(
    '>=',
    less('>=', (a, b) => a >= b),
    'k',
    'Tests whether no number is smaller than the next',
    '(>= 3 3 1)',
    'true',
  ),
  builtin(
    'compare',
    { two: (m, a, b) => compare(m, a, b) },
    '2 + n + c/16',
    'Compares for sorting: negative, zero or positive; nil comes first',
    '(compare 1 2)',
    '-1',
  ),
  builtin(
    'zero?',
    sign('zero?', (value) => value === 0),
    '1',
    'Tests whether a number is zero',
    '(zero? 0)',
    'true',
  ),
  builtin(
    'pos?',
    sign('pos?', (value) => value > 0),
    '1',
    'Tests whether a number is above zero',
    '(pos? 5)',
    'true',
  ),
  builtin(
    'neg?',
    sign('neg?', (value) => value < 0),
    '1',
    'Tests whether a number is below zero',
    '(neg? -5)',
    'true',
  ),
  builtin('even?', parity('even?', false), '1', 'Tests whether a whole number is even', '(even? 4)', 'true'),
  builtin('odd?', parity('odd?', true), '1', 'Tests whether a whole number is odd', '(odd? 3)', 'true'),
  builtin('number?', NUMBER, '1', 'Tests whether a value is a number', '(number? 1.5)', 'true'),
  builtin('int?', WHOLE, '1', 'Tests whether a value is a whole number', '(int? 42)', 'true'),
  builtin('integer?', WHOLE, '1', 'Tests whether a value is a whole number', '(integer? 3.5)', 'false'),
  builtin('rational?', WHOLE, '1', 'Tests whether a value is a whole number', '(rational? 3)', 'true'),
  builtin('double?', FRACTION, '1', 'Tests whether a value is a number that is not whole', '(double? 3.14)', 'true'),
  builtin('float?', FRACTION, '1', 'Tests whether a value is a number that is not whole', '(float? 1)', 'false'),
  builtin('decimal?', { one: () => false }, '1', 'Returns false: there are no decimals', '(decimal? 1.5)', 'false'),
  builtin('ratio?', { one: () => false }, '1', 'Returns false: there are no ratios', '(ratio? 0.5)', 'false'),
  builtin(
    'pos-int?',
    asked((value) => Number.isInteger(value) && value > 0),
    '1',
    'Tests whether a value is a whole number above zero',
    '(pos-int? 1)',
    'true',
  ),
  builtin(
    'neg-int?',
    asked((value) => Number.isInteger(value) && value < 0),
    '1',
    'Tests whether a value is a whole number below zero',
    '(neg-int? -1)',
    'true',
  ),
  builtin(
    'nat-int?',
    asked((value) => Number.isInteger(value) && value >= 0),
    '1',
    'Tests whether a value is a whole number, zero or above',
    '(nat-int? 0)',
    'true',
  ),
  builtin(
    'infinite?',
    sign('infinite?', (value) => value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY),
    '1',
    'Tests whether a number is infinite',
    '(infinite? ##Inf)',
    'true',
  ),
  builtin('NaN?', sign('NaN?', Number.isNaN), '1', 'Tests whether a number is NaN', '(NaN? ##NaN)', 'true'),
  builtin(
    'int',
    toWhole('int'),
    '1',
    'Drops the fraction of a number, or returns the code point of a character',
    '(int 3.9)',
    '3',
  ),
  builtin(
    'long',
    toWhole('long'),
    '1',
    'Drops the fraction of a number, or returns the code point of a character',
    '(long -3.9)',
    '-3',
  ),
  builtin(
    'double',
    { one: (_, a) => number(a, 'double') },
    '1',
    'Returns the number itself: all numbers are doubles',
    '(double 5)',
    '5',
  ),
  builtin(
    'float',
    { one: (_, a) => number(a, 'float') },
    '1',
    'Returns the number itself: all numbers are doubles',
    '(float 5)',
    '5',
  ),
  builtin('num', { one: (_, a) => number(a, 'num') }, '1', 'Returns the number itself', '(num 5)', '5'),
  builtin(
    'bit-and',
    bitwise('bit-and', (a, b) => a & b),
    'k',
    'Returns the bits that are set in all arguments',
    '(bit-and 12 10)',
    '8',
  ),
  builtin(
    'bit-or',
    bitwise('bit-or', (a, b) => a | b),
    'k',
    'Returns the bits that are set in any argument',
    '(bit-or 12 10)',
    '14',
  ),
  builtin(
    'bit-xor',
    bitwise('bit-xor', (a, b) => a ^ b),
    'k',
    'Returns the bits that are set in an odd number of arguments',
    '(bit-xor 12 10)',
    '6',
  ),
  builtin(
    'bit-and-not',
    bitwise('bit-and-not', (a, b) => a & ~b),
    'k',
    'Returns the bits of the first argument that no other argument has',
    '(bit-and-not 15 9)',
    '6',
  ),
  builtin(
    'bit-not',
    { one: (_, a) => onBits('bit-not', a, 0, (value) => ~value) },
    '1',
    'Flips all bits',
    '(bit-not 5)',
    '-6',
  ),
  builtin(
    'bit-set',
    atBit('bit-set', (a, bit) => a | (1n << bit)),
    '1',
    'Sets one bit',
    '(bit-set 0 3)',
    '8',
  ),
  builtin(
    'bit-clear',
    atBit('bit-clear', (a, bit) => a & ~(1n << bit)),
    '1',
    'Clears one bit',
    '(bit-clear 15 0)',
    '14',
  ),
  builtin(
    'bit-flip',
    atBit('bit-flip', (a, bit) => a ^ (1n << bit)),
    '1',
    'Flips one bit',
    '(bit-flip 0 2)',
    '4',
  ),
  builtin(
    'bit-test',
    { two: (_, a, b) => onBits('bit-test', a, b, (value, bit) => (value >> BigInt.asUintN(6, bit)) & 1n) === 1 },
    '1',
    'Tests whether one bit is set',
    '(bit-test 5 0)',
    'true',
  ),
  builtin(
    'bit-shift-left',
    atBit('bit-shift-left', (a, bit) => a << bit),
    '1',
    'Shifts the bits to the left',
    '(bit-shift-left 1 4)',
    '16',
  ),
  builtin(
    'bit-shift-right',
    atBit('bit-shift-right', (a, bit) => a >> bit),
    '1',
    'Shifts the bits to the right and keeps the sign',
    '(bit-shift-right -16 2)',
    '-4',
  ),
  builtin(
    'unsigned-bit-shift-right',
    atBit('unsigned-bit-shift-right', (a, bit) => BigInt.asUintN(64, a) >> bit),
    '1',
    'Shifts the bits to the right and fills with zeros',
    '(unsigned-bit-shift-right 16 2)',
    '4',
  ),
];

function numericEqual(a: Value, b: Value): boolean {
  return number(a, '==') === number(b, '==');
}

function negated({ one, two, rest, min }: Shapes): Shapes {
  return defined({
    one: one === undefined ? undefined : () => false,
    two: two === undefined ? undefined : (m: Machine, a: Value, b: Value) => two(m, a, b) !== true,
    rest: rest === undefined ? undefined : (m: Machine, args: readonly Value[]) => rest(m, args) !== true,
    min,
  });
}
