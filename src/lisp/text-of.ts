// Values as text: what `str` and `pr-str` give.
import { elements } from './host.ts';
import { allocate, burn, enter, grow, leave } from './machine.ts';
import { mapEntries, setItems } from './map.ts';
import { numberEdn, numberText } from './number-text.ts';
import type { Machine, Value } from './value.ts';

/** As `str`: nil is empty, strings stand for themselves, all else is as `pr-str` writes it. */
export function textOf(m: Machine, value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean') return String(value);
  if (value === null) return '';
  if (value.kind === 'regex') return value.source;
  return ednOf(m, value);
}

/** As `pr-str`: readable again by the reader, maps and sets in their own order. */
export function ednOf(m: Machine, value: Value): string {
  const parts: string[] = [];
  write(m, value, { parts, sorted: false, size: 0 });
  return parts.join('');
}

/** EDN in one order for equal values: maps and sets sorted by their text, no commas. */
export function sortedEdn(m: Machine, value: Value): string {
  const parts: string[] = [];
  write(m, value, { parts, sorted: true, size: 0 });
  return parts.join('');
}

interface Sheet {
  readonly parts: string[];
  readonly sorted: boolean;
  size: number;
}

function put(m: Machine, sheet: Sheet, text: string): void {
  sheet.size += text.length;
  sheet.parts.push(text);
  burn(m, 1);
  allocate(m, 1);
  grow(m, sheet.size > m.limits.text ? sheet.size : text.length);
}

function write(m: Machine, value: Value, sheet: Sheet): void {
  if (typeof value === 'string') return put(m, sheet, quotedText(value));
  if (typeof value === 'number') return put(m, sheet, numberEdn(value));
  if (typeof value === 'boolean') return put(m, sheet, String(value));
  if (value === null) return put(m, sheet, 'nil');
  switch (value.kind) {
    case 'keyword':
      return put(m, sheet, `:${value.name}`);
    case 'symbol':
      return put(m, sheet, value.name);
    case 'regex':
      return put(m, sheet, `#${JSON.stringify(value.source).replaceAll('\\\\', '\\')}`);
    case 'fn':
      return put(m, sheet, `#function[${value.code.name}]`);
    case 'reduced':
      return write(m, value.value, sheet);
    case 'vector':
      return writeAll(
        m,
        '[',
        elements(m, value).map((item) => [item]),
        ']',
        sheet,
      );
    case 'set':
      return writeAll(
        m,
        '#{',
        setItems(m, value).map((item) => [item]),
        '}',
        sheet,
      );
    case 'map':
      return writeAll(
        m,
        '{',
        mapEntries(m, value).map((entry) => itemsOfEntry(m, entry)),
        '}',
        sheet,
      );
  }
}

function itemsOfEntry(m: Machine, entry: Value): readonly Value[] {
  return typeof entry === 'object' && entry !== null && entry.kind === 'vector' ? elements(m, entry) : [];
}

function writeAll(m: Machine, open: string, groups: readonly (readonly Value[])[], close: string, sheet: Sheet): void {
  enter(m);
  put(m, sheet, open);
  const texts = groups.map((group) => {
    const parts: string[] = [];
    const inner: Sheet = { parts, sorted: sheet.sorted, size: sheet.size };
    group.forEach((value, i) => {
      if (i > 0) put(m, inner, ' ');
      write(m, value, inner);
    });
    sheet.size = inner.size;
    return parts.join('');
  });
  const isMap = open === '{';
  if (sheet.sorted && (isMap || open === '#{')) texts.sort();
  put(m, sheet, texts.join(isMap && !sheet.sorted ? ', ' : ' '));
  put(m, sheet, close);
  leave(m);
}

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\t', '\\t'],
  ['\r', '\\r'],
  ['\f', '\\f'],
  ['\b', '\\b'],
]);

function quotedText(text: string): string {
  return `"${text.replace(/["\\\n\t\r\f\b]/g, (each) => ESCAPED.get(each) ?? each)}"`;
}
