// Applies the edit of an issue to the text of its document, as an editor does.
import type { Mend } from '../../src/base/issue.ts';

export function applyMend(text: string, { edits }: Mend): string {
  const starts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const offset = (line: number, column: number): number => (starts[line - 1] ?? text.length) + column - 1;
  return edits
    .map(({ place, text: replacement }) => ({
      from: offset(place.line, place.column),
      to: offset(place.endLine, place.endColumn),
      replacement,
    }))
    .toSorted((left, right) => right.from - left.from)
    .reduce((mended, { from, to, replacement }) => mended.slice(0, from) + replacement + mended.slice(to), text);
}
