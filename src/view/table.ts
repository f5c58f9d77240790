// Prints rows of cells as lines with aligned columns.
import { defined } from '../base/json.ts';
import { type Cell, columnsOf, type Line, type Span } from './line.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'right';
  /** The column is never broken, however narrow the screen. */
  readonly whole?: true;
}

/** Columns are two spaces apart; the last column is not padded. */
export function table(columns: readonly Column[], rows: readonly (readonly Span[])[]): readonly Line[] {
  const titles = columns.map(({ title }): Span => ({ text: title, tone: 'dim' }));
  const all = [titles, ...rows];
  const cells = columns.map((column, index) =>
    cellOf(
      column,
      all.map((row) => row[index]?.text ?? ''),
    ),
  );
  return all.map((row) =>
    cells.flatMap((cell, index) => {
      const each = { ...(row[index] ?? { text: '' }), cell };
      const last = index === columns.length - 1;
      const fill = ' '.repeat(cell.width - columnsOf(each.text));
      const gap = index === 0 ? '' : '  ';
      return cell.align === 'right' ? [{ text: gap + fill }, each] : [{ text: gap }, each, { text: last ? '' : fill }];
    }),
  );
}

function cellOf({ align, whole }: Column, texts: readonly string[]): Cell {
  const widest = (parts: readonly string[]): number => parts.reduce((most, part) => Math.max(most, columnsOf(part)), 0);
  const width = widest(texts);
  const least = whole ? width : widest(texts.flatMap((text) => text.match(/^\s*\S+|\S+/g) ?? []));
  return { width, least, ...defined({ align }) };
}
