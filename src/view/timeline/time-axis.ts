// The time axis that all rows, lanes and marks share: from times to pixels and back, with shortened idle stretches.
import { type Duration, durationText, type Instant } from '../../base/quantity.ts';
import type { IdleStretch } from './idle-stretches.ts';

/** A shortened stretch, in pixels. */
interface ShortenedGap extends IdleStretch {
  readonly x: number;
  readonly width: number;
}

/** The part of the time that is seen. */
export interface TimeWindow {
  readonly from: Instant;
  readonly to: Instant;
}

export interface TimeAxis {
  readonly from: Instant;
  readonly to: Instant;
  readonly window: TimeWindow;
  /** In pixels. */
  readonly width: number;
  readonly gaps: readonly ShortenedGap[];
  /** Pixels of one millisecond outside of gaps. */
  readonly scale: number;
  /** Times before and after the window lie outside of 0 and the width. */
  x(at: Instant): number;
  at(x: number): Instant;
}

interface AxisRequest {
  readonly from: Instant;
  readonly to: Instant;
  readonly width: number;
  /** The stretches to shorten, in order. */
  readonly short?: readonly IdleStretch[];
  /** In pixels. */
  readonly gapWidth?: number;
  /** Absent: all of the time. */
  readonly window?: TimeWindow | undefined;
}

/** A stretch of time with one scale. */
interface Segment {
  readonly from: Instant;
  readonly to: Instant;
  readonly gap?: IdleStretch;
}

export function timeAxis({ from, to: last, width, short = [], gapWidth = 44, window }: AxisRequest): TimeAxis {
  const to = Math.max(last, from + 1);
  const seen = window ?? { from, to };
  const segments = segmentsOf(from, to, short);
  const inside = (each: Segment): number =>
    Math.max(0, Math.min(each.to, seen.to) - Math.max(each.from, seen.from)) / (each.to - each.from);
  let [active, gapped] = [0, 0];
  for (const each of segments) {
    if (each.gap === undefined) active += inside(each) * (each.to - each.from);
    else gapped += inside(each) * gapWidth;
  }
  const scale = Math.max(0, width - gapped) / Math.max(1, active);
  const widthOf = (each: Segment): number => (each.gap === undefined ? (each.to - each.from) * scale : gapWidth);
  const starts: number[] = [];
  let end = 0;
  for (const each of segments) {
    starts.push(end);
    end += widthOf(each);
  }
  const place = (at: Instant): number => {
    const index = Math.max(
      0,
      segments.findLastIndex((each) => each.from <= at),
    );
    const segment = segments[index];
    if (segment === undefined) return 0;
    return (starts[index] ?? 0) + ((at - segment.from) / (segment.to - segment.from)) * widthOf(segment);
  };
  const left = place(seen.from);
  return {
    from,
    to,
    window: seen,
    width,
    scale,
    gaps: segments.flatMap(({ gap }, index) =>
      gap === undefined ? [] : [{ ...gap, x: (starts[index] ?? 0) - left, width: gapWidth }],
    ),
    x: (at) => place(at) - left,
    at: (x) => {
      const index = Math.max(
        0,
        starts.findLastIndex((start) => start <= x + left),
      );
      const segment = segments[index];
      if (segment === undefined) return from;
      const share = (x + left - (starts[index] ?? 0)) / Math.max(1e-9, widthOf(segment));
      return Math.min(to, Math.max(from, segment.from + share * (segment.to - segment.from)));
    },
  };
}

function segmentsOf(from: Instant, to: Instant, short: readonly IdleStretch[]): readonly Segment[] {
  const segments: Segment[] = [];
  let at = from;
  for (const gap of short) {
    if (gap.from > at) segments.push({ from: at, to: gap.from });
    segments.push({ from: gap.from, to: gap.to, gap });
    at = gap.to;
  }
  if (to > at || segments.length === 0) segments.push({ from: at, to: Math.max(to, at + 1) });
  return segments;
}

export interface Tick {
  readonly at: Instant;
  readonly x: number;
  /** Time since the beginning of the run, or since the last shortened gap. */
  readonly text: string;
}

const STEPS: readonly Duration[] = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500].flatMap((each) => [each]),
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1_000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 3, 6, 12, 24, 48, 168].map((hours) => hours * 3_600_000),
];

/** Ticks at round times, at least `apart` pixels from each other, from gaps and from the right edge. */
export function ticksOf(axis: TimeAxis, apart: number): readonly Tick[] {
  const step = STEPS.find((each) => each * axis.scale >= apart) ?? STEPS.at(-1) ?? 1;
  const starts = [
    { at: axis.from, x: axis.x(axis.from) },
    ...axis.gaps.map(({ to, x, width }) => ({ at: to, x: x + width })),
  ];
  return starts.flatMap((start, index) => {
    const next = axis.gaps[index];
    const end = next === undefined ? Math.min(axis.to, axis.window.to) : Math.min(next.from, axis.window.to);
    const first = Math.max(index === 0 ? 0 : 1, Math.ceil((axis.window.from - start.at) / step));
    const ticks: Tick[] = [];
    for (let count = first; start.at + count * step <= end; count++) {
      const at = start.at + count * step;
      const x = axis.x(at);
      if (next !== undefined && next.x - x < apart / 2) break;
      ticks.push({ at, x, text: textOf(count * step, index > 0) });
    }
    return ticks;
  });
}

function textOf(since: Duration, isAfterGap: boolean): string {
  if (since === 0) return '0';
  return isAfterGap ? `+${durationText(since)}` : durationText(since);
}
