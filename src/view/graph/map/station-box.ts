// The card of a single step of the chain: as large as its place while that is small, and never larger than other cards.
import type { Box } from '../geometry.ts';
import { STEP } from './footprint.ts';

/** `place`: in pixels. The card stands at the top of it, in the middle. */
export function stationBox({ x, y, width, height }: Box, scale: number): Box {
  const grown = Math.max(1, scale);
  const [wide, high] = [Math.min(width, STEP.width * grown), Math.min(height, STEP.height * grown)];
  return { x: x + (width - wide) / 2, y, width: wide, height: high };
}

/** The part of a group of single steps that its cards take: lines begin and end there. */
export function stationsBox(group: Box, place: Box, scale: number): Box {
  const card = stationBox(place, scale);
  const side = card.x - place.x;
  return {
    x: group.x + side,
    y: group.y,
    width: group.width - 2 * side,
    height: group.height - place.height + card.height,
  };
}
