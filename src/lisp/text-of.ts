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

interface TextOutput {
  readonly parts: string[];
  readonly sorted: boolean;
  size: number;
}

/** The least memory of a piece of text, in characters. */
const PIECE = 12;

function put(m: Machine, output: TextOutput, text: string): void {
  output.size += text.length;
  output.parts.push(text);
  burn(m, output.sorted ? PIECE + text.length : 1 + (text.length >> 4));
  allocate(m, 1);
  grow(m, output.size > m.limits.text ? output.size : text.length);
}

function write(m: Machine, value: Value, output: TextOutput): void {
  if (typeof value === 'string') return put(m, output, quotedText(value));
  if (typeof value === 'number') return put(m, output, numberEdn(value));
  if (typeof value === 'boolean') return put(m, output, String(value));
  if (value === null) return put(m, output, 'nil');
  switch (value.kind) {
    case 'keyword':
      return put(m, output, `:${value.name}`);
    case 'symbol':
      return put(m, output, value.name);
    case 'regex':
      return put(m, output, `#${JSON.stringify(value.source).replaceAll('\\\\', '\\')}`);
    case 'fn':
      return put(m, output, `#function[${value.code.name}]`);
    case 'reduced':
      return write(m, value.value, output);
    case 'vector': {
      const items = elements(m, value);
      return enclosed(m, output, '[', ']', () =>
        inOrder(m, output, items.length, ' ', (i) => write(m, items[i] ?? null, output)),
      );
    }
    case 'set': {
      const items = setItems(m, value);
      const item = (i: number, to: TextOutput) => write(m, items[i] ?? null, to);
      return enclosed(m, output, '#{', '}', () => members(m, output, items.length, ' ', item));
    }
    case 'map': {
      const { keys, vals, size } = settle(m, value);
      const member = (i: number, to: TextOutput) => {
        write(m, keys[i] ?? null, to);
        put(m, to, ' ');
        write(m, vals[i] ?? null, to);
      };
      return enclosed(m, output, '{', '}', () => members(m, output, size, ', ', member));
    }
  }
}

function enclosed(m: Machine, output: TextOutput, open: string, close: string, inside: () => void): void {
  enter(m);
  put(m, output, open);
  inside();
  put(m, output, close);
  leave(m);
}

function inOrder(m: Machine, output: TextOutput, count: number, gap: string, each: (index: number) => void): void {
  for (let i = 0; i < count; i++) {
    if (i > 0) put(m, output, gap);
    each(i);
  }
}

/** Members in their own order, or sorted by text when equal values must give equal text. */
function members(
  m: Machine,
  output: TextOutput,
  count: number,
  gap: string,
  each: (i: number, to: TextOutput) => void,
): void {
  if (!output.sorted) return inOrder(m, output, count, gap, (i) => each(i, output));
  const texts: string[] = [];
  for (let i = 0; i < count; i++) {
    const parts: string[] = [];
    each(i, { parts, sorted: true, size: output.size });
    texts.push(parts.join(''));
  }
  burn(m, (count * Math.ceil(Math.log2(count + 1))) >> 1);
  texts.sort();
  inOrder(m, output, count, ' ', (i) => put(m, output, texts[i] ?? ''));
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
