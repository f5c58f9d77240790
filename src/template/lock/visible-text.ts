// Escapes invisible characters: a tool's description could use them to give orders to a model that no person sees.
import { isJsonArray, isJsonObject, type Json } from '../../base/json.ts';

/**
 * Format characters, tags, private and unassigned characters, controls other than tabs and line ends, and variation
 * selectors other than one after a sign.
 */
const UNSEEN = /[\p{Cf}\p{Co}\p{Cn}]|(?![\n\t])\p{Cc}|(?<![\p{Emoji}--[0-9]])\p{VS}/gv;

/** Writes a zero-width space between `a` and `b` as `a\u{200b}b`. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Escapes invisible characters in all texts of a value, including keys. */
export function visibleTexts(value: Json): Json {
  if (typeof value === 'string') return visibleText(value);
  if (isJsonArray(value)) return value.map(visibleTexts);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [visibleText(key), visibleTexts(each)]));
}

/** Escapes invisible characters in JSON text without changing its value. Outside of strings, `json` has no control characters except line ends. */
export function visibleJson(json: string): string {
  return json.replace(UNSEEN, (character) =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
