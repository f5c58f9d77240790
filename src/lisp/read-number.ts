// Numbers as the reader sees them: decimal, hexadecimal, octal, any radix, ratios, exponents.
import { trouble } from './trouble.ts';

export const SYMBOLIC_NUMBERS: ReadonlyMap<string, number> = new Map([
  ['Inf', Number.POSITIVE_INFINITY],
  ['-Inf', Number.NEGATIVE_INFINITY],
  ['NaN', Number.NaN],
]);

const WHOLE = /^[+-]?(?:0|[1-9]\d*)N?$/;
const DECIMAL = /^[+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?M?$/;
const HEXADECIMAL = /^([+-]?)0[xX]([0-9a-fA-F]+)N?$/;
const OCTAL = /^([+-]?)0([0-7]+)N?$/;
const RADIX = /^([+-]?)(\d{1,2})[rR]([0-9a-zA-Z]+)$/;
const RATIO = /^([+-]?\d+)\/(\d+)$/;

/** Throws a trouble at this offset when the word is no number, or a whole number beyond 2^53. */
export function readNumber(word: string, at: number): number {
  if (WHOLE.test(word)) return whole(Number(word.replace('N', '')), word, at);
  const radix = RADIX.exec(word);
  if (radix !== null) return whole(signed(radix[1], inRadix(radix[3] ?? '', Number(radix[2]), at)), word, at);
  const hexadecimal = HEXADECIMAL.exec(word);
  if (hexadecimal !== null) return whole(signed(hexadecimal[1], Number.parseInt(hexadecimal[2] ?? '', 16)), word, at);
  const octal = OCTAL.exec(word);
  if (octal !== null) return whole(signed(octal[1], Number.parseInt(octal[2] ?? '', 8)), word, at);
  const ratio = RATIO.exec(word);
  if (ratio !== null && Number(ratio[2]) !== 0) return Number(ratio[1]) / Number(ratio[2]);
  if (DECIMAL.test(word) && !/^[+-]?0\d/.test(word)) return Number(word.replace('M', ''));
  throw trouble('LISP_PARSE', `"${word}" is not a number`, 'a name cannot begin with a digit', at);
}

function signed(sign: string | undefined, amount: number): number {
  return sign === '-' ? -amount : amount;
}

function inRadix(digits: string, radix: number, at: number): number {
  const valid = radix >= 2 && radix <= 36 && [...digits].every((digit) => Number.parseInt(digit, 36) < radix);
  if (!valid) throw trouble('LISP_PARSE', `"${digits}" is not a number in base ${radix}`, undefined, at);
  return Number.parseInt(digits, radix);
}

function whole(amount: number, word: string, at: number): number {
  if (Number.isSafeInteger(amount)) return amount === 0 ? 0 : amount;
  throw trouble(
    'LISP_ARITHMETIC',
    `${word} is beyond the whole numbers that are exact (2^53)`,
    `write ${word}.0 for an approximate number`,
    at,
  );
}
