// Prints a report as Markdown; data cannot break out of its paragraph or cell.
import { cellsOf, printed, type ReportSection, type ReportTable } from './report-section.ts';

/** Keeps Markdown in paragraphs, and escapes HTML. */
export function markdown(title: string, sections: readonly ReportSection[]): string {
  const blocks = [`# ${inline(title)}`, ...sections.flatMap(sectionBlocks)];
  return `${blocks.join('\n\n')}\n`;
}

function sectionBlocks({ heading, level = 2, text, list, table }: ReportSection): readonly string[] {
  return [
    ...(heading === undefined ? [] : [`${'#'.repeat(level)} ${inline(heading)}`]),
    ...(text === undefined ? [] : [text].flat().map(paragraph)),
    ...(list === undefined || list.length === 0 ? [] : [list.map((item) => `- ${inline(printed(item))}`).join('\n')]),
    ...(table === undefined || table.rows.length === 0 ? [] : [tableBlock(table)]),
  ];
}

function tableBlock(table: ReportTable): string {
  const { columns } = table;
  const line = (cells: readonly string[]): string => `| ${cells.map(inline).join(' | ')} |`;
  return [line(columns), `|${columns.map(() => ' --- |').join('')}`, ...cellsOf(table).map(line)].join('\n');
}

function paragraph(text: string): string {
  return text.trim().replaceAll('<', '&lt;');
}

/** Escapes Markdown and HTML, and joins lines into one. */
function inline(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.replaceAll(/[\\`*|[\]]/g, '\\$&').replaceAll('<', '&lt;');
}
