// A document as read: plain JSON, and where each part of it stands in the text.
import type { Issue, PathPart } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import type { Place } from '../../base/place.ts';

export interface DocumentTree {
  readonly file: string;
  readonly value: Json;
  readonly lines: readonly string[];
  /** Where the value at a path stands, or its key; when there is no such part, where the nearest one above it does. */
  placeOf(path: readonly PathPart[], part?: 'key' | 'value'): Place;
}

/** The result of a parser: a tree, unless nothing can be read, and all issues. */
export interface ParsedDocument {
  readonly tree?: DocumentTree;
  /** The text, line by line, for carets. */
  readonly lines: readonly string[];
  readonly issues: readonly Issue[];
}

/** Characters; a file beyond it is refused unread. */
export const MAX_SOURCE = 4_000_000;

/** How deep lists and maps may stand in each other. */
export const MAX_NESTING = 200;

export function linesOf(text: string): readonly string[] {
  return text.split(/\r\n|\n|\r/);
}
