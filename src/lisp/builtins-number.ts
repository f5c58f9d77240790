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
  throw arithmeticError(`${who} cannot give an exact whole number here`);
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
  builtin('+', plus, 'k', 'Sum', '(+ 1 2 3)', '6'),
  builtin("+'", plus, 'k', 'Sum, the same as +', "(+' 1 2)", '3'),
  builtin('-', minus, 'k', 'Difference; one number alone is negated', '(- 10 3 2)', '5'),
  builtin("-'", minus, 'k', 'Difference, the same as -', "(-' 10 3)", '7'),
  builtin('*', times, 'k', 'Product', '(* 2 3 4)', '24'),
  builtin("*'", times, 'k', 'Product, the same as *', "(*' 2 3)", '6'),
  builtin('/', against('/', 1, divide), 'k', 'Quotient; by zero is an arithmetic error', '(/ 1 4)', '0.25'),
  builtin('inc', increment, '1', 'One more', '(inc 1)', '2'),
  builtin("inc'", increment, '1', 'One more, the same as inc', "(inc' 1)", '2'),
  builtin('dec', decrement, '1', 'One less', '(dec 1)', '0'),
  builtin("dec'", decrement, '1', 'One less, the same as dec', "(dec' 1)", '0'),
  builtin('quot', { two: (_, a, b) => quotient(a, b) }, '1', 'Whole quotient, cut towards zero', '(quot 7 -2)', '-3'),
  builtin(
    'rem',
    { two: (_, a, b) => remainder(a, b) },
    '1',
    'Remainder with the sign of the first',
    '(rem -7 2)',
    '-1',
  ),
  builtin('mod', { two: (_, a, b) => modulo(a, b) }, '1', 'Remainder with the sign of the second', '(mod -7 2)', '1'),
  builtin('max', extreme('max', Math.max), 'k', 'The largest number', '(max 1 5 3)', '5'),
  builtin('min', extreme('min', Math.min), 'k', 'The smallest number', '(min 4 1 3)', '1'),
  builtin('abs', { one: (_, a) => Math.abs(number(a, 'abs')) }, '1', 'Amount without sign', '(abs -5)', '5'),
  builtin('floor', rounding('floor', Math.floor), '1', 'Next whole number below', '(floor 3.7)', '3'),
  builtin('ceil', rounding('ceil', Math.ceil), '1', 'Next whole number above', '(ceil 3.2)', '4'),
  builtin('round', rounding('round', rounded), '1', 'Nearest whole number, half away from zero', '(round -1.5)', '-2'),
  builtin('trunc', rounding('trunc', Math.trunc), '1', 'Whole part', '(trunc 3.9)', '3'),
  builtin('sqrt', { one: (_, a) => Math.sqrt(number(a, 'sqrt')) }, '1', 'Square root', '(sqrt 16)', '4'),
  builtin(
    'pow',
    { two: (_, a, b) => number(a, 'pow') ** number(b, 'pow') },
    '1',
    'Power; approximate beyond 2^53',
    '(pow 2 10)',
    '1024',
  ),
  builtin(
    '==',
    chain((_, a, b) => numericEqual(a, b)),
    'k',
    'Whether numbers are equal',
    '(== 1 1.0)',
    'true',
  ),
  builtin('=', chain(equal), '1 + 2n', 'Equality by value', '(= [1 {:a 2}] [1 {:a 2}])', 'true'),
  builtin('not=', negated(chain(equal)), '1 + 2n', 'The opposite of =', '(not= 1 2)', 'true'),
  builtin(
    '<',
    less('<', (a, b) => a < b),
    'k',
    'Whether numbers rise; numbers only',
    '(< 1 2 3)',
    'true',
  ),
  builtin(
    '<=',
    less('<=', (a, b) => a <= b),
    'k',
    'Whether numbers never fall',
    '(<= 1 1 2)',
    'true',
  ),
  builtin(
    '>',
    less('>', (a, b) => a > b),
    'k',
    'Whether numbers fall',
    '(> 3 2 1)',
    'true',
  ),
  builtin(
    '>=',
    less('>=', (a, b) => a >= b),
    'k',
    'Whether numbers never rise',
    '(>= 3 3 1)',
    'true',
  ),
  builtin(
    'compare',
    { two: (m, a, b) => compare(m, a, b) },
    '2 + n + c/16',
    'Negative, zero or positive: which comes first; nil before all',
    '(compare 1 2)',
    '-1',
  ),
  builtin(
    'zero?',
    sign('zero?', (value) => value === 0),
    '1',
    'Whether a number is zero',
    '(zero? 0)',
    'true',
  ),
  builtin(
    'pos?',
    sign('pos?', (value) => value > 0),
    '1',
    'Whether a number is above zero',
    '(pos? 5)',
    'true',
  ),
  builtin(
    'neg?',
    sign('neg?', (value) => value < 0),
    '1',
    'Whether a number is below zero',
    '(neg? -5)',
    'true',
  ),
  builtin('even?', parity('even?', false), '1', 'Whether a whole number is even', '(even? 4)', 'true'),
  builtin('odd?', parity('odd?', true), '1', 'Whether a whole number is odd', '(odd? 3)', 'true'),
  builtin('number?', NUMBER, '1', 'Whether it is a number', '(number? 1.5)', 'true'),
  builtin('int?', WHOLE, '1', 'Whether it is a whole number', '(int? 42)', 'true'),
  builtin('integer?', WHOLE, '1', 'Whether it is a whole number', '(integer? 3.5)', 'false'),
  builtin('rational?', WHOLE, '1', 'Whether it is a whole number', '(rational? 3)', 'true'),
  builtin('double?', FRACTION, '1', 'Whether it is a number that is not whole', '(double? 3.14)', 'true'),
  builtin('float?', FRACTION, '1', 'Whether it is a number that is not whole', '(float? 1)', 'false'),
  builtin('decimal?', { one: () => false }, '1', 'Always false: there are no decimals', '(decimal? 1.5)', 'false'),
  builtin('ratio?', { one: () => false }, '1', 'Always false: there are no ratios', '(ratio? 0.5)', 'false'),
  builtin(
    'pos-int?',
    asked((value) => Number.isInteger(value) && value > 0),
    '1',
    'Whether it is a whole number above zero',
    '(pos-int? 1)',
    'true',
  ),
  builtin(
    'neg-int?',
    asked((value) => Number.isInteger(value) && value < 0),
    '1',
    'Whether it is a whole number below zero',
    '(neg-int? -1)',
    'true',
  ),
  builtin(
    'nat-int?',
    asked((value) => Number.isInteger(value) && value >= 0),
    '1',
    'Whether it is a whole number, zero or above',
    '(nat-int? 0)',
    'true',
  ),
  builtin(
    'infinite?',
    sign('infinite?', (value) => value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY),
    '1',
    'Whether a number is infinite',
    '(infinite? ##Inf)',
    'true',
  ),
  builtin('NaN?', sign('NaN?', Number.isNaN), '1', 'Whether a number is NaN', '(NaN? ##NaN)', 'true'),
  builtin('int', toWhole('int'), '1', 'Whole part of a number, or the code point of a character', '(int 3.9)', '3'),
  builtin(
    'long',
    toWhole('long'),
    '1',
    'Whole part of a number, or the code point of a character',
    '(long -3.9)',
    '-3',
  ),
  builtin(
    'double',
    { one: (_, a) => number(a, 'double') },
    '1',
    'The number itself: all numbers are doubles',
    '(double 5)',
    '5',
  ),
  builtin(
    'float',
    { one: (_, a) => number(a, 'float') },
    '1',
    'The number itself: all numbers are doubles',
    '(float 5)',
    '5',
  ),
  builtin('num', { one: (_, a) => number(a, 'num') }, '1', 'The number itself', '(num 5)', '5'),
  builtin(
    'bit-and',
    bitwise('bit-and', (a, b) => a & b),
    'k',
    'Bits set in all',
    '(bit-and 12 10)',
    '8',
  ),
  builtin(
    'bit-or',
    bitwise('bit-or', (a, b) => a | b),
    'k',
    'Bits set in any',
    '(bit-or 12 10)',
    '14',
  ),
  builtin(
    'bit-xor',
    bitwise('bit-xor', (a, b) => a ^ b),
    'k',
    'Bits set in an odd number of them',
    '(bit-xor 12 10)',
    '6',
  ),
  builtin(
    'bit-and-not',
    bitwise('bit-and-not', (a, b) => a & ~b),
    'k',
    'Bits of the first that the others lack',
    '(bit-and-not 15 9)',
    '6',
  ),
  builtin(
    'bit-not',
    { one: (_, a) => onBits('bit-not', a, 0, (value) => ~value) },
    '1',
    'All bits flipped',
    '(bit-not 5)',
    '-6',
  ),
  builtin(
    'bit-set',
    atBit('bit-set', (a, bit) => a | (1n << bit)),
    '1',
    'With one bit set',
    '(bit-set 0 3)',
    '8',
  ),
  builtin(
    'bit-clear',
    atBit('bit-clear', (a, bit) => a & ~(1n << bit)),
    '1',
    'With one bit cleared',
    '(bit-clear 15 0)',
    '14',
  ),
  builtin(
    'bit-flip',
    atBit('bit-flip', (a, bit) => a ^ (1n << bit)),
    '1',
    'With one bit flipped',
    '(bit-flip 0 2)',
    '4',
  ),
  builtin(
    'bit-test',
    { two: (_, a, b) => onBits('bit-test', a, b, (value, bit) => (value >> BigInt.asUintN(6, bit)) & 1n) === 1 },
    '1',
    'Whether one bit is set',
    '(bit-test 5 0)',
    'true',
  ),
  builtin(
    'bit-shift-left',
    atBit('bit-shift-left', (a, bit) => a << bit),
    '1',
    'Bits moved up',
    '(bit-shift-left 1 4)',
    '16',
  ),
  builtin(
    'bit-shift-right',
    atBit('bit-shift-right', (a, bit) => a >> bit),
    '1',
    'Bits moved down, the sign kept',
    '(bit-shift-right -16 2)',
    '-4',
  ),
  builtin(
    'unsigned-bit-shift-right',
    atBit('unsigned-bit-shift-right', (a, bit) => BigInt.asUintN(64, a) >> bit),
    '1',
    'Bits moved down, zeros from above',
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
