// Reads one JSON text, as it is or with trailing commas.
import type { Json } from '../base/json.ts';

/** Undefined unless the text is JSON. */
export function readJson(text: string): Json | undefined {
  if (!/^\s*[[{"\-\dtfn]/.test(text)) return undefined;
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}

const STRING_OR_TRAILING_COMMA = /("[^"\\]*(?:\\.[^"\\]*)*")|,(?=\s*[}\]])/gs;

export function readWithTrailingCommas(text: string): Json | undefined {
  return readJson(text.replace(STRING_OR_TRAILING_COMMA, (_, kept?: string) => kept ?? ''));
}
