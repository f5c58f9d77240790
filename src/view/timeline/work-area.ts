// The area of steps at work over time, with the queued ones: the mean number of steps in each bucket of pixels.
import type { Instant } from '../../base/quantity.ts';
import type { StepTimes } from '../times/step-times.ts';
import type { TimeAxis } from './time-axis.ts';

export interface WorkArea {
  /** The left edge in pixels. */
  readonly x: number;
  /** The width of one bucket in pixels. */
  readonly bucket: number;
  /** The mean number of steps in each bucket. */
  readonly atWork: Float32Array;
  readonly queued: Float32Array;
}

/** A stretch of the axis in pixels. */
export interface PixelRange {
  readonly from: number;
  readonly to: number;
}

/** Counts only up to the moment `until`; attempts and queues that are open reach to it. */
export function workArea(
  steps: Iterable<StepTimes>,
  axis: TimeAxis,
  { from, to }: PixelRange,
  until: Instant,
  bucket: number,
): WorkArea {
  const count = Math.max(1, Math.ceil((to - from) / bucket));
  const atWork = new Float32Array(count);
  const queued = new Float32Array(count);
  const add = (values: Float32Array, began: Instant, ended: Instant): void => {
    const end = Math.min(ended, until);
    if (end <= began) return;
    const first = Math.max(0, (axis.x(began) - from) / bucket);
    const last = Math.min(count, (axis.x(end) - from) / bucket);
    for (let index = Math.floor(first); index < last; index++)
      values[index] = (values[index] ?? 0) + Math.min(index + 1, last) - Math.max(index, first);
  };
  for (const { ready, began, ended, attempts } of steps) {
    if (ready !== undefined) add(queued, ready, began ?? ended ?? until);
    for (const attempt of attempts) add(atWork, attempt.began, attempt.ended ?? until);
  }
  return { x: from, bucket, atWork, queued };
}

export interface AreaShape {
  /** The y of the number 0. */
  readonly bottom: number;
  readonly top: number;
  /** Pixels of one step. */
  readonly unit: number;
}

/** The path of the values, on top of other values; steps of equal height are one line. */
export function areaPath(
  { x, bucket }: Pick<WorkArea, 'x' | 'bucket'>,
  values: Float32Array,
  { bottom, top, unit }: AreaShape,
  below?: Float32Array,
): string {
  // Work that is there at all can be seen.
  const heightOf = (value: number): number => (value <= 0 ? 0 : Math.max(1, value * unit));
  const yOf = (index: number): number => {
    const base = below === undefined ? 0 : heightOf(below[index] ?? 0);
    return Math.max(top, bottom - base - heightOf(values[index] ?? 0));
  };
  let path = `M${round(x)} ${round(bottom)}`;
  let last = bottom;
  for (let index = 0; index < values.length; index++) {
    const y = yOf(index);
    if (Math.abs(y - last) >= 0.25) path += `H${round(x + index * bucket)}V${round(y)}`;
    if (Math.abs(y - last) >= 0.25) last = y;
  }
  return `${path}H${round(x + values.length * bucket)}V${round(bottom)}z`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
