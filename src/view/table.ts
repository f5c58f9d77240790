// Rows of cells as lines whose columns stand under each other.
import { type Line, type Span, widthOf } from './line.ts';

export interface Column {
  readonly title: string;
  readonly align?: 'right';
}

/** Two spaces between columns; the last one is not filled. */
export function table(columns: readonly Column[], rows: readonly (readonly Span[])[]): readonly Line[] {
  const titles = columns.map(({ title }): Span => ({ text: title, tone: 'dim' }));
  const all = [titles, ...rows];
  const widths = columns.map((_, index) => Math.max(...all.map((row) => cellWidth(row[index]))));
  return all.map((row) =>
    columns.flatMap(({ align }, index) => {
      const cell = row[index] ?? { text: '' };
      const last = index === columns.length - 1;
      const fill = ' '.repeat((widths[index] ?? 0) - cellWidth(cell));
      const gap = index === 0 ? '' : '  ';
      return align === 'right' ? [{ text: gap + fill }, cell] : [{ text: gap }, cell, { text: last ? '' : fill }];
    }),
  );
}

function cellWidth(cell: Span | undefined): number {
  return cell === undefined ? 0 : widthOf([cell]);
}
