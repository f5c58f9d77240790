// Lines: as many items from the start of a list as there is room for, and the number of the others.
import type { Json } from '../../base/json.ts';
import { allot, type SizedPart } from './allot.ts';
import { sizeOf, type View } from './view.ts';

export interface Lines {
  /** The room that shows all lines. */
  readonly most: number;
  show(room: number): readonly Json[];
}

/** `dropped` is the number of lines that an earlier shrinking left out. */
export function linesView(lines: readonly View[], dropped = 0): Lines {
  const parts = lines.map((view): SizedPart => ({ view, frame: 1, weight: 1 }));
  const most = lines.reduce((sum, view) => sum + view.most + 1, 1);
  const around = sizeOf([{ $more: lines.length + dropped }]) + 1;
  return {
    most: Math.max(2, most),
    show(room) {
      if (room >= most) return lines.map((view) => view.show(view.most));
      const rooms = allot(parts, room - around);
      const shown = parts.flatMap(({ view }, at) => {
        const share = rooms[at];
        return share === undefined ? [] : [view.show(share)];
      });
      const more = lines.length - shown.length + dropped;
      return more === 0 ? shown : [...shown, { $more: more }];
    },
  };
}
