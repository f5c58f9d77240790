// Columns: the places that many maps share, also inside their maps and lists, each with its values, so that one line can stand for all.
import { isJsonArray, isJsonObject, type Json, type JsonObject, nameOfKind } from '../../base/json.ts';
import { isScalar, summaryOf } from './figures.ts';
import { fieldGuide, type Guide, itemGuide, rankOf } from './guide.ts';

const MOST_COLUMNS = 60;
/** Maps inside maps with more fields than this have keys of their own, which no line can stand for. */
const MOST_FIELDS = 24;
/** How many maps and lists a column may lie inside. */
const DEEPEST = 2;

export interface Column {
  /** The way from an item: `state`, `user.login`, `cases.*.status`. */
  readonly name: string;
  readonly guide: Guide;
  /** By item what stands there: nothing, one value, or several where the way leads through a list. */
  readonly values: readonly (readonly Json[])[];
  readonly summary: JsonObject | string;
}

/** A column in the making: what stands in each item, and in how many places something could. */
interface Place {
  readonly name: string;
  readonly guide: Guide;
  readonly values: readonly (readonly Json[])[];
  readonly total: number;
  readonly depth: number;
}

/** Kept and required ones first, then as the maps bring them up; those that lie deeper last. */
export function columnsOf(items: readonly Json[], item: Guide): readonly Column[] {
  const columns = below({ name: '', guide: item, values: items.map((each) => [each]), total: items.length, depth: 0 });
  return columns.toSorted((a, b) => depthOf(a) - depthOf(b)).slice(0, MOST_COLUMNS);
}

/** A kept column is as near as any. */
function depthOf({ name, guide }: Column): number {
  return guide.hints.keep ? 0 : name.split('.').length;
}

/** The columns of the maps in a place. */
function below({ name: above, guide, values, depth }: Place): readonly Column[] {
  const names = namesIn(values);
  if (depth > 0 && names.length > MOST_FIELDS) return [];
  const total = values.reduce((sum, nodes) => sum + nodes.filter(isJsonObject).length, 0);
  const ranked = names.slice(0, MOST_COLUMNS).map((name) => {
    const found = values.map((nodes) => nodes.flatMap((node) => fieldIn(node, name)));
    const inside = fieldGuide(guide, name, solidIn(found));
    const place = { name: above === '' ? name : `${above}.${name}`, guide: inside, values: found, total, depth };
    return { columns: columnsAt(place), rank: inside.hints.keep ? -1 : rankOf(guide, name) };
  });
  return ranked.sort((a, b) => a.rank - b.rank).flatMap(({ columns }) => columns);
}

function columnsAt(place: Place): readonly Column[] {
  const { name, guide, values, total, depth } = place;
  const flat = values.flat();
  if (flat.some(isScalar) && flat.some((value) => isScalar(value) && value !== null)) {
    return [{ name, guide, values, summary: summaryOf(flat, total, guide) }];
  }
  const solid = flat.filter((value) => value !== null);
  const present = solid.length === total ? {} : { $present: solid.length };
  const type = `$${nameOfKind(solid[0])}`;
  const inner = depth < DEEPEST ? insideOf(place, solid) : [];
  if (inner.length > 0 && solid.length === total && !isJsonArray(solid[0])) return inner;
  const items = isJsonArray(solid[0]) ? { $items: countItems(solid) } : {};
  const summary = inner.length === 0 && solid.length === total ? type : { ...present, ...items };
  return [{ name, guide, values, summary: solid.length === 0 ? '$null' : summary }, ...inner];
}

function insideOf({ name, guide, values, total, depth }: Place, solid: readonly Json[]): readonly Column[] {
  if (solid.every(isJsonObject)) return below({ name, guide, values, total, depth: depth + 1 });
  if (!solid.every(isJsonArray)) return [];
  const items = values.map((nodes) => nodes.filter(isJsonArray).flat());
  const flat = items.flat();
  const each = itemGuide(guide, 0, solidIn(items));
  const place = { name: `${name}.*`, guide: each, values: items, total: flat.length, depth: depth + 1 };
  if (flat.length > 0 && flat.every(isScalar)) {
    return [{ ...place, summary: summaryOf(flat, flat.length, each) }];
  }
  return flat.every(isJsonObject) ? below(place) : [];
}

function namesIn(values: readonly (readonly Json[])[]): readonly string[] {
  const names = new Set<string>();
  for (const nodes of values) {
    for (const node of nodes) if (isJsonObject(node)) for (const name of Object.keys(node)) names.add(name);
  }
  return [...names].filter((name) => !name.startsWith('$'));
}

function fieldIn(node: Json, name: string): readonly Json[] {
  if (!isJsonObject(node) || !Object.hasOwn(node, name)) return [];
  return [node[name] ?? null];
}

function solidIn(values: readonly (readonly Json[])[]): Json {
  return values.find((nodes) => nodes.some((value) => value !== null))?.find((value) => value !== null) ?? null;
}

function countItems(lists: readonly Json[]): number {
  return lists.reduce<number>((sum, each) => sum + (isJsonArray(each) ? each.length : 0), 0);
}
