// Converts offsets in an expression to lines and columns, in its own text or in the surrounding document.
import type { Place } from '../base/place.ts';

export interface Position {
  readonly line: number;
  readonly column: number;
}

/** Lines and columns count from 1. */
export function positionOf(source: string, offset: number): Position {
  const end = Math.min(offset, source.length);
  let line = 1;
  let lineStart = 0;
  for (let at = 0; at < end; at++) {
    if (source.charCodeAt(at) !== 10) continue;
    line += 1;
    lineStart = at + 1;
  }
  return { line, column: offset - lineStart + 1 };
}

/** A place in the document when the expression's own place is known. */
export function locate(source: string, start: number, end: number, within: Place | undefined): Place {
  const from = shifted(positionOf(source, start), within);
  const to = shifted(positionOf(source, Math.max(start, end)), within);
  return { file: within?.file ?? '', line: from.line, column: from.column, endLine: to.line, endColumn: to.column };
}

function shifted(position: Position, within: Place | undefined): Position {
  if (within === undefined) return position;
  return {
    line: position.line + within.line - 1,
    column: position.line === 1 ? position.column + within.column - 1 : position.column,
  };
}
