// Makes the id of a new run.
import { randomInt } from 'node:crypto';
import { idAlphabet } from '../../base/short-id.ts';

/** Eight characters, none of which looks like another. */
export function newRunId(): string {
  return Array.from({ length: 8 }, () => idAlphabet[randomInt(idAlphabet.length)]).join('');
}
