// Records: maps that keep their shape, with each field in its share of the room.
import type { Json, JsonObject } from '../../base/json.ts';
import { allot, type SizedPart } from './allot.ts';
import { moreIn } from './already-shrunk.ts';
import type { ViewFactory } from './guide.ts';
import { fieldGuide, type Guide, leadsTo, rankOf } from './guide.ts';
import { fieldFrame, noLessThan, stretch, type View } from './view.ts';

interface RecordField extends SizedPart {
  readonly name: string;
  readonly rank: number;
}

/** Weights by rank: required fields count double, undeclared ones half. */
const WEIGHT_OF_RANK: readonly number[] = [2, 1, 0.5];
/** The least bytes for a field that is shown first. */
const LEAD_ROOM = 48;

export function recordView(value: JsonObject, guide: Guide, look: ViewFactory): View {
  const before = moreIn(value);
  const written = Object.entries(value).filter(([name]) => name !== '$more' || before === 0);
  const fields = written.map(([name, inside]): RecordField => {
    const below = fieldGuide(guide, name, inside);
    const rank = rankOf(guide, name);
    const weight = below.hints.weight * (WEIGHT_OF_RANK[rank] ?? 1);
    const view = look(inside, below);
    return {
      name,
      rank,
      weight,
      frame: fieldFrame(name),
      view: leadsTo(guide, name) ? noLessThan(view, LEAD_ROOM) : view,
    };
  });
  const moreBytes = before === 0 ? 0 : fieldFrame('$more') + String(before).length;
  const bytes = fields.reduce((sum, { frame, view }) => sum + frame + view.most, 1 + moreBytes);
  const around = 2 + fieldFrame('$more') + String(fields.length + before).length;
  const keepers = fields.filter(({ view }) => view.kept > 0);
  const kept = keepers.reduce((sum, { frame, view }) => sum + frame + view.kept, around);
  // The first field often holds the map's name, so it ranks with the required ones.
  const placeOf = (field: RecordField) => {
    if (field.rank === 0 || field === fields[0]) return 0;
    return leadsTo(guide, field.name) ? 1 : 1 + field.rank;
  };
  const inOrder =
    (guide.leads ?? []).length === 0 ? byRank(fields) : fields.toSorted((a, b) => placeOf(a) - placeOf(b));
  const outline = { $keys: fields.length + before };
  return stretch({
    value,
    bytes,
    outline,
    kept: guide.hints.keep ? bytes : keepers.length === 0 ? 0 : kept,
    between(room) {
      const rooms = allot(inOrder, room - around);
      const shown = new Map<string, Json>();
      inOrder.forEach(({ name, view }, at) => {
        const share = rooms[at];
        if (share !== undefined) shown.set(name, view.show(share));
      });
      if (shown.size === 0) return outline;
      const body = fields.flatMap(({ name }) => {
        const inside = shown.get(name);
        return inside === undefined ? [] : [[name, inside] as const];
      });
      const more = fields.length - shown.size + before;
      return Object.fromEntries(more === 0 ? body : [...body, ['$more', more] as const]);
    },
  });
}

function byRank(fields: readonly RecordField[]): readonly RecordField[] {
  return fields.toSorted((a, b) => a.rank - b.rank);
}
