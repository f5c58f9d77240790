// Converts offsets in a text into lines and columns.
import type { Place } from '../../base/place.ts';

export type Locate = (from: number, to: number) => Place;

/** Finds lines by binary search; columns count UTF-16 units, as editors do. */
export function locator(text: string, file: string): Locate {
  const starts = [0];
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
  const position = (offset: number): readonly [line: number, column: number] => {
    let low = 0;
    let high = starts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    return [low + 1, offset - (starts[low] ?? 0) + 1];
  };
  return (from, to) => {
    const [line, column] = position(Math.min(from, text.length));
    const [endLine, endColumn] = position(Math.min(Math.max(to, from), text.length));
    return { file, line, column, endLine, endColumn };
  };
}
