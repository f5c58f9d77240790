// A bar with a part for each status: even a single failure keeps five pixels, and failures stand last.
import { countedSteps, type ShownStatus, type StatusCounts, shownStatuses } from '../../phases/shown-status.ts';
import type { Box } from '../geometry.ts';
import { edgeOf, fillOf, type Pen } from './pen.ts';

const LEAST = 5;

export interface BarPart {
  readonly status: ShownStatus;
  readonly x: number;
  readonly width: number;
}

/** `total`: all steps, also those that are not planned yet at the moment. */
export function barParts(counts: StatusCounts, total: number, width: number): readonly BarPart[] {
  const present = shownStatuses.filter((status) => counts[status] > 0);
  const unplanned = Math.max(0, total - countedSteps(counts));
  const least = Math.min(LEAST, width / Math.max(1, present.length));
  const small = present.filter((status) => (width * counts[status]) / total < least);
  const rest = total - small.reduce((sum, status) => sum + counts[status], 0);
  const free = width - small.length * least;
  let x = 0;
  return present.flatMap((status) => {
    const own = small.includes(status) ? least : (free * counts[status]) / Math.max(1, rest);
    const isLast = status === present.at(-1);
    const at = isLast && unplanned === 0 ? width - own : x;
    x += own;
    return own <= 0 ? [] : [{ status, x: at, width: own }];
  });
}

export function drawBar(pen: Pen, { x, y, width, height }: Box, counts: StatusCounts, total: number): void {
  pen.box({ x, y, width, height }, { radius: 2, fill: 'sunk' });
  for (const part of barParts(counts, total, width)) {
    const isHollow = part.status === 'waiting' || part.status === 'not_run';
    const inset = isHollow ? 0.5 : 0;
    pen.box(
      {
        x: x + part.x + inset,
        y: y + inset,
        width: Math.max(1, part.width - (part.status === 'failed' ? 0 : 1) - 2 * inset),
        height: height - 2 * inset,
      },
      {
        fill: fillOf(part.status),
        ...(isHollow ? { stroke: edgeOf(part.status), width: 1 } : {}),
        ...(part.status === 'not_run' ? { dash: '2 2' } : {}),
      },
    );
  }
}
