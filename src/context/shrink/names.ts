// The names of many items: what each is called, when there are not too many of them and something names each.
import { isJsonObject, type Json } from '../../base/json.ts';
import type { Column } from './columns.ts';
import { isDate, isId } from './figures.ts';

/** Longer lists are samples of something, not things that one calls by name. */
const MOST_NAMES = 100;
const LONGEST_NAME = 48;

/** Of maps in a list: the first column that tells each from all others in a short text, ids and dates apart. */
export function namesOf(items: readonly Json[], columns: readonly Column[]): readonly string[] {
  if (items.length > MOST_NAMES || !items.every(isJsonObject)) return [];
  for (const { name, guide, values } of columns) {
    if (name.includes('.') || isId(guide)) continue;
    const names = values.filter((value) => typeof value === 'string');
    const tells = names.length === items.length && new Set(names).size === names.length;
    if (tells && names.every(isName)) return names;
  }
  return [];
}

/** Of a map's values: their keys. */
export function namesOfKeys(keys: readonly string[]): readonly string[] {
  return keys.length <= MOST_NAMES && keys.every(isName) ? keys : [];
}

function isName(text: string): boolean {
  return text.length <= LONGEST_NAME && !isDate(text);
}
