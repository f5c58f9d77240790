// Shrinks values that were shrunk before: counts still describe the original, and `$more` adds up.
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { allot, type SizedPart } from './allot.ts';
import type { ViewFactory } from './guide.ts';
import { fieldGuide, type Guide } from './guide.ts';
import { linesView } from './lines.ts';
import { fieldFrame, fixed, sizeOf, stretch, type View } from './view.ts';

/** The count of `{"$count": 1840, …}` or `{"$keys": 12, …}`, as an object with that one field. */
export function countIn(value: JsonObject): JsonObject | undefined {
  for (const mark of ['$count', '$keys']) {
    const count = Object.hasOwn(value, mark) ? value[mark] : undefined;
    if (typeof count === 'number') return { [mark]: count };
  }
  return undefined;
}

/** The number of fields that an earlier shrinking left out. */
export function moreIn(value: JsonObject): number {
  return typeof value.$more === 'number' ? value.$more : 0;
}

interface ShrunkField extends SizedPart {
  readonly name: string;
}

/** Keeps the order of the earlier digest: count, column summaries, names, sample. */
export function countedView(value: JsonObject, outline: JsonObject, guide: Guide, look: ViewFactory): View {
  const fields = Object.entries(value)
    .filter(([name]) => !Object.hasOwn(outline, name))
    .map(([name, inside]): ShrunkField => {
      const view =
        name === '$sample' || name === '$names'
          ? someView(inside, guide, look)
          : look(inside, fieldGuide(guide, name, inside));
      return { name, view, frame: fieldFrame(name), weight: 1 };
    });
  return stretch({
    value,
    bytes: sizeOf(value),
    outline,
    kept: 0,
    between(room) {
      const rooms = allot(fields, room - sizeOf(outline));
      const shown = fields.flatMap(({ name, view }, at) => {
        const share = rooms[at];
        return share === undefined ? [] : [[name, view.show(share)] as const];
      });
      return Object.fromEntries([...Object.entries(outline), ...shown]);
    },
  });
}

/** As many names or sample items as there is room for; the count beside them still tells the original number. */
function someView(value: Json, guide: Guide, look: ViewFactory): View {
  if (!isJsonArray(value)) return isJsonObject(value) ? someOf(value, guide, look) : fixed(value);
  const last = value.at(-1);
  const dropped = isJsonObject(last) ? moreIn(last) : 0;
  const items = dropped > 0 ? value.slice(0, -1) : value;
  const lines = linesView(
    items.map((item) => look(item, guide)),
    dropped,
  );
  const bytes = sizeOf(value);
  return stretch({
    value,
    bytes,
    outline: [],
    kept: 0,
    between(room) {
      const shown = lines.show(room);
      return sizeOf(shown) <= room ? shown : [];
    },
  });
}

function someOf(value: JsonObject, guide: Guide, look: ViewFactory): View {
  const fields = Object.entries(value).map(([name, inside]): ShrunkField => {
    return { name, view: look(inside, fieldGuide(guide, name, inside)), frame: fieldFrame(name), weight: 1 };
  });
  return stretch({
    value,
    bytes: sizeOf(value),
    outline: {},
    kept: 0,
    between(room) {
      const rooms = allot(fields, room - 1);
      return Object.fromEntries(
        fields.flatMap(({ name, view }, at) => {
          const share = rooms[at];
          return share === undefined ? [] : [[name, view.show(share)] as const];
        }),
      );
    },
  });
}
