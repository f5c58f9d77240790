// The shapes of a row of the timeline, in pixels from the left edge of the plot and the top of the row.
import { durationText } from '../../base/quantity.ts';
import type { ShownStatus } from '../phases/shown-status.ts';
import type { TimeAxis } from './time-axis.ts';

/** A stretch from the left to the right, inside of the plot. */
interface WideShape {
  readonly x: number;
  readonly width: number;
}

/**
 * `waits`: it waits for other steps; `queued`: it could begin; `retry`: it waits for another try; `call`: a model call;
 * `critical`: a part of the critical path; `planning`: its planner works; `ground`: the whole time of a phase.
 */
export interface StretchShape extends WideShape {
  readonly shape: 'waits' | 'queued' | 'retry' | 'call' | 'critical' | 'planning' | 'ground';
}

/** A bar of work, or of a question to a person, in the colors of a status; `cut`: it ended without a result or a failure. */
export interface BarShape extends WideShape {
  readonly shape: 'bar';
  readonly status: ShownStatus | 'cut';
}

/** An area of steps at work, or of queued steps. */
interface AreaPathShape {
  readonly shape: 'area';
  readonly of: 'work' | 'queued';
  readonly path: string;
}

export interface MarkShape {
  readonly shape: 'mark';
  readonly of: 'failed' | 'replan' | 'gate';
  readonly x: number;
  /** The number of moments that the mark stands for. */
  readonly count: number;
  /** The first step that the mark stands for. */
  readonly step: string;
}

export interface TextShape {
  readonly shape: 'text';
  readonly x: number;
  readonly anchor: 'start' | 'end';
  readonly text: string;
  readonly tone: 'dim' | 'bad' | 'model' | 'asks';
}

export type RowShape = StretchShape | BarShape | AreaPathShape | MarkShape | TextShape;

/** The mean width of a letter at 11 px. */
const LETTER = 6.3;

/** The part of a stretch inside of the plot, at least `least` wide; undefined if all of it is outside. */
export function clipped(from: number, to: number, width: number, least = 0): WideShape | undefined {
  if (to < 0 || from > width) return undefined;
  const x = Math.min(Math.max(0, from), Math.max(0, width - least));
  return { x, width: Math.max(least, Math.min(width, to) - x) };
}

/** Puts a text behind a stretch, else before it, else at the right edge. */
export function placedText(
  { from, to, width }: { readonly from: number; readonly to: number; readonly width: number },
  text: string,
  tone: TextShape['tone'],
): readonly TextShape[] {
  if (text === '' || to < 0 || from > width) return [];
  const wide = text.length * LETTER;
  if (to + 6 + wide <= width) return [{ shape: 'text', x: Math.max(0, to) + 6, anchor: 'start', text, tone }];
  if (from - 6 - wide >= 0) return [{ shape: 'text', x: from - 6, anchor: 'end', text, tone }];
  const room = Math.floor((width - to - 6) / LETTER);
  const short = room >= 8 ? `${text.slice(0, room - 1)}…` : '';
  return short === '' ? [] : [{ shape: 'text', x: to + 6, anchor: 'start', text: short, tone }];
}

/** An arrow at the edge of the plot, for a row with all of its time outside of the seen part. */
export function outsideText(
  axis: TimeAxis,
  { from, to }: { readonly from: number; readonly to: number },
): readonly TextShape[] {
  const away = (x: number, edge: number): string => durationText(Math.abs(axis.at(x) - edge));
  const { window, width } = axis;
  if (to < 0)
    return [{ shape: 'text', x: 4, anchor: 'start', text: `◂ ${away(to, window.from)} earlier`, tone: 'dim' }];
  if (from <= width) return [];
  return [{ shape: 'text', x: width - 4, anchor: 'end', text: `${away(from, window.to)} later ▸`, tone: 'dim' }];
}
