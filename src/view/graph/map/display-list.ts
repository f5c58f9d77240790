// The display list of a graph: shapes and labels at one camera, in pixels, so that painters are thin and tests can read it.
import type { ShownStatus } from '../../phases/shown-status.ts';
import type { Box } from '../geometry.ts';

/** A color by its role: the name of a CSS variable without `--`, such as `sheet` or `status-failed-fill`; `clear` is transparent. */
export type Paint = string;

/** Pixel of a point of the map: `x * scale + camera.x`. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

/** far: blocks; middle: cells; near: cards. */
export type Level = 'far' | 'middle' | 'near';

export type Shape =
  | {
      readonly kind: 'box';
      readonly box: Box;
      readonly radius?: number;
      readonly fill?: Paint;
      readonly stroke?: Paint;
      readonly width?: number;
      readonly dash?: string;
    }
  | {
      readonly kind: 'line';
      /** The `d` of an SVG path. */
      readonly path: string;
      readonly stroke: Paint;
      readonly width: number;
      readonly dash?: string;
      readonly arrow?: true;
    };

export interface Label {
  /** The text as drawn, perhaps cut at its end. */
  readonly text: string;
  /** The text before it was cut. */
  readonly full: string;
  /** name: of a step or phase; detail: times, costs and counts; glyph: a status. */
  readonly part: 'name' | 'detail' | 'glyph';
  readonly x: number;
  /** The baseline. */
  readonly y: number;
  readonly size: number;
  readonly bold?: true;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly paint: Paint;
  /** The color behind it. */
  readonly on: Paint;
  readonly box: Box;
}

/** Everything that is drawn for one step, phase, fold or group of lines, in the order of painting. */
export interface DrawnThing {
  readonly kind: 'lines' | 'frame' | 'block' | 'header' | 'fold' | 'cell' | 'card' | 'sticky';
  /** The step, the planner of the phase, or the first phase of a fold; empty for lines. */
  readonly id: string;
  readonly box: Box;
  readonly status?: ShownStatus;
  /** The accessible name. */
  readonly name?: string;
  readonly shapes: readonly Shape[];
  readonly labels: readonly Label[];
}

export interface DisplayList {
  readonly camera: Camera;
  readonly level: Level;
  readonly things: readonly DrawnThing[];
}

/** The width of a text in pixels. */
export type TextWidth = (text: string, size: number, bold: boolean) => number;

/** An estimate for sans-serif fonts, rather too wide than too narrow. */
export function estimatedWidth(text: string, size: number, bold: boolean): number {
  let width = 0;
  for (const letter of text) {
    if (/[ijl.,:;|!'·]/.test(letter)) width += 0.34;
    else if (/[ftr()[\]\- ]/.test(letter)) width += 0.42;
    else if (/[mwMW@%✓✗▶↻⋯⟲▣]/.test(letter)) width += 0.92;
    else if (/[A-Z]/.test(letter)) width += 0.72;
    else width += 0.62;
  }
  return width * size * (bold ? 1.1 : 1);
}

/** Cuts a text at its end; undefined if not even `least` letters have room. */
export function fitted(
  text: string,
  room: number,
  size: number,
  bold: boolean,
  widthOf: TextWidth,
  least = 1,
): string | undefined {
  if (widthOf(text, size, bold) <= room) return text;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (widthOf(`${text.slice(0, middle)}…`, size, bold) <= room) low = middle;
    else high = middle - 1;
  }
  return low < least ? undefined : `${text.slice(0, low)}…`;
}
