// Collects the shapes and labels of one thing.
import type { ShownStatus } from '../../phases/shown-status.ts';
import type { Box } from '../geometry.ts';
import { type DrawnThing, fitted, type Label, type Paint, type Shape, type TextWidth } from './display-list.ts';

/** Smaller text cannot be read, so it is never drawn. */
const LEAST_SIZE = 10;
/** A name that is cut shorter says too little. */
export const LEAST_NAME = 8;

interface TextOptions {
  readonly size: number;
  readonly paint: Paint;
  readonly on: Paint;
  readonly part?: Label['part'];
  readonly bold?: true;
  readonly anchor?: Label['anchor'];
  /** The free width; a longer text is cut. */
  readonly room?: number;
  /** A text that would be cut to fewer letters is not drawn; default 1. */
  readonly least?: number;
}

export interface Pen {
  readonly shapes: Shape[];
  readonly labels: Label[];
  readonly widthOf: TextWidth;
  box(box: Box, how: Omit<Extract<Shape, { kind: 'box' }>, 'kind' | 'box'>): void;
  line(path: string, how: Omit<Extract<Shape, { kind: 'line' }>, 'kind' | 'path'>): void;
  /** The width that the text takes; 0 if it has no room. */
  text(text: string, x: number, y: number, options: TextOptions): number;
  thing(facts: Omit<DrawnThing, 'shapes' | 'labels'>): DrawnThing;
}

export function createPen(widthOf: TextWidth): Pen {
  const shapes: Shape[] = [];
  const labels: Label[] = [];
  return {
    shapes,
    labels,
    widthOf,
    box: (box, how) => shapes.push({ kind: 'box', box, ...how }),
    line: (path, how) => shapes.push({ kind: 'line', path, ...how }),
    text(full, x, y, { size, paint, on, part = 'detail', bold, anchor = 'start', room, least }) {
      const isBold = bold === true;
      const text = room === undefined ? full : fitted(full, room, size, isBold, widthOf, least);
      if (text === undefined || text === '' || size < LEAST_SIZE) return 0;
      const width = widthOf(text, size, isBold);
      const left = anchor === 'start' ? x : anchor === 'end' ? x - width : x - width / 2;
      const box = { x: left, y: y - size * 0.8, width, height: size };
      labels.push({ text, full, part, x, y, size, ...(isBold ? { bold } : {}), anchor, paint, on, box });
      return width;
    },
    thing: (facts) => ({ ...facts, shapes, labels }),
  };
}

/** `not-run` of `not_run`, as in the names of CSS variables. */
function cssName(status: ShownStatus): string {
  return status.replace('_', '-');
}

export function fillOf(status: ShownStatus): Paint {
  return `status-${cssName(status)}-fill`;
}

export function inkOf(status: ShownStatus): Paint {
  return `status-${cssName(status)}-text`;
}

export function edgeOf(status: ShownStatus): Paint {
  return `status-${cssName(status)}-edge`;
}

/** The color of text about a status on a sheet. */
export function toneOf(status: ShownStatus): Paint {
  return status === 'waiting' || status === 'not_run' || status === 'replaced' ? 'dim' : edgeOf(status);
}
