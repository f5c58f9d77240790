// Lists of many items, and maps of many keys: how many, what their columns come to, and a telling sample.
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { allot, type Part } from './allot.ts';
import { columnSummary, columnsOf } from './columns.ts';
import { summaryOf } from './figures.ts';
import { fieldGuide, type Guide, itemGuide } from './guide.ts';
import type { Look } from './look.ts';
import { alignedValues, oddnessOf, telling } from './telling.ts';
import { fieldFrame, sizeOf, stretch, type View } from './view.ts';

/** An item of a sample is let in with this much room for itself, if it needs as much. */
const ITEM_ROOM = 240;
const AROUND_SAMPLE = fieldFrame('$sample') + 2;

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
  /** In the order in which they are let in. */
  readonly summaries: readonly Summary[];
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
  const named = columns.filter(({ name }) => !name.startsWith('$'));
  const summaries: ReadonlyArray<readonly [string, Json]> =
    columns.length === 0
      ? Object.entries(summaryOf(items, items.length, model))
      : named.map((column) => [column.name, columnSummary(column, items.length)]);
  const values = columns.length === 0 ? [items] : alignedValues(items, columns);
  const chosen = telling(items.length, most, oddnessOf(items, values));
  const sample = chosen.map((at): Sampled => {
    const view = look(items[at] ?? null, inside(at));
    const frame = keys === undefined ? 1 : fieldFrame(keys[at] ?? '');
    return { at, frame, weight: 1, view: { ...view, least: Math.min(view.most, Math.max(view.least, ITEM_ROOM)) } };
  });
  const measured = summaries.map(([name, value]) => ({ name, value, bytes: fieldFrame(name) + sizeOf(value) }));
  return { summaries: measured, sample };
}

function shownIn(room: number, outline: JsonObject, { summaries, sample }: Digested, keys?: readonly string[]): Json {
  const shown: (readonly [string, Json])[] = Object.entries(outline);
  let left = room - sizeOf(outline);
  for (const { name, value, bytes } of summaries) {
    left -= bytes;
    if (left < 0) return Object.fromEntries(shown);
    shown.push([name, value]);
  }
  const rooms = allot(sample, left - AROUND_SAMPLE);
  const picked = sample
    .flatMap(({ at, view }, index) => {
      const share = rooms[index];
      return share === undefined ? [] : [{ at, inside: view.show(share) }];
    })
    .sort((a, b) => a.at - b.at);
  if (picked.length === 0) return Object.fromEntries(shown);
  const inside: Json =
    keys === undefined
      ? picked.map((each) => each.inside)
      : Object.fromEntries(picked.map((each) => [keys[each.at] ?? '', each.inside] as const));
  return Object.fromEntries([...shown, ['$sample', inside] as const]);
}
