// Sizes and places in a drawing of a graph, without the libraries that lay it out.

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Box extends Point, Size {}

/** The size of a step's card. */
export const CARD: Size = { width: 196, height: 58 };

export function edgeKey(from: string, to: string): string {
  return `${from} → ${to}`;
}
