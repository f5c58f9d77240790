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

/** The band around each card and band. */
export type SurroundingBands = ReadonlyMap<string, string | undefined>;

/** The card or band itself, the band around it, and so on to the outermost. */
export function bandsAround(around: SurroundingBands, id: string | undefined): string[] {
  const found: string[] = [];
  for (let at = id; at !== undefined; at = around.get(at)) found.push(at);
  return found;
}
