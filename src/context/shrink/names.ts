// The names of many items: what each is called, when there are not too many of them and something names each.
import { isJsonObject, type Json } from '../../base/json.ts';
import type { Column } from './columns.ts';
import { isDate, isId } from './figures.ts';

/** Longer lists are samples of something, not things that one calls by name. */
const MOST_NAMES = 100;
const LONGEST_NAME = 48;

export interface Names {
  /** The column that they stand in; absent for keys. */
  readonly column?: Column;
  readonly names: readonly string[];
}

/** Of maps in a list: the first column that tells each from all others in a short text, ids and dates apart. */
export function namesOf(items: readonly Json[], columns: readonly Column[]): Names {
  if (items.length > MOST_NAMES || !items.every(isJsonObject)) return none;
  for (const column of columns) {
    const { name, guide, values } = column;
    if (name.includes('.') || isId(guide)) continue;
    const names = values.filter((value) => typeof value === 'string');
    const tells = names.length === items.length && new Set(names).size === names.length;
    if (tells && names.every(isName)) return { column, names };
  }
  return none;
}

/** Of a map's values: their keys. */
export function namesOfKeys(keys: readonly string[]): Names {
  return keys.length <= MOST_NAMES && keys.every(isName) ? { names: keys } : none;
}

const none: Names = { names: [] };

function isName(text: string): boolean {
  return text.length <= LONGEST_NAME && !isDate(text);
}

/** The way to what tells each of so many items from all others; empty when nothing does. */
export function identityOf(count: number, columns: readonly Column[]): readonly (readonly string[])[] {
  const telling = columns.find(
    ({ values }) => values.length === count && new Set(values).size === count && values.every(isWord),
  );
  return telling === undefined ? [] : [telling.name.split('.')];
}

function isWord(value: Json): boolean {
  return typeof value === 'string' ? isName(value) : typeof value === 'number' && Number.isInteger(value);
}
