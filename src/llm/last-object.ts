// Finds the last JSON object in a text that has one of the wanted keys.
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';

/** Texts with more opening braces are searched from the end only as far as this many. */
const MOST_TRIES = 500;

/** @param keys empty: any object. Reasoning before the object may hold braces, so each brace is tried. */
export function lastObjectWith(text: string, keys: readonly string[]): JsonObject | undefined {
  let from = 0;
  let found: JsonObject | undefined;
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const start = text.indexOf('{', from);
    if (start < 0) return found;
    const end = endOfObject(text, start);
    const value = end === undefined ? undefined : parsed(text.slice(start, end));
    const fits = isJsonObject(value) && (keys.length === 0 || keys.some((key) => Object.hasOwn(value, key)));
    if (fits) found = value;
    // An object that fits is skipped whole, because its own parts may have the same keys.
    from = fits && end !== undefined ? end : start + 1;
  }
  return found;
}

/** The offset after the brace that closes the object; undefined when it stays open. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let isInString = false;
  for (let at = start; at < text.length; at++) {
    const char = text[at];
    if (isInString) {
      if (char === '\\') at += 1;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === '{') depth += 1;
    else if (char === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function parsed(text: string): Json | undefined {
  try {
    const value: Json = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
}
