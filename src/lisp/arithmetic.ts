// Arithmetic on doubles. Integers are exact up to 2^53; a larger result is an error, never a silent loss.
import { arithmeticError, typeError } from './exception.ts';
import { aKind, type Value } from './value.ts';

const LARGEST = Number.MAX_SAFE_INTEGER;

/** @throws LispException LISP_TYPE unless the value is a number; the message names `who` */
export function number(value: Value, who: string): number {
  if (typeof value === 'number') return value;
  throw typeError(`${who} needs a number, not ${aKind(value)}`, hintFor(value));
}

/** An integer. Fractions are truncated, as Clojure does with counts and indices. */
export function whole(value: Value, who: string): number {
  const amount = number(value, who);
  if (Number.isNaN(amount)) throw typeError(`${who} needs a whole number, not NaN`);
  return Math.trunc(amount) + 0;
}

/** The count for `take` and similar builtins. A fraction is rounded up, because they count down to zero. */
export function counted(value: Value, who: string): number {
  const amount = number(value, who);
  return Number.isNaN(amount) ? 0 : Math.ceil(amount);
}

/** Checks a result: two integers must give an exact integer. @throws LispException LISP_ARITHMETIC */
function exact(result: number, a: number, b: number): number {
  if (result <= LARGEST && result >= -LARGEST) return result;
  if (Number.isInteger(result) && Number.isSafeInteger(a) && Number.isSafeInteger(b)) {
    throw arithmeticError(
      'the result is too large for an exact whole number (2^53)',
      'make one of the numbers a fraction, or use smaller numbers',
    );
  }
  return result;
}

export function add(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    return sum <= LARGEST && sum >= -LARGEST ? sum : exact(sum, a, b);
  }
  throw operandError('+', a, b);
}

export function subtract(a: Value, b: Value): number {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    return difference <= LARGEST && difference >= -LARGEST ? difference : exact(difference, a, b);
  }
  throw operandError('-', a, b);
}

export function multiply(a: Value, b: Value): number {
  if (typeof a !== 'number' || typeof b !== 'number') throw operandError('*', a, b);
  const product = a * b;
  if (product === 0) return Object.is(a, -0) || Object.is(b, -0) ? product : 0;
  return exact(product, a, b);
}

export function divide(a: Value, b: Value): number {
  if (typeof a !== 'number' || typeof b !== 'number') throw operandError('/', a, b);
  if (b === 0) throw arithmeticError('divided by zero');
  const quotient = a / b;
  return quotient === 0 && !Object.is(a, -0) ? 0 : quotient;
}

function divisible(who: string, a: Value, b: Value): readonly [number, number] {
  const left = number(a, who);
  const right = number(b, who);
  if (right === 0) throw arithmeticError(`${who} by zero`);
  if (!Number.isFinite(left) || Number.isNaN(right)) throw arithmeticError(`${who} needs finite numbers`);
  return [left, right];
}

export function quotient(a: Value, b: Value): number {
  const [left, right] = divisible('quot', a, b);
  return Math.trunc(left / right) + 0;
}

export function remainder(a: Value, b: Value): number {
  const [left, right] = divisible('rem', a, b);
  return Number.isFinite(right) ? (left % right) + 0 : Number.NaN;
}

/** The result has the sign of the divisor. */
export function modulo(a: Value, b: Value): number {
  const [left, right] = divisible('mod', a, b);
  const rest = Number.isFinite(right) ? left % right : Number.NaN;
  return rest !== 0 && rest < 0 !== right < 0 ? rest + right : rest + 0;
}

function hintFor(value: Value): string | undefined {
  if (value === null) return 'the value may be missing: (or x 0), or test it with (number? x) first';
  return typeof value === 'string' ? 'turn text into a number with (parse-long s) or (parse-double s)' : undefined;
}

function operandError(who: string, a: Value, b: Value) {
  const wrong = typeof a === 'number' ? b : a;
  return typeError(`${who} needs numbers, not ${aKind(wrong)}`, hintFor(wrong));
}

/** Two numbers to compare with `<` and similar builtins, which accept nothing else. */
export function ordered(who: string, a: Value, b: Value): readonly [number, number] {
  if (typeof a === 'number' && typeof b === 'number') return [a, b];
  throw operandError(who, a, b);
}

/** Rounds half away from zero. */
export function rounded(value: number): number {
  return (value < 0 ? -Math.round(-value) : Math.round(value)) + 0;
}

/** A bit operation on 64-bit integers. The result must be exact. */
export function onBits(who: string, a: Value, b: Value, operate: (a: bigint, b: bigint) => bigint): number {
  const result = Number(BigInt.asIntN(64, operate(bits(who, a), bits(who, b))));
  if (Number.isSafeInteger(result)) return result;
  throw arithmeticError(`the result of ${who} is too large for an exact whole number (2^53)`);
}

function bits(who: string, value: Value): bigint {
  const amount = number(value, who);
  if (!Number.isSafeInteger(amount)) throw typeError(`${who} needs whole numbers`);
  return BigInt(amount);
}
