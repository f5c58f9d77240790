// Lists of many items, and maps of many keys: how many, what their columns come to, and a telling sample.
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { allot, type Part, pour } from './allot.ts';
import { type Column, columnsOf } from './columns.ts';
import { summaryOf } from './figures.ts';
import { fieldGuide, type Guide, itemGuide } from './guide.ts';
import { type Lines, linesView } from './lines.ts';
import type { Look } from './look.ts';
import { identityOf, namesOf, namesOfKeys } from './names.ts';
import { leadsOf, oddnessOf, telling } from './telling.ts';
import { fieldFrame, fixed, noLessThan, sizeOf, stretch, type View } from './view.ts';

/** An item of a sample is let in with this much room for itself, if it needs as much. */
const ITEM_ROOM = 160;
/** It shows what all are like. */
const WEIGHT_OF_FIRST = 2;
const AROUND_SAMPLE = fieldFrame('$sample') + 2;
const AROUND_NAMES = fieldFrame('$names') + 2;

export function manyView(value: readonly Json[], guide: Guide, look: Look): View {
  return gatheredView(value, value, guide, look, (at) => itemGuide(guide, at, value[at] ?? null));
}

export function tableView(value: JsonObject, guide: Guide, look: Look): View {
  const keys = Object.keys(value);
  const items = Object.values(value);
  const inside = (at: number) => fieldGuide(guide, keys[at] ?? '', items[at] ?? null);
  return gatheredView(value, items, guide, look, inside, keys);
}

interface Digested {
  readonly count: number;
  /** In the order in which they are let in. */
  readonly summaries: readonly Summary[];
  readonly names: Lines;
  readonly sample: readonly Sampled[];
}

interface Summary {
  readonly name: string;
  readonly value: Json;
  /** With its name. */
  readonly bytes: number;
}

interface Sampled extends Part {
  readonly at: number;
}

function gatheredView(
  value: Json,
  items: readonly Json[],
  guide: Guide,
  look: Look,
  inside: (at: number) => Guide,
  keys?: readonly string[],
): View {
  const bytes = sizeOf(value);
  const outline = { [keys === undefined ? '$count' : '$keys']: items.length };
  let digested: Digested | undefined;
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
  look: Look,
  inside: (at: number) => Guide,
  keys?: readonly string[],
): Digested {
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
  const odd = oddnessOf(items.length, columns.length === 0 ? [alone] : aligned);
  const identity = identityOf(items.length, columns);
  const sample = telling(items.length, most, odd).map((at): Sampled => {
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

/** Columns of which nothing is known but that all is different come behind the others. */
function lastWhatSaysLeast(columns: readonly Column[]): readonly Column[] {
  const saysLeast = ({ summary, values }: Column) =>
    isJsonObject(summary) && summary.$distinct === values.length && Object.keys(summary).length === 1;
  return [...columns.filter((column) => !saysLeast(column)), ...columns.filter(saysLeast)];
}

/** Shares of the room: what the columns come to, the names of the items, the items of the sample. */
const SHARES = { summaries: 3, names: 1, sample: 2 };
/** Bytes of what the columns come to, before anything is shared. */
const FIRST = 160;
/** Of up to so many items each says more than what all come to. */
const FEW = { items: 16, sample: 8 };

function shownIn(
  room: number,
  outline: JsonObject,
  { count, summaries, names, sample }: Digested,
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

function summariesIn(room: number, summaries: readonly Summary[]): Entries {
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

function sampleIn(room: number, sample: readonly Sampled[], keys: readonly string[] | undefined): Entries {
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
