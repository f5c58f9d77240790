// The arrow keys: they walk from thing to thing on the map, whatever is drawn at this level.
import { signal } from '@preact/signals';
import type { Box } from '../../../view/graph/geometry.ts';
import type { Level } from '../../../view/graph/map/display-list.ts';
import type { ShownGraph } from '../../../view/graph/map/shown-graph.ts';

/** The step, phase or fold under the keyboard's cursor. */
export const cursor = signal<string | undefined>(undefined);

const ways: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function wayOf(key: string): readonly [number, number] | undefined {
  return ways[key];
}

/** The boxes that a cursor can stand on, in units. */
export function stops({ footprint }: ShownGraph, level: Level): ReadonlyMap<string, Box> {
  if (level !== 'far') return footprint.cells;
  const found = new Map<string, Box>();
  for (const { kind, key, members, box } of footprint.parts) {
    if (kind !== 'steps') found.set(key, box);
    else
      for (const id of members) {
        const cell = footprint.cells.get(id);
        if (cell !== undefined) found.set(id, cell);
      }
  }
  return found;
}

/** The nearest thing in a direction; a thing straight ahead wins over a thing to the side. */
export function nextStop(
  boxes: ReadonlyMap<string, Box>,
  from: Box,
  [dx, dy]: readonly [number, number],
  but: string,
): string | undefined {
  let best: { readonly id: string; readonly far: number } | undefined;
  for (const [id, box] of boxes) {
    if (id === but) continue;
    const x = box.x + box.width / 2 - from.x - from.width / 2;
    const y = box.y + box.height / 2 - from.y - from.height / 2;
    const ahead = x * dx + y * dy;
    if (ahead <= 4) continue;
    const far = ahead + 3 * (Math.abs(x * dy) + Math.abs(y * dx));
    if (best === undefined || far < best.far) best = { id, far };
  }
  return best?.id;
}
