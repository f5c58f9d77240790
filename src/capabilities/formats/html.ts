// Prints a report as one self-contained HTML page; data is escaped.
import { cellsOf, printed, type ReportSection, type ReportTable } from './report-section.ts';

const STYLE = [
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}',
  'table{border-collapse:collapse}th,td{border:1px solid #8888;padding:.25rem .6rem;text-align:left}',
  ':root{color-scheme:light dark}',
].join('');

export function html(title: string, sections: readonly ReportSection[]): string {
  const lines = [
    '<!doctype html>',
    '<html lang="en">',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width">',
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; style-src \'unsafe-inline\'">',
    `<title>${escaped(title)}</title>`,
    `<style>${STYLE}</style>`,
    `<h1>${escaped(title)}</h1>`,
    ...sections.flatMap(sectionLines),
    '</html>',
  ];
  return `${lines.join('\n')}\n`;
}

function sectionLines({ heading, level = 2, text, list, table }: ReportSection): readonly string[] {
  return [
    ...(heading === undefined ? [] : [`<h${level}>${escaped(heading)}</h${level}>`]),
    ...(text === undefined ? [] : [text].flat().map((each) => `<p>${escaped(each.trim())}</p>`)),
    ...(list === undefined || list.length === 0
      ? []
      : ['<ul>', ...list.map((item) => `<li>${escaped(printed(item))}</li>`), '</ul>']),
    ...(table === undefined || table.rows.length === 0 ? [] : tableLines(table)),
  ];
}

function tableLines(table: ReportTable): readonly string[] {
  const row = (cells: readonly string[], tag: 'td' | 'th'): string =>
    `<tr>${cells.map((cell) => `<${tag}>${escaped(cell)}</${tag}>`).join('')}</tr>`;
  return ['<table>', row(table.columns, 'th'), ...cellsOf(table).map((cells) => row(cells, 'td')), '</table>'];
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
