// The line of an edge: from the right side of one box to the left of another.
import type { Box, Point } from './geometry.ts';

interface Curve {
  /** As an SVG path says it. */
  readonly path: string;
  /** Where it is: what is off the screen is not drawn. */
  readonly box: Box;
}

const LEAST_BEND = 24;
/** How far beside what it leads to a line between rows runs. */
const ASIDE = 28;

/** Through what lies between. */
export function curve(from: Box, to: Box, way: readonly Point[]): Curve {
  const points = [startOf(from), ...(way.length > 1 ? way : []), endOf(to)];
  const parts = points.slice(1).map((point, index) => {
    const before = points[index] ?? point;
    const bend = Math.max(LEAST_BEND, Math.abs(point.x - before.x) / 2);
    return `C${at(before.x + bend, before.y)} ${at(point.x - bend, point.y)} ${at(point.x, point.y)}`;
  });
  const [start = startOf(from)] = points;
  return { path: `M${at(start.x, start.y)}${parts.join('')}`, box: around(points) };
}

/** From one row to a later one: out, along the lane above that row, and in. */
export function turnaround(from: Box, to: Box, lane: number): Curve {
  const [start, end] = [startOf(from), endOf(to)];
  const [out, back] = [start.x + ASIDE, end.x - ASIDE];
  const points = [start, { x: out, y: start.y }, { x: out, y: lane }, { x: back, y: lane }, { x: back, y: end.y }, end];
  return { path: `M${points.map(({ x, y }) => at(x, y)).join('L')}`, box: around(points) };
}

function startOf({ x, y, width, height }: Box): Point {
  return { x: x + width, y: y + height / 2 };
}

function endOf({ x, y, height }: Box): Point {
  return { x, y: y + height / 2 };
}

function around(points: readonly Point[]): Box {
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs) - LEAST_BEND, Math.min(...ys)];
  return { x: left, y: top, width: Math.max(...xs) + LEAST_BEND - left, height: Math.max(...ys) - top };
}

function at(x: number, y: number): string {
  return `${Math.round(x * 10) / 10} ${Math.round(y * 10) / 10}`;
}
