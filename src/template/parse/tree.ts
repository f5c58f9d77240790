// A parsed document: plain JSON, and the place of each part in the text.
import type { Issue, PathPart } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import type { Place } from '../../base/place.ts';

export interface DocumentTree {
  readonly file: string;
  readonly value: Json;
  readonly lines: readonly string[];
  /** The place of the value at a path, or of its key; for a missing part, the place of the nearest part above. */
  placeOf(path: readonly PathPart[], part?: 'key' | 'value'): Place;
}

/** The result of a parser: all issues, and a tree unless the text is unreadable. */
export interface ParsedDocument {
  readonly tree?: DocumentTree;
  /** The lines of the text, for carets. */
  readonly lines: readonly string[];
  readonly issues: readonly Issue[];
}

/** The most characters of a file. */
export const MAX_SOURCE = 4_000_000;

/** The deepest nesting of lists and maps. */
export const MAX_NESTING = 200;

export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/);
}
