// Prints titles, paragraphs, lists and tables as Markdown, with data that cannot break out of its place.
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';

export interface Section {
  readonly heading?: string;
  /** 2 to 6; default 2. */
  readonly level?: number;
  /** One paragraph, or several; Markdown is kept, HTML is not. */
  readonly text?: string | readonly string[];
  readonly list?: readonly Json[];
  readonly table?: Table;
}

interface Table {
  readonly columns: readonly string[];
  /** Lists in the order of the columns, or maps by column; a cell that is missing stays empty. */
  readonly rows: readonly (readonly Json[] | JsonObject)[];
}

export function markdown(title: string, sections: readonly Section[]): string {
  const blocks = [`# ${inline(title)}`, ...sections.flatMap(sectionBlocks)];
  return `${blocks.join('\n\n')}\n`;
}

function sectionBlocks({ heading, level = 2, text, list, table }: Section): readonly string[] {
  return [
    ...(heading === undefined ? [] : [`${'#'.repeat(level)} ${inline(heading)}`]),
    ...(text === undefined ? [] : [text].flat().map(paragraph)),
    ...(list === undefined || list.length === 0 ? [] : [list.map((item) => `- ${inline(printed(item))}`).join('\n')]),
    ...(table === undefined || table.rows.length === 0 ? [] : [tableBlock(table)]),
  ];
}

function tableBlock({ columns, rows }: Table): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(inline).join(' | ')} |`;
  const cells = (row: readonly Json[] | JsonObject): readonly string[] =>
    columns.map((column, index) => printed((isJsonArray(row) ? row[index] : row[column]) ?? ''));
  return [line(columns), `|${columns.map(() => ' --- |').join('')}`, ...rows.map((row) => line(cells(row)))].join('\n');
}

function printed(value: Json): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(Number.isInteger(value) ? value : Number(value.toPrecision(6)));
  return isJsonArray(value) || isJsonObject(value) ? JSON.stringify(value) : String(value);
}

function paragraph(text: string): string {
  return text.trim().replaceAll('<', '&lt;');
}

/** One line of plain text: nothing in it is read as Markdown or HTML. */
function inline(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.replaceAll(/[\\`*|[\]]/g, '\\$&').replaceAll('<', '&lt;');
}
