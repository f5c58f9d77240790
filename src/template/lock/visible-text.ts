// Makes characters visible that leave no mark on a screen: a tool's description can carry orders in them that a model reads.
import { isJsonArray, isJsonObject, type Json } from '../../base/json.ts';

/**
 * Format characters, tags, private and unassigned characters, controls other than tabs and ends of lines, and variation
 * selectors, of which one alone may follow a sign.
 */
const UNSEEN = /[\p{Cf}\p{Co}\p{Cn}]|(?![\n\t])\p{Cc}|(?<![\p{Emoji}--[0-9]])\p{VS}/gv;

/** `a\u{200b}b` for an `a` and a `b` with a space between them that has no width. */
export function visibleText(text: string): string {
  return text.replace(UNSEEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** In all texts of a value, keys included. */
export function visibleTexts(value: Json): Json {
  if (typeof value === 'string') return visibleText(value);
  if (isJsonArray(value)) return value.map(visibleTexts);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [visibleText(key), visibleTexts(each)]));
}

/** JSON that reads the same, with escapes in the place of such characters. `json` holds no controls outside of texts but ends of lines. */
export function visibleJson(json: string): string {
  return json.replace(UNSEEN, (character) =>
    Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
      .map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`)
      .join(''),
  );
}
