// Short ids from characters that nobody confuses.
import { digestOfText } from './digest.ts';

export const idAlphabet = 'abcdefghjkmnpqrstvwxyz23456789';

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const LENGTH = 10;

/** Equal texts give equal ids. */
export function idFrom(text: string): string {
  const digits = [...digestOfText(text)].slice(0, LENGTH);
  return digits.map((digit) => idAlphabet[DIGITS.indexOf(digit) % idAlphabet.length]).join('');
}
