// Breaks long lines between words, and indents their continuation.
import { type Cell, columnsOf, type Line, plainText, type Span, widthOf } from './line.ts';

/** The least width of an indented continuation; a narrower one starts at the left. */
const NARROW = 20;
/** Spaces between the columns of a table. */
const GAP = 2;
/** The indent of a cell below its row. */
const UNDER = '    ';

/** Breaks a line that does not fit. A word longer than a line stays whole. */
export function wrap(line: Line, columns: number): readonly Line[] {
  if (!Number.isFinite(columns)) return [line];
  const cells = line.flatMap((each) => (each.cell === undefined ? [] : [{ ...each, cell: each.cell }]));
  if (cells.length > 0) return wrapCells(cells, columns);
  return widthOf(line) <= columns ? [line] : wrapWords(line, columns, hangOf(line, columns));
}

function hangOf(line: Line, columns: number): number {
  const indent = plainText(line).search(/\S|$/);
  const index = line.findIndex(({ hangs }) => hangs);
  const hang = index < 0 ? indent + 2 : widthOf(line.slice(0, index));
  const most = columns - Math.min(NARROW, columns / 2);
  return Math.floor(hang <= most ? hang : Math.min(indent + 2, most));
}

/** A word with the spaces before it. */
interface Word {
  readonly space: string;
  readonly parts: readonly Span[];
}

function wrapWords(line: Line, columns: number, hang: number): readonly Line[] {
  const lines: Line[] = [];
  let current: Span[] = [];
  let isBegun = false;
  for (const { space, parts } of wordsOf(line)) {
    if (isBegun && widthOf([...current, { text: space }, ...parts]) > columns) {
      lines.push(current);
      current = [{ text: ' '.repeat(hang) }, ...parts];
    } else current.push({ text: space }, ...parts);
    isBegun = true;
  }
  return [...lines, current];
}

/** A word may consist of several spans without spaces between them. */
function wordsOf(line: Line): readonly Word[] {
  const words: { space: string; parts: Span[] }[] = [];
  let isOpen = false;
  for (const each of line) {
    const pieces = each.whole ? [each.text] : each.text.split(/(\s+)/).filter((piece) => piece !== '');
    for (const piece of pieces) {
      const isSpace = /^\s+$/.test(piece);
      const last = words.at(-1);
      if (isSpace)
        words.push({ space: last !== undefined && last.parts.length === 0 ? last.space + piece : piece, parts: [] });
      else if (last !== undefined && (isOpen || last.parts.length === 0)) last.parts.push({ ...each, text: piece });
      else words.push({ space: '', parts: [{ ...each, text: piece }] });
      isOpen = !isSpace;
    }
  }
  return words.filter(({ parts }) => parts.length > 0);
}

type Cells = readonly (Span & { readonly cell: Cell })[];

/** Wraps the cells of a row; a cell that does not fit goes below. */
function wrapCells(cells: Cells, columns: number): readonly Line[] {
  const widths = narrowed(cells, columns - GAP * (cells.length - 1));
  if (widths !== undefined) return wrapRow(cells, widths);
  const last = cells.at(-1);
  if (last === undefined || cells.length === 1) return [cells];
  const rest = wrapCells(cells.slice(0, -1), columns);
  if (last.text === '') return rest;
  const { cell: _, ...under } = last;
  return [...rest, ...wrap([{ text: UNDER }, { ...under, hangs: true }], columns)];
}

/** The widths of the columns, equal for each row; undefined if the longest words alone do not fit. */
function narrowed(cells: Cells, columns: number): readonly number[] | undefined {
  const all = cells.map(({ cell }) => cell);
  const under = (cap: number): readonly number[] =>
    all.map(({ width, least }) => Math.min(width, Math.max(cap, least)));
  for (let cap = Math.max(...all.map(({ width }) => width)); cap >= 0; cap--) {
    const widths = under(cap);
    if (widths.reduce((sum, width) => sum + width, 0) <= columns) return widths;
  }
  return undefined;
}

function wrapRow(cells: Cells, widths: readonly number[]): readonly Line[] {
  const columns = cells.map((cell, index) => {
    const width = widths[index] ?? cell.cell.width;
    if (columnsOf(cell.text) <= width) return [[cell]];
    const indent = cell.text.search(/\S|$/);
    return wrapWords([cell], width, index === 0 ? Math.min(indent + 2, width - cell.cell.least + indent) : 0);
  });
  const height = Math.max(...columns.map(({ length }) => length));
  return Array.from({ length: height }, (_, row) =>
    columns.flatMap((lines, index) => {
      const line = lines[row] ?? [];
      const fill = { text: ' '.repeat(Math.max(0, (widths[index] ?? 0) - widthOf(line))) };
      const gap = index === 0 ? [] : [{ text: ' '.repeat(GAP) }];
      return cells[index]?.cell.align === 'right' ? [...gap, fill, ...line] : [...gap, ...line, fill];
    }),
  );
}
