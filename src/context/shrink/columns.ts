// Columns: the fields that many maps share, including nested ones, each with its values and one line that sums them up.
import { isJsonArray, isJsonObject, type Json, type JsonObject, nameOfKind } from '../../base/json.ts';
import { ELIDED } from './elide.ts';
import { fieldGuide, type Guide, itemGuide, rankOf } from './guide.ts';
import { isScalar, summaryOf } from './value-summary.ts';

const MOST_COLUMNS = 60;
/** A nested map with more fields than this is a table of keys, which has no columns. */
const MOST_FIELDS = 24;
/** The most maps and lists that a column may be nested in. */
const DEEPEST = 2;

export interface Column {
  /** The path from an item, for example `state`, `user.login` or `cases.*.status`. */
  readonly name: string;
  readonly guide: Guide;
  readonly values: readonly Json[];
  /** The index of the item that holds each value; an item may hold none or several. */
  readonly owners: readonly number[];
  readonly summary: JsonObject | string;
}

/** The values at one path of all items. */
interface ColumnPlace extends Omit<Column, 'summary'> {
  /** The number of maps that could hold a value here. */
  readonly total: number;
  readonly depth: number;
}

/** Kept and required columns come first, then the others in the order of their first appearance, and deeper ones last. */
export function columnsOf(items: readonly Json[], guide: Guide): readonly Column[] {
  const owners = items.map((_, at) => at);
  const columns = below({ name: '', guide, values: items, owners, total: items.length, depth: 0 });
  return columns.toSorted((a, b) => depthOf(a) - depthOf(b)).slice(0, MOST_COLUMNS);
}

/** A kept column sorts before all others. */
function depthOf({ name, guide }: Column): number {
  return guide.hints.keep ? 0 : name.split('.').length;
}

interface ColumnValues {
  readonly values: Json[];
  readonly owners: number[];
}

/** The columns of the maps at one path. */
function below({ name: above, guide, values, owners, depth }: ColumnPlace): readonly Column[] {
  const { fields, total } = fieldsOf(values, owners);
  if (depth > 0 && fields.size > MOST_FIELDS) return [];
  const ranked = [...fields].map(([name, field]) => {
    const inside = fieldGuide(guide, name, solidIn(field.values));
    const place = { ...field, name: above === '' ? name : `${above}.${name}`, guide: inside, total, depth };
    return { columns: columnsAt(place), rank: inside.hints.keep ? -1 : rankOf(guide, name) };
  });
  return ranked.sort((a, b) => a.rank - b.rank).flatMap(({ columns }) => columns);
}

function fieldsOf(values: readonly Json[], owners: readonly number[]) {
  const fields = new Map<string, ColumnValues>();
  let total = 0;
  values.forEach((value, at) => {
    if (!isJsonObject(value)) return;
    total += 1;
    for (const name of Object.keys(value)) {
      if (name.startsWith('$')) continue;
      let field = fields.get(name);
      if (field === undefined) {
        if (fields.size === MOST_COLUMNS) continue;
        field = { values: [], owners: [] };
        fields.set(name, field);
      }
      field.values.push(value[name] ?? null);
      field.owners.push(owners[at] ?? 0);
    }
  });
  return { fields, total };
}

function columnsAt(place: ColumnPlace): readonly Column[] {
  const { guide, values, total, depth } = place;
  if (values.every((value) => value === ELIDED)) return [{ ...place, summary: ELIDED }];
  if (values.some((value) => isScalar(value) && value !== null)) {
    return [{ ...place, summary: summaryOf(values, total, guide) }];
  }
  const solid = values.filter((value) => value !== null);
  const [first] = solid;
  if (first === undefined) return [{ ...place, summary: '$null' }];
  const isWhole = solid.length === total;
  const inner = depth < DEEPEST ? insideOf(place) : [];
  if (inner.length === 0 && isWhole) return [{ ...place, summary: `$${nameOfKind(first)}` }];
  if (isWhole && !isJsonArray(first)) return inner;
  const present = isWhole ? {} : { $present: solid.length };
  const items = isJsonArray(first) ? { $items: countItems(solid) } : {};
  return [{ ...place, summary: { ...present, ...items } }, ...inner];
}

/** Nested columns, when all values are maps or all values are lists. */
function insideOf(place: ColumnPlace): readonly Column[] {
  const { name, guide, values, depth } = place;
  const isOf = (fits: (value: Json) => boolean) => values.every((value) => value === null || fits(value));
  if (isOf(isJsonObject)) return below({ ...place, depth: depth + 1 });
  if (!isOf(isJsonArray)) return [];
  const { values: items, owners } = spread(place);
  if (items.length === 0) return [];
  const each = itemGuide(guide, 0, solidIn(items));
  const inside = { name: `${name}.*`, guide: each, values: items, owners, total: items.length, depth: depth + 1 };
  if (items.every(isScalar)) return [{ ...inside, summary: summaryOf(items, items.length, each) }];
  return items.every(isJsonObject) ? below(inside) : [];
}

/** The items of all lists at one path. */
function spread({ values, owners }: ColumnPlace): ColumnValues {
  const items: ColumnValues = { values: [], owners: [] };
  values.forEach((value, at) => {
    if (!isJsonArray(value)) return;
    for (const item of value) {
      items.values.push(item);
      items.owners.push(owners[at] ?? 0);
    }
  });
  return items;
}

function solidIn(values: readonly Json[]): Json {
  return values.find((value) => value !== null) ?? null;
}

function countItems(lists: readonly Json[]): number {
  return lists.reduce<number>((sum, each) => sum + (isJsonArray(each) ? each.length : 0), 0);
}
