// The place of the cursor in a text: which key or value a person types there, also where the text is half written.
import type { PathPart } from '../../base/issue.ts';
import type { JsonObject } from '../../base/json.ts';
import {
  type Outline,
  type OutlineNode,
  type OutlineScalar,
  type Span,
  spotAt,
  textOffset,
} from '../../template/parse/outline.ts';
import { readOutline } from '../../template/parse/read-outline.ts';
import type { DocumentKind } from '../../template/schema/meaning.ts';
import { isLispAt, schemaAt } from '../../template/step-occurrences.ts';

/** A letter that no text has; the outline of a text with it shows where a word at the cursor would belong. */
const MARK = '\uE000';

interface CursorBase {
  /** The outline with the mark in it; its offsets after the cursor are one too large. */
  readonly outline: Outline;
  /** The typed part of the word before the cursor. */
  readonly prefix: string;
  /** The word around the cursor, which a completion replaces; in the text without the mark. */
  readonly word: Span;
}

export interface KeyCursor extends CursorBase {
  readonly role: 'key';
  /** The path of the map that the key belongs to. */
  readonly path: readonly PathPart[];
  /** The other keys of the map. */
  readonly siblings: readonly string[];
  /** True when a colon follows already. */
  readonly isWhole: boolean;
  readonly isFlow: boolean;
  /** The column of the key; new lines of its value are indented deeper. */
  readonly column: number;
}

export interface ValueCursor extends CursorBase {
  readonly role: 'value';
  readonly path: readonly PathPart[];
  readonly scalar: OutlineScalar;
  readonly isQuoted: boolean;
  readonly isFlow: boolean;
  /** The column of the key that holds the value. */
  readonly column: number;
}

/** Inside `{{ … }}`, or in Lisp: `text` is the whole text of the scalar without the mark, `at` the cursor in it. */
export interface TextCursor extends CursorBase {
  readonly role: 'reference' | 'lisp';
  readonly path: readonly PathPart[];
  readonly text: string;
  readonly at: number;
}

export type CursorContext = KeyCursor | ValueCursor | TextCursor;

export function cursorAt(text: string, offset: number, kind: DocumentKind): CursorContext | undefined {
  const outline = readOutline(text.slice(0, offset) + MARK + text.slice(offset));
  const { path, node, entry, holders } = spotAt(outline, offset);
  const holder = holders.at(-1);
  if (entry !== undefined)
    return entry.key.includes(MARK) ? keyCursor(outline, path.slice(0, -1), entry, holder, offset) : undefined;
  if (node.kind !== 'scalar' || !(node.text.includes(MARK) || outline.text.slice(node.from, node.to).includes(MARK)))
    return undefined;
  const at = textOffset(node, offset);
  const whole = node.text.replace(MARK, '');
  const base = { outline, path, text: whole, at };
  if (isLispAt(node, path, kind))
    return { ...base, role: 'lisp', ...wordIn(whole, at, offset, /[^\s()[\]{}"',;`@^~\\]*/) };
  const opened = whole.lastIndexOf('{{', at - 1);
  const isInside = opened >= 0 && at >= opened + 2 && whole.slice(opened, at).indexOf('}}') < 0;
  if (isInside) return { ...base, role: 'reference', ...wordIn(whole, at, offset, /[A-Za-z0-9_$-]*/) };
  const column = columnOf(outline, path, node, holders);
  if (wantsKeys(node, holder, path, kind) && isOwnLine(outline.text, node)) {
    const span = { from: node.from, to: node.to - 1 };
    const prefix = node.text.slice(0, node.text.indexOf(MARK));
    return {
      role: 'key',
      outline,
      path,
      prefix,
      word: span,
      siblings: [],
      isWhole: false,
      isFlow: false,
      column: columnAt(outline.text, node.from),
    };
  }
  const isQuoted = node.style !== 'plain';
  // Editors complete one line.
  const [from, end] = [Math.max(node.from + (isQuoted ? 1 : 0), lineStart(text, offset)), lineEnd(text, offset)];
  const to = Math.min(node.to - 1 - (isQuoted && node.isClosed ? 1 : 0), end);
  const isFlow = holder !== undefined && 'isFlow' in holder && holder.isFlow;
  return {
    role: 'value',
    outline,
    path,
    scalar: node,
    isQuoted,
    isFlow,
    column,
    prefix: whole.slice(0, at),
    word: { from, to },
  };
}

function keyCursor(
  outline: Outline,
  path: readonly PathPart[],
  { key, keySpan, isWhole }: { readonly key: string; readonly keySpan: Span; readonly isWhole: boolean },
  holder: OutlineNode | undefined,
  offset: number,
): KeyCursor {
  const siblings = (holder?.kind === 'map' ? holder.entries : []).flatMap((each) =>
    each.keySpan === keySpan ? [] : [each.key],
  );
  const isFlow = holder?.kind === 'map' && holder.isFlow;
  // A word on a line of its own may be all that is typed so far of a longer line.
  const to = isWhole ? keySpan.to - 1 : Math.max(keySpan.to - 1, offset);
  const column = columnAt(outline.text, keySpan.from);
  return {
    role: 'key',
    outline,
    path,
    prefix: key.slice(0, key.indexOf(MARK)),
    word: { from: keySpan.from, to },
    siblings,
    isWhole,
    isFlow,
    column,
  };
}

function wordIn(
  text: string,
  at: number,
  offset: number,
  word: RegExp,
): { readonly prefix: string; readonly word: Span } {
  const before = new RegExp(`${word.source}$`).exec(text.slice(0, at))?.[0] ?? '';
  const after = new RegExp(`^${word.source}`).exec(text.slice(at))?.[0] ?? '';
  return { prefix: before, word: { from: offset - before.length, to: offset + after.length } };
}

/** A word below a key, or behind a dash, becomes a key where the schema wants a map. */
function wantsKeys(
  node: OutlineScalar,
  holder: OutlineNode | undefined,
  path: readonly PathPart[],
  kind: DocumentKind,
): boolean {
  if (node.style !== 'plain' || (holder !== undefined && 'isFlow' in holder && holder.isFlow)) return false;
  if (isInput(path)) return true;
  const schema = schemaAt(path, kind);
  return schema !== undefined && takesMap(schema);
}

/** True for the input of a call, and for maps in it. */
export function isInput(path: readonly PathPart[]): boolean {
  return path[0] === 'steps' && path.includes('input') && path.indexOf('input') >= 2;
}

function takesMap({ type, properties, additionalProperties, $ref }: JsonObject): boolean {
  const isMap = type === 'object' || (Array.isArray(type) && type.includes('object'));
  return $ref !== undefined || (isMap && (properties !== undefined || typeof additionalProperties === 'object'));
}

/** True when only blanks, dashes and the word itself stand before the cursor in its line. */
function isOwnLine(text: string, { from }: Span): boolean {
  return /^[ \t]*(?:-[ \t]+)*$/.test(text.slice(lineStart(text, from), from));
}

function columnOf(
  outline: Outline,
  path: readonly PathPart[],
  node: OutlineNode,
  holders: readonly OutlineNode[],
): number {
  const map = holders.findLast((each) => each.kind === 'map');
  const entry =
    map?.kind === 'map'
      ? map.entries.find(({ value }) => path.length > 0 && value.from <= node.from && node.to <= value.to)
      : undefined;
  return columnAt(outline.text, entry?.keySpan.from ?? node.from);
}

function columnAt(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

function lineEnd(text: string, offset: number): number {
  return offset + (/[\r\n]|$/.exec(text.slice(offset))?.index ?? 0);
}

function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
}
