// The id of a new run.
import { randomInt } from 'node:crypto';

const ALPHABET = 'abcdefghjkmnpqrstvwxyz23456789';

/** Eight characters that nobody confuses. */
export function newRunId(): string {
  return Array.from({ length: 8 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
