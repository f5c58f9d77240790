// Texts as SQLite keeps them: short ones as they are, long ones deflated, since most of what is long says the same many times.
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Texts of at most this many characters stand as they are, so that people can read them and SQLite's JSON functions too. */
const PLAIN_LIMIT = 1_024;

/** The fastest of zlib's lazy levels: a twentieth of a template's length at 1 µs for each kilobyte. */
const LEVEL = 3;

export function pack(text: string): SQLInputValue {
  return text.length <= PLAIN_LIMIT ? text : deflateRawSync(text, { level: LEVEL });
}

/** Throws zlib's error (`Z_…`) for bytes that were never packed. */
export function unpack(column: SQLOutputValue | undefined): string {
  return column instanceof Uint8Array ? inflateRawSync(column).toString('utf8') : String(column);
}
