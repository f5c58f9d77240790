// Short lists: shown item by item, in their order.
import type { Json } from '../../base/json.ts';
import { allotAll, type SizedPart } from './allot.ts';
import type { ViewFactory } from './guide.ts';
import { type Guide, itemGuide } from './guide.ts';
import { sizeOf, stretch, type View } from './view.ts';

export function shortListView(items: readonly Json[], guide: Guide, look: ViewFactory): View {
  const parts = items.map((item, at): SizedPart => {
    const below = itemGuide(guide, at, item);
    return { view: look(item, below), frame: 1, weight: below.hints.weight };
  });
  const bytes = parts.reduce((sum, { view }) => sum + view.most + 1, 1);
  const outline = { $count: items.length };
  const allIn = parts.reduce((sum, { view }) => sum + view.least + 1, 1);
  const kept = parts.reduce((sum, { view }) => sum + Math.max(view.kept, view.least) + 1, 1);
  return stretch({
    value: items,
    bytes,
    outline,
    kept: guide.hints.keep ? bytes : parts.some(({ view }) => view.kept > 0) ? kept : 0,
    between(room) {
      if (room < Math.max(allIn, sizeOf(outline))) return outline;
      const rooms = allotAll(parts, room - 1);
      return parts.map(({ view }, at) => view.show(rooms[at] ?? view.least));
    },
  });
}
