// The arrow keys: left and right follow the edges, up and down go to the nearest card.

import type { Box } from '../../../view/graph/geometry.ts';
import { go, place } from '../state/place.ts';
import { layout, scene, turn } from './layout-state.ts';
import type { Camera } from './viewport.ts';

const ways: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function walk(event: KeyboardEvent, camera: Camera): void {
  const way = ways[event.key];
  const now = scene.peek();
  const laid = layout.peek();
  if (now === undefined || laid === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
  const at = now.cardOf.get(place.peek().step ?? '') ?? place.peek().step;
  if (event.key === 'Enter' && at !== undefined && now.bands.every(({ id }) => id !== at)) {
    const card = now.cards.find(({ id }) => id === at);
    if (card !== undefined && card.holds > 1) turn(card.id, false);
    return;
  }
  if (way === undefined) return;
  event.preventDefault();
  if (event.shiftKey) {
    camera.isHeld = true;
    return camera.moveBy(-way[0] * 120, -way[1] * 120);
  }
  const from = at === undefined ? undefined : laid.boxes.get(at);
  const next =
    from === undefined
      ? now.cards[0]?.id
      : nearest(
          now.cards.map(({ id }) => id),
          laid.boxes,
          from,
          way,
          at,
        );
  if (next !== undefined) go({ step: next, gate: undefined });
}

/** The nearest card in a direction; a card straight ahead wins over a card to the side. */
function nearest(
  ids: readonly string[],
  boxes: ReadonlyMap<string, Box>,
  from: Box,
  [dx, dy]: readonly [number, number],
  but: string | undefined,
): string | undefined {
  let best: { readonly id: string; readonly far: number } | undefined;
  for (const id of ids) {
    const box = boxes.get(id);
    if (box === undefined || id === but) continue;
    const [x, y] = [box.x - from.x, box.y - from.y];
    const ahead = x * dx + y * dy;
    if (ahead <= 4) continue;
    const aside = Math.abs(x * dy) + Math.abs(y * dx);
    const far = ahead + 2.5 * aside;
    if (best === undefined || far < best.far) best = { id, far };
  }
  return best?.id;
}
