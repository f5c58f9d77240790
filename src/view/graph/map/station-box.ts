// The card of a single step of the chain: as large as its place while that is small, and never larger than other cards.
import type { Box } from '../geometry.ts';
import { STEP } from './footprint.ts';

/** `place`: in pixels. The card stands in the middle of it. */
export function stationBox({ x, y, width, height }: Box, scale: number): Box {
  const grown = Math.max(1, scale);
  const [wide, high] = [Math.min(width, STEP.width * grown), Math.min(height, STEP.height * grown)];
  return { x: x + (width - wide) / 2, y: y + (height - high) / 2, width: wide, height: high };
}

/** The part of a group of single steps that its cards take: lines begin and end there. */
export function stationsBox(group: Box, place: Box, scale: number): Box {
  const card = stationBox(place, scale);
  const [side, edge] = [card.x - place.x, card.y - place.y];
  return {
    x: group.x + side,
    y: group.y + edge,
    width: group.width - 2 * side,
    height: group.height - 2 * edge,
  };
}
