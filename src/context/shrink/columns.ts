// Columns: the fields that many maps share, each with its values, so that one line can stand for all.
import { isJsonObject, type Json, type JsonObject, nameOfKind } from '../../base/json.ts';
import { isScalar, summaryOf } from './figures.ts';
import { fieldGuide, type Guide, rankOf } from './guide.ts';

const MOST_COLUMNS = 60;

export interface Column {
  readonly name: string;
  readonly guide: Guide;
  /** In the order of the maps that have it. */
  readonly values: readonly Json[];
}

/** Kept and required ones first, then as the maps bring them up. */
export function columnsOf(items: readonly Json[], item: Guide): readonly Column[] {
  const found = new Map<string, Json[]>();
  for (const each of items) {
    if (!isJsonObject(each)) continue;
    for (const [name, value] of Object.entries(each)) {
      const values = found.get(name);
      if (values !== undefined) values.push(value);
      else if (found.size < MOST_COLUMNS) found.set(name, [value]);
    }
  }
  const columns = [...found].map(([name, values]) => {
    const guide = fieldGuide(item, name, values.find((value) => value !== null) ?? null);
    return { name, guide, values, rank: guide.hints.keep ? -1 : rankOf(item, name) };
  });
  return columns.sort((a, b) => a.rank - b.rank);
}

/** What the column comes to; of maps, lists and what nobody declared, the type. */
export function columnSummary({ guide, values }: Column, total: number): JsonObject | string {
  const solid = values.find((value) => value !== null) ?? null;
  return values.some(isScalar) ? summaryOf(values, total, guide) : `$${nameOfKind(solid)}`;
}
