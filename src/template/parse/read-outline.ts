// Reads the outline of a text by its lines and their indentation. Never fails: each broken part ends where its line or its block ends.
import type { Outline, OutlineEmpty, OutlineEntry, OutlineNode, OutlineScalar } from './outline.ts';
import { readFlow } from './outline-flow.ts';
import {
  type OutlineLine,
  type OutlineText,
  plainValue,
  readBlockScalar,
  readPlain,
  readQuoted,
} from './outline-scalar.ts';

interface Cursor extends OutlineText {
  readonly lines: readonly OutlineLine[];
  readonly anchors: Map<string, OutlineNode>;
  /** The line that is read next. */
  line: number;
  /** The offset in it. */
  at: number;
  depth: number;
}

/** The deepest nesting that an outline shows. */
const DEEPEST = 100;

const DASH = /-(?=\s|$)/y;
const KEY =
  /(?:"((?:[^"\\\n]|\\.)*)"|'((?:[^'\n]|'')*)'|([^\s"'[\]{},#&*!|>%@`](?:[^:#\n]|:(?=\S)|(?<=\S)#)*?))[ \t]*:(?=\s|$)/y;
const PROPERTY = /(?:!([^\s,[\]{}]*)|&([^\s,[\]{}]+))(?:[ \t]+|$)/my;
const BLOCK = /[|>][-+0-9]*[ \t]*(?:#.*)?$/my;

export function readOutline(text: string): Outline {
  const lines = linesIn(text);
  const cursor: Cursor = { text, lines, anchors: new Map(), line: 0, at: 0, depth: 0 };
  skipBlank(cursor);
  const root = isDone(cursor) ? empty(text.length) : readNode(cursor, -1);
  return { text, root };
}

function linesIn(text: string): readonly OutlineLine[] {
  const lines: OutlineLine[] = [];
  for (const match of text.matchAll(/([ \t\uFEFF]*)([^\r\n]*)(\r\n|\n|\r|$)/g)) {
    const [whole, blank = '', content = ''] = match;
    if (whole === '' && match.index > 0) break;
    const from = match.index + blank.length;
    const isBlank = content === '' || content.startsWith('#') || (blank === '' && /^(---|\.\.\.|%)/.test(content));
    lines.push({
      start: match.index,
      from,
      to: from + content.trimEnd().length,
      indent: blank.replace('\uFEFF', '').length,
      isBlank,
      next: match.index + whole.length,
    });
  }
  return lines;
}

function isDone(c: Cursor): boolean {
  return c.line >= c.lines.length;
}

function lineOf(c: Cursor): OutlineLine {
  return (
    c.lines[c.line] ?? {
      start: c.text.length,
      from: c.text.length,
      to: c.text.length,
      indent: -1,
      isBlank: true,
      next: c.text.length,
    }
  );
}

/** Goes to the next line with content, if the current one is blank. */
function skipBlank(c: Cursor): void {
  while (!isDone(c) && lineOf(c).isBlank) c.line += 1;
  c.at = lineOf(c).from;
}

function nextLine(c: Cursor): void {
  c.line += 1;
  skipBlank(c);
}

/** Goes to the first line that begins at or after an offset. */
function passTo(c: Cursor, offset: number): void {
  while (!isDone(c) && lineOf(c).start < offset) c.line += 1;
  skipBlank(c);
}

function empty(at: number, tag?: string): OutlineEmpty {
  return { kind: 'empty', from: at, to: at, ...(tag !== undefined && { tag }) };
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function columnOf(c: Cursor): number {
  return c.at - lineOf(c).from + lineOf(c).indent;
}

/** Reads the node at the cursor, whose further lines are indented deeper than `floor`. */
function readNode(c: Cursor, floor: number): OutlineNode {
  c.depth += 1;
  const node = c.depth > DEEPEST ? readValue(c, floor) : readStructure(c, floor);
  c.depth -= 1;
  return node;
}

function readStructure(c: Cursor, floor: number): OutlineNode {
  if (matchAt(DASH, c.text, c.at) !== null) return readList(c, floor);
  if (matchAt(KEY, c.text, c.at) !== null) return readMap(c, floor);
  return readValue(c, floor);
}

function readList(c: Cursor, floor: number): OutlineNode {
  const items: OutlineNode[] = [];
  const column = columnOf(c);
  const from = c.at;
  let to = from;
  while (!isDone(c) && matchAt(DASH, c.text, c.at) !== null) {
    const line = lineOf(c);
    const dash = columnOf(c);
    const after = c.at + 1;
    c.at = after + blanks(c.text, after);
    const item = isEnd(c, line) ? below(c, dash, c.at, () => false) : readNode(c, dash);
    items.push(item);
    to = Math.max(to, after, item.to);
    if (isDone(c) || lineOf(c).indent <= floor) break;
    if (matchAt(DASH, c.text, c.at) !== null) continue;
    if (lineOf(c).indent <= column) break;
    // A line without a dash that is indented deeper than the list belongs to nothing.
    nextLine(c);
  }
  return { kind: 'list', items, isFlow: false, from, to };
}

function readMap(c: Cursor, floor: number): OutlineNode {
  const entries: OutlineEntry[] = [];
  const from = c.at;
  const column = columnOf(c);
  let to = from;
  while (!isDone(c)) {
    const entry = readEntry(c, column, entries.at(-1));
    if (entry !== undefined) {
      entries.push(entry);
      to = Math.max(to, entry.keySpan.to, entry.value.to);
    }
    if (isDone(c) || lineOf(c).indent <= floor) break;
  }
  return { kind: 'map', entries, isFlow: false, from, to };
}

function readEntry(c: Cursor, column: number, before: OutlineEntry | undefined): OutlineEntry | undefined {
  const match = matchAt(KEY, c.text, c.at);
  const line = lineOf(c);
  if (match === null) {
    if (matchAt(DASH, c.text, c.at) !== null) {
      readList(c, Math.max(line.indent, column) - 1);
      return undefined;
    }
    const [word = ''] = /^[^\s:]+/.exec(c.text.slice(c.at, line.to)) ?? [];
    const keySpan = { from: c.at, to: c.at + word.length };
    const isWord = keySpan.to === line.to && before?.keySpan.from !== keySpan.from;
    nextLine(c);
    return isWord ? { key: word, keySpan, isWhole: false, value: empty(keySpan.to) } : undefined;
  }
  const [whole, double, single, plain = ''] = match;
  const quote = double === undefined && single === undefined ? 0 : 1;
  const key = double?.replace(/\\(.)/g, '$1') ?? single?.replaceAll("''", "'") ?? plain;
  const keySpan = { from: c.at + quote, to: c.at + quote + (double ?? single ?? plain).length };
  const colon = c.at + whole.length;
  c.at = colon + blanks(c.text, colon);
  const value = isEnd(c, line)
    ? below(c, column, Math.min(colon + 1, line.to + 1, line.next), () => matchAt(DASH, c.text, c.at) !== null)
    : readValue(c, column);
  return { key, keySpan, isWhole: true, value };
}

/** The node on the lines below a key or a dash; `besides` accepts a line that is not indented deeper. */
function below(c: Cursor, column: number, at: number, besides: () => boolean, tag?: string): OutlineNode {
  nextLine(c);
  const { indent } = lineOf(c);
  if (isDone(c) || indent < column || (indent === column && !besides())) return empty(at, tag);
  return readNode(c, indent === column ? column - 1 : column);
}

function blanks(text: string, at: number): number {
  let end = at;
  while (text[end] === ' ' || text[end] === '\t') end += 1;
  return end - at;
}

function isEnd(c: Cursor, line: OutlineLine): boolean {
  return c.at >= line.to || c.text[c.at] === '#';
}

/** Reads a scalar or a flow collection, and passes the rest of its last line. */
function readValue(c: Cursor, floor: number): OutlineNode {
  const line = lineOf(c);
  let tag: string | undefined;
  let anchor: string | undefined;
  for (let found = matchAt(PROPERTY, c.text, c.at); found !== null; found = matchAt(PROPERTY, c.text, c.at)) {
    if (c.text[c.at] === '!') tag = `!${found[1] ?? ''}`;
    else anchor = found[2];
    c.at += found[0].length;
  }
  const node = isEnd(c, line) ? below(c, floor, line.to, () => false, tag) : readContent(c, line, floor, tag);
  if (anchor !== undefined) c.anchors.set(anchor, node);
  return node;
}

function readContent(c: Cursor, line: OutlineLine, floor: number, tag: string | undefined): OutlineNode {
  const first = c.text[c.at];
  if ((first === '|' || first === '>') && matchAt(BLOCK, c.text, c.at) !== null) {
    const block = readBlockScalar(c, c.lines, c.line, floor, tag);
    passTo(c, block.end);
    return block.scalar;
  }
  if (first === '*') return readAlias(c, line);
  if (first === '"' || first === "'") {
    const scalar = readQuoted(c, c.at, blockEnd(c, floor), tag);
    passTo(c, Math.max(scalar.to, line.next));
    return scalar;
  }
  if ((first === '[' || first === '{') && !c.text.startsWith('{{', c.at)) {
    const flow = readFlow(c, c.at, blockEnd(c, floor));
    passTo(c, Math.max(flow.to, line.next));
    return flow;
  }
  return readPlainLines(c, line, floor, tag);
}

/** The offset at which the lines that are indented deeper than `floor` end. */
function blockEnd(c: Cursor, floor: number): number {
  let last = lineOf(c);
  for (let nth = c.line + 1; nth < c.lines.length; nth++) {
    const line = c.lines[nth];
    if (line === undefined || (!line.isBlank && line.indent <= floor)) break;
    if (!line.isBlank) last = line;
  }
  return last.to;
}

function readAlias(c: Cursor, line: OutlineLine): OutlineNode {
  const [text = ''] = /^\*[^\s,[\]{}]*/.exec(c.text.slice(c.at, line.to)) ?? [];
  const target = c.anchors.get(text.slice(1));
  const from = c.at;
  nextLine(c);
  if (target !== undefined && target.kind === 'scalar')
    return { ...target, style: 'alias', pieces: [], from, to: from + text.length };
  if (target !== undefined && target.kind !== 'empty') return { ...target, from, to: from + text.length };
  return {
    kind: 'scalar',
    style: 'alias',
    text: '',
    pieces: [],
    value: null,
    isClosed: true,
    from,
    to: from + text.length,
  };
}

/** A plain text goes on in deeper lines, as long as they do not look like keys or items of lists. */
function readPlainLines(c: Cursor, line: OutlineLine, floor: number, tag: string | undefined): OutlineScalar {
  const first = readPlain(c, c.at, line.to, tag);
  let { text, to } = first;
  const pieces = [...first.pieces];
  nextLine(c);
  while (!isDone(c) && lineOf(c).indent > floor && to === (c.lines[c.line - 1]?.to ?? -1)) {
    if (matchAt(KEY, c.text, c.at) !== null || matchAt(DASH, c.text, c.at) !== null) break;
    const more = readPlain(c, c.at, lineOf(c).to, tag);
    pieces.push([text.length + 1, c.at]);
    text = `${text} ${more.text}`;
    to = more.to;
    nextLine(c);
  }
  return text === first.text ? first : { ...first, text, to, pieces, value: plainValue(text, tag) };
}
