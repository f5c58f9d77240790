// Prints values as text for `str` and `pr-str`.
import { elements, settle } from './host.ts';
import { allocate, burn, enter, grow, leave } from './machine.ts';
import { setItems } from './map.ts';
import { numberEdn, numberText } from './number-text.ts';
import type { Machine, Value } from './value.ts';

/** For `str`: nothing for nil, strings unchanged, other values as EDN. */
export function textOf(m: Machine, value: Value): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return numberText(value);
  if (typeof value === 'boolean') return String(value);
  if (value === null) return '';
  if (value.kind === 'regex') return value.source;
  return ednOf(m, value);
}

/** For `pr-str`: text that the reader can read; maps and sets keep their order. */
export function ednOf(m: Machine, value: Value): string {
  const parts: string[] = [];
  write(m, value, { parts, sorted: false, size: 0 });
  return parts.join('');
}

/** EDN that is equal for equal values: maps and sets are sorted by their text, without commas. */
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

/** The least memory of a piece of text, in characters. */
const PIECE = 12;

function put(m: Machine, sheet: Sheet, text: string): void {
  sheet.size += text.length;
  sheet.parts.push(text);
  burn(m, sheet.sorted ? PIECE + text.length : 1 + (text.length >> 4));
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
    case 'vector': {
      const items = elements(m, value);
      return enclosed(m, sheet, '[', ']', () =>
        inOrder(m, sheet, items.length, ' ', (i) => write(m, items[i] ?? null, sheet)),
      );
    }
    case 'set': {
      const items = setItems(m, value);
      const item = (i: number, to: Sheet) => write(m, items[i] ?? null, to);
      return enclosed(m, sheet, '#{', '}', () => members(m, sheet, items.length, ' ', item));
    }
    case 'map': {
      const { keys, vals, size } = settle(m, value);
      const member = (i: number, to: Sheet) => {
        write(m, keys[i] ?? null, to);
        put(m, to, ' ');
        write(m, vals[i] ?? null, to);
      };
      return enclosed(m, sheet, '{', '}', () => members(m, sheet, size, ', ', member));
    }
  }
}

function enclosed(m: Machine, sheet: Sheet, open: string, close: string, inside: () => void): void {
  enter(m);
  put(m, sheet, open);
  inside();
  put(m, sheet, close);
  leave(m);
}

function inOrder(m: Machine, sheet: Sheet, count: number, gap: string, each: (index: number) => void): void {
  for (let i = 0; i < count; i++) {
    if (i > 0) put(m, sheet, gap);
    each(i);
  }
}

/** Members in their own order, or sorted by text when equal values must give equal text. */
function members(m: Machine, sheet: Sheet, count: number, gap: string, each: (i: number, to: Sheet) => void): void {
  if (!sheet.sorted) return inOrder(m, sheet, count, gap, (i) => each(i, sheet));
  const texts: string[] = [];
  for (let i = 0; i < count; i++) {
    const parts: string[] = [];
    each(i, { parts, sorted: true, size: sheet.size });
    texts.push(parts.join(''));
  }
  burn(m, (count * Math.ceil(Math.log2(count + 1))) >> 1);
  texts.sort();
  inOrder(m, sheet, count, ' ', (i) => put(m, sheet, texts[i] ?? ''));
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
