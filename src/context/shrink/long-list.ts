// Long lists and maps of many keys: a count, a summary of each column, names, and a sample of telling items.
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { allot, pour, type SizedPart } from './allot.ts';
import { type Column, columnsOf } from './columns.ts';
import type { ViewFactory } from './guide.ts';
import { fieldGuide, type Guide, itemGuide } from './guide.ts';
import { type Lines, linesView } from './lines.ts';
import { leadsOf, outlierScores, sampleIndexes } from './sample-items.ts';
import { isDate, isId, summaryOf } from './value-summary.ts';
import { fieldFrame, fixed, noLessThan, sizeOf, stretch, type View } from './view.ts';

/** The least bytes for an item of the sample, unless the whole item is smaller. */
const ITEM_ROOM = 160;
/** The first item weighs more because it shows the usual shape. */
const WEIGHT_OF_FIRST = 2;
const AROUND_SAMPLE = fieldFrame('$sample') + 2;
const AROUND_NAMES = fieldFrame('$names') + 2;

export function longListView(value: readonly Json[], guide: Guide, look: ViewFactory): View {
  return gatheredView(value, value, guide, look, (at) => itemGuide(guide, at, value[at] ?? null));
}

export function tableView(value: JsonObject, guide: Guide, look: ViewFactory): View {
  const keys = Object.keys(value);
  const items = Object.values(value);
  const inside = (at: number) => fieldGuide(guide, keys[at] ?? '', items[at] ?? null);
  return gatheredView(value, items, guide, look, inside, keys);
}

interface ListDigest {
  readonly count: number;
  /** Sorted by the order in which they get room. */
  readonly summaries: readonly ColumnSummary[];
  readonly names: Lines;
  readonly sample: readonly SampleItem[];
}

interface ColumnSummary {
  readonly name: string;
  readonly value: Json;
  /** The size of name and value. */
  readonly bytes: number;
}

interface SampleItem extends SizedPart {
  readonly at: number;
}

function gatheredView(
  value: Json,
  items: readonly Json[],
  guide: Guide,
  look: ViewFactory,
  inside: (at: number) => Guide,
  keys?: readonly string[],
): View {
  const bytes = sizeOf(value);
  const outline = { [keys === undefined ? '$count' : '$keys']: items.length };
  let digested: ListDigest | undefined;
  return stretch({
    value,
    bytes,
    outline,
    kept: guide.hints.keep ? bytes : 0,
    between(room) {
      digested ??= digest(items, guide, look, inside, keys);
      return shownIn(room, outline, digested, keys);
    },
  });
}

function digest(
  items: readonly Json[],
  guide: Guide,
  look: ViewFactory,
  inside: (at: number) => Guide,
  keys?: readonly string[],
): ListDigest {
  const most = guide.hints.sample ?? guide.wishes.sample;
  const model = inside(0);
  const maps = items.filter(isJsonObject);
  const columns = maps.length * 2 > items.length ? columnsOf(maps, model) : [];
  const called = keys === undefined ? namesOf(items, columns) : namesOfKeys(keys);
  const summaries: ReadonlyArray<readonly [string, Json]> =
    columns.length === 0
      ? Object.entries(summaryOf(items, items.length, model))
      : lastWhatSaysLeast(columns.filter((column) => column !== called.column)).map(({ name, summary }) => [
          name,
          summary,
        ]);
  const aligned = maps.length === items.length ? columns : columnsOf(items, model);
  const alone = { name: '', guide: model, values: items, owners: items.map((_, at) => at) };
  const odd = outlierScores(items.length, columns.length === 0 ? [alone] : aligned);
  const identity = identityOf(items.length, columns);
  const sample = sampleIndexes(items.length, most, odd).map((at): SampleItem => {
    const view = look(items[at] ?? null, { ...inside(at), leads: [...identity, ...leadsOf(at, odd)] });
    const frame = keys === undefined ? 1 : fieldFrame(keys[at] ?? '');
    return { at, frame, weight: at === 0 ? WEIGHT_OF_FIRST : 1, view: noLessThan(view, ITEM_ROOM) };
  });
  return {
    count: items.length,
    summaries: summaries.map(([name, value]) => ({ name, value, bytes: fieldFrame(name) + sizeOf(value) })),
    names: linesView(called.names.map((name) => fixed(name))),
    sample,
  };
}

/** Moves columns to the end when their summary only says that all values differ. */
function lastWhatSaysLeast(columns: readonly Column[]): readonly Column[] {
  const saysLeast = ({ summary, values }: Column) =>
    isJsonObject(summary) && summary.$distinct === values.length && Object.keys(summary).length === 1;
  return [...columns.filter((column) => !saysLeast(column)), ...columns.filter(saysLeast)];
}

/** Shares of the room: column summaries, names of items, items of the sample. */
const SHARES = { summaries: 3, names: 1, sample: 2 };
/** Bytes for column summaries before the rest is shared. */
const FIRST = 160;
/** In a list of at most `items`, single items tell more than summaries: the sample's share is `sample`. */
const FEW = { items: 16, sample: 8 };

function shownIn(
  room: number,
  outline: JsonObject,
  { count, summaries, names, sample }: ListDigest,
  keys?: readonly string[],
): Json {
  const summed = summaries.reduce((sum, { bytes }) => sum + bytes, 0);
  const first = Math.max(0, Math.min(summed, count <= FEW.items ? 0 : FIRST, room - sizeOf(outline)));
  const [summaryRoom = 0, namesRoom = 0, sampleRoom = 0] = pour(room - sizeOf(outline) - first, [
    { want: summed - first, weight: SHARES.summaries },
    { want: names.most + AROUND_NAMES, weight: SHARES.names },
    {
      want: sample.reduce((sum, { frame, view }) => sum + frame + view.most, AROUND_SAMPLE),
      weight: count <= FEW.items ? FEW.sample : SHARES.sample,
    },
  ]);
  return Object.fromEntries([
    ...Object.entries(outline),
    ...summariesIn(first + summaryRoom, summaries),
    ...namesIn(namesRoom - AROUND_NAMES, names),
    ...sampleIn(sampleRoom - AROUND_SAMPLE, sample, keys),
  ]);
}

type Entries = ReadonlyArray<readonly [string, Json]>;

function summariesIn(room: number, summaries: readonly ColumnSummary[]): Entries {
  let left = room;
  const shown: (readonly [string, Json])[] = [];
  for (const { name, value, bytes } of summaries) {
    left -= bytes;
    if (left < 0) break;
    shown.push([name, value]);
  }
  return shown;
}

function namesIn(room: number, names: Lines): Entries {
  const shown = names.show(room);
  return shown.some((each) => typeof each === 'string') ? [['$names', shown]] : [];
}

function sampleIn(room: number, sample: readonly SampleItem[], keys: readonly string[] | undefined): Entries {
  const rooms = allot(sample, room);
  const picked = sample
    .flatMap(({ at, view }, index) => {
      const share = rooms[index];
      return share === undefined ? [] : [{ at, inside: view.show(share) }];
    })
    .sort((a, b) => a.at - b.at);
  if (picked.length === 0) return [];
  if (keys === undefined) return [['$sample', picked.map(({ inside }) => inside)]];
  return [['$sample', Object.fromEntries(picked.map(({ at, inside }) => [keys[at] ?? '', inside] as const))]];
}

/** A longer list has no `$names`. */
const MOST_NAMES = 100;
const LONGEST_NAME = 48;

interface ItemNames {
  /** The column that holds the names; absent when they are keys. */
  readonly column?: Column;
  readonly names: readonly string[];
}

/** The names of maps in a list: the first column of short, unique texts that are neither ids nor dates. */
function namesOf(items: readonly Json[], columns: readonly Column[]): ItemNames {
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

/** The keys of a map, when they read as names. */
function namesOfKeys(keys: readonly string[]): ItemNames {
  return keys.length <= MOST_NAMES && keys.every(isName) ? { names: keys } : none;
}

const none: ItemNames = { names: [] };

function isName(text: string): boolean {
  return text.length <= LONGEST_NAME && !isDate(text);
}

/** The path to the first column that is unique for each item; empty when none is. */
function identityOf(count: number, columns: readonly Column[]): readonly (readonly string[])[] {
  const sampleIndexes = columns.find(
    ({ values }) => values.length === count && new Set(values).size === count && values.every(isWord),
  );
  return sampleIndexes === undefined ? [] : [sampleIndexes.name.split('.')];
}

function isWord(value: Json): boolean {
  return typeof value === 'string' ? isName(value) : typeof value === 'number' && Number.isInteger(value);
}
