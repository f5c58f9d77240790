// Folding: phases, steps and every other part of several lines, blocks of comments, and the lines of a text in a block.
import { type FoldingRange, FoldingRangeKind } from 'vscode-languageserver';
import { entryOf, type OutlineNode } from '../../../template/parse/outline.ts';
import type { AnalyzedDocument } from '../analyzed-document.ts';
import { endOfPhase } from './document-symbols.ts';

export function foldingRanges(document: AnalyzedDocument): readonly FoldingRange[] {
  const { outline, text } = document;
  const lineAt = (offset: number): number => text.positionAt(offset).line;
  /** The last line of each range by its first: editors keep one range for a line. */
  const ranges = new Map<number, number>();
  const fold = (from: number, node: OutlineNode): void => {
    const start = lineAt(from);
    const end = lineAt(endOf(outline.text, node));
    if (end > start) ranges.set(start, Math.max(end, ranges.get(start) ?? 0));
  };
  const visit = (node: OutlineNode): void => {
    if (node.kind === 'map') {
      for (const { keySpan, value } of node.entries) {
        fold(keySpan.from, value);
        visit(value);
      }
    } else if (node.kind === 'list') {
      for (const item of node.items) {
        fold(item.from, item);
        visit(item);
      }
    }
  };
  visit(outline.root);
  const steps = entryOf(outline.root, 'steps')?.value;
  const items = steps?.kind === 'list' ? steps.items : [];
  for (const [index, step] of items.entries()) {
    const last = items[endOfPhase(items, index)];
    if (last !== undefined && last !== step) fold(step.from, last);
  }
  return [
    ...[...ranges].map(([startLine, endLine]) => ({ startLine, endLine })),
    ...comments(outline.text.split(/\r\n|\n|\r/)),
  ].toSorted((one, other) => one.startLine - other.startLine);
}

/** The end of the last character that is no blank. */
function endOf(text: string, { from, to }: OutlineNode): number {
  return from + text.slice(from, to).trimEnd().length;
}

/** Two or more lines of comments in a row. */
function comments(lines: readonly string[]): readonly FoldingRange[] {
  const found: FoldingRange[] = [];
  for (let line = 0; line < lines.length; line++) {
    let end = line;
    while (/^\s*#/.test(lines[end] ?? '')) end += 1;
    if (end - line > 1) found.push({ startLine: line, endLine: end - 1, kind: FoldingRangeKind.Comment });
    line = Math.max(line, end - 1);
  }
  return found;
}
