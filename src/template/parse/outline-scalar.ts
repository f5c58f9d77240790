// Reads the scalars of an outline: plain and quoted texts, and blocks.
import type { Json } from '../../base/json.ts';
import type { OutlineScalar } from './outline.ts';

export interface OutlineText {
  readonly text: string;
}

export interface OutlineLine {
  /** The offset of its first character, of its content, of the end of its content, and of the next line. */
  readonly start: number;
  readonly from: number;
  readonly to: number;
  readonly next: number;
  readonly indent: number;
  /** True for comments too. */
  readonly isBlank: boolean;
}

/** Reads a plain text up to a comment or `end`. Lisp is not cut at `#(`, `#{` and `#"`. */
export function readPlain({ text }: OutlineText, from: number, end: number, tag?: string): OutlineScalar {
  const whole = text.slice(from, end);
  const comment = (tag === '!lisp' ? /[ \t]#(?![({"_])/ : /[ \t]#/).exec(whole);
  const content = (comment === null ? whole : whole.slice(0, comment.index)).trimEnd();
  return {
    kind: 'scalar',
    style: 'plain',
    text: content,
    pieces: [[0, from]],
    value: plainValue(content, tag),
    isClosed: true,
    from,
    to: from + content.length,
    ...(tag !== undefined && { tag }),
  };
}

export function plainValue(text: string, tag?: string): Json {
  if (tag === '!lisp') return { $lisp: text };
  if (tag !== undefined) return text;
  if (/^(?:null|Null|NULL|~|)$/.test(text)) return null;
  if (/^(?:true|True|TRUE)$/.test(text)) return true;
  if (/^(?:false|False|FALSE)$/.test(text)) return false;
  if (/^(?:[-+]?\d+|0o[0-7]+|0x[\da-fA-F]+|[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?)$/.test(text))
    return Number(text);
  return text;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  b: '\b',
  f: '\f',
  e: '\u001b',
};

/** Reads a quoted text. A quote that is not closed before `end` ends with its line. */
export function readQuoted({ text }: OutlineText, from: number, end: number, tag?: string): OutlineScalar {
  const quote = text[from] ?? '"';
  const close = closeOf(text, quote, from + 1, end);
  const lineEnd = /\r|\n|$/.exec(text.slice(from))?.index ?? 0;
  const to = close ?? Math.min(from + text.slice(from, from + lineEnd).trimEnd().length, text.length);
  const pieces: [number, number][] = [[0, from + 1]];
  let content = '';
  for (let at = from + 1; at < to; ) {
    const [raw, value] = partAt(text, quote, at, to);
    content += value;
    at += raw;
    if (raw !== value.length) pieces.push([content.length, at]);
  }
  return {
    kind: 'scalar',
    style: quote === '"' ? 'double' : 'single',
    text: content,
    pieces,
    value: tag === '!lisp' ? { $lisp: content } : content,
    isClosed: close !== undefined,
    from,
    to: close === undefined ? to : to + 1,
    ...(tag !== undefined && { tag }),
  };
}

function closeOf(text: string, quote: string, from: number, end: number): number | undefined {
  for (let at = from; at < end; at++) {
    if (quote === '"' && text[at] === '\\') at += 1;
    else if (text[at] === quote) {
      if (quote === '"' || text[at + 1] !== quote) return at;
      at += 1;
    }
  }
  return undefined;
}

/** The length of the next part of a quoted text, and its meaning. */
function partAt(text: string, quote: string, at: number, end: number): readonly [raw: number, value: string] {
  const char = text[at] ?? '';
  if (quote === "'" && char === "'") return [2, "'"];
  if (quote === '"' && char === '\\') {
    const next = text[at + 1] ?? '';
    const digits = { x: 2, u: 4, U: 8 }[next];
    if (digits === undefined) return [2, ESCAPES[next] ?? next];
    const code = Number.parseInt(text.slice(at + 2, at + 2 + digits), 16);
    return [2 + digits, Number.isNaN(code) || code > 0x10ffff ? '' : String.fromCodePoint(code)];
  }
  const fold = /^[ \t]*((?:\r\n|\n|\r)[ \t]*)+/.exec(text.slice(at, end))?.[0];
  if (fold === undefined || (char !== '\n' && char !== '\r' && char !== ' ' && char !== '\t')) return [1, char];
  const breaks = fold.match(/\r\n|\n|\r/g)?.length ?? 1;
  return [fold.length, breaks === 1 ? ' ' : '\n'.repeat(breaks - 1)];
}

/** Reads a block scalar whose header stands in the line `nth`; its lines are indented deeper than `floor`. */
export function readBlockScalar(
  { text }: OutlineText,
  lines: readonly OutlineLine[],
  nth: number,
  floor: number,
  tag?: string,
): { readonly scalar: OutlineScalar; readonly end: number } {
  const head = lines[nth];
  const header = /[|>][-+0-9]*[ \t]*(?:#.*)?$/.exec(text.slice(head?.from, head?.to))?.[0] ?? '|';
  const from = (head?.to ?? 0) - header.length;
  const body: OutlineLine[] = [];
  for (const line of lines.slice(nth + 1)) {
    const isEmpty = line.from === line.to;
    if (!isEmpty && line.indent <= floor) break;
    body.push(line);
  }
  while (body.length > 0 && body.at(-1)?.from === body.at(-1)?.to) body.pop();
  const indent = body.find((line) => line.from < line.to)?.indent ?? 0;
  const pieces: [number, number][] = [];
  const isFolded = header.startsWith('>');
  let content = '';
  for (const [index, line] of body.entries()) {
    if (index > 0) content += isFolded ? foldBetween(body[index - 1], line, indent) : '\n';
    const start = Math.min(line.start + indent, line.to);
    pieces.push([content.length, start]);
    content += text.slice(start, Math.max(start, line.to));
  }
  const end = body.at(-1)?.next ?? head?.next ?? text.length;
  const ended = content === '' || header.includes('-') ? content : `${content}\n`;
  const scalar: OutlineScalar = {
    kind: 'scalar',
    style: 'block',
    text: content,
    pieces: pieces.length === 0 ? [[0, head?.next ?? text.length]] : pieces,
    value: tag === '!lisp' ? { $lisp: ended } : ended,
    isClosed: true,
    from,
    to: Math.max(head?.to ?? 0, body.at(-1)?.to ?? 0),
    ...(tag !== undefined && { tag }),
  };
  return { scalar, end };
}

/** Lines of a folded block are joined; an empty line between them is one line break. */
function foldBetween(before: OutlineLine | undefined, line: OutlineLine, indent: number): string {
  const isEmpty = (each: OutlineLine | undefined): boolean => each === undefined || each.from === each.to;
  if (before !== undefined && !isEmpty(before) && before.indent > indent) return '\n';
  if (!isEmpty(line) && line.indent > indent) return '\n';
  if (isEmpty(line)) return '\n';
  return isEmpty(before) ? '' : ' ';
}
