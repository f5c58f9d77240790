// Edits of a document by its outline: other words, other keys, and new entries in the style of their neighbors.

import type { MendEdit } from '../../base/issue.ts';
import { locator } from '../parse/line-positions.ts';
import type {
  Outline,
  OutlineEntry,
  OutlineList,
  OutlineMap,
  OutlineNode,
  OutlineScalar,
  Span,
} from '../parse/outline.ts';

/** A replacement by offsets; an empty span inserts. */
export interface SpanEdit extends Span {
  readonly text: string;
}

export function placedEdits(edits: readonly SpanEdit[], { text }: Outline, file: string): readonly MendEdit[] {
  const locate = locator(text, file);
  return edits.map((edit) => ({ place: locate(edit.from, edit.to), text: edit.text }));
}

/** Keeps the quotes of the old text. */
export function rewritten(outline: Outline, span: Span, to: string): SpanEdit {
  const quote = outline.text[span.from];
  if (quote === '"') return { from: span.from, to: span.to, text: JSON.stringify(to) };
  if (quote === "'") return { from: span.from, to: span.to, text: `'${to.replaceAll("'", "''")}'` };
  return { from: span.from, to: span.to, text: scalarText(to) };
}

/** A text as YAML writes it, with quotes where it needs them. */
function scalarText(text: string): string {
  const isPlain = /^[A-Za-z_./][\w./*@+-]*(?: [\w./*@+()-]+)*$/.test(text);
  return isPlain && !/^(?:true|false|null|yes|no|on|off)$/i.test(text) ? text : JSON.stringify(text);
}

/** Adds a key behind the first entry, or before it when its value has several lines; in braces, at the end. */
export function withEntry({ text }: Outline, map: OutlineMap, key: string, value: string): SpanEdit | undefined {
  const [first] = map.entries;
  const last = map.entries.at(-1);
  if (first === undefined || last === undefined) {
    return map.isFlow ? inserted(map.from + 1, ` ${key}: ${value} `) : undefined;
  }
  const named = text[first.keySpan.from] === '"' ? JSON.stringify(key) : key;
  if (map.isFlow) return inserted(last.value.to, `, ${named}: ${value}`);
  const indent = indentOf(text, first);
  if (!isOnOneLine(text, first)) return inserted(first.keySpan.from, `${named}: ${value}\n${indent}`);
  return inserted(endOfLine(text, first.value.to), `\n${indent}${named}: ${value}`);
}

/** Adds a key before all others. */
export function withFirstEntry({ text }: Outline, map: OutlineMap, key: string, value: string): SpanEdit | undefined {
  const [first] = map.entries;
  if (first === undefined || map.isFlow) return undefined;
  return inserted(first.keySpan.from, `${key}: ${value}\n${indentOf(text, first)}`);
}

/** Adds a word to a list of words, which may be written as one word, or not at all. */
export function withWord(
  outline: Outline,
  map: OutlineMap,
  keys: readonly string[],
  word: string,
): SpanEdit | undefined {
  const entry = map.entries.find(({ key }) => keys.includes(key));
  if (entry === undefined) return withEntry(outline, map, keys[0] ?? '', `[${word}]`);
  const { value } = entry;
  switch (value.kind) {
    case 'list':
      return withItem(outline, value, word);
    case 'scalar':
      return { from: value.from, to: value.to, text: `[${outline.text.slice(value.from, value.to)}, ${word}]` };
    case 'empty':
      return inserted(entry.keySpan.to + 1, ` [${word}]`);
    case 'map':
      return undefined;
  }
}

function withItem({ text }: Outline, list: OutlineList, word: string): SpanEdit | undefined {
  const last = list.items.at(-1);
  if (last === undefined) return list.isFlow ? inserted(list.from + 1, word) : undefined;
  if (list.isFlow) return inserted(last.to, `, ${word}`);
  const dash = text.lastIndexOf('-', last.from - 1);
  return inserted(endOfLine(text, last.to), `\n${' '.repeat(dash - startOfLine(text, dash))}- ${word}`);
}

/** Removes an item with its comma, or with its line; undefined for an item that fills several lines. */
export function withoutItem({ text }: Outline, list: OutlineList, index: number): SpanEdit | undefined {
  const item = list.items[index];
  if (item === undefined) return undefined;
  const [before, after] = [list.items[index - 1], list.items[index + 1]];
  if (list.isFlow) {
    if (after !== undefined) return { from: item.from, to: after.from, text: '' };
    return { from: before?.to ?? item.from, to: item.to, text: '' };
  }
  if (before === undefined && after === undefined) return undefined;
  const from = startOfLine(text, item.from);
  const to = endOfLine(text, item.to);
  return /^\s*-\s/.test(text.slice(from, to)) && !text.slice(from, to).includes('\n')
    ? { from, to: Math.min(to + 1, text.length), text: '' }
    : undefined;
}

export function isScalar(node: OutlineNode | undefined): node is OutlineScalar {
  return node?.kind === 'scalar';
}

function inserted(at: number, text: string): SpanEdit {
  return { from: at, to: at, text };
}

function isOnOneLine(text: string, { keySpan, value }: OutlineEntry): boolean {
  return value.kind !== 'empty' && !text.slice(keySpan.from, value.to).includes('\n');
}

function indentOf(text: string, { keySpan }: OutlineEntry): string {
  return ' '.repeat(keySpan.from - startOfLine(text, keySpan.from));
}

function startOfLine(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  if (end < 0) return text.length;
  return text[end - 1] === '\r' ? end - 1 : end;
}
