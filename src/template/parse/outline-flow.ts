// Reads the flow collections of an outline, `[a, b]` and `{ a: 1 }`, also when they are not closed.
import type { OutlineEntry, OutlineNode, OutlineScalar } from './outline.ts';
import { type OutlineText, plainValue, readQuoted } from './outline-scalar.ts';

interface FlowCursor extends OutlineText {
  readonly end: number;
  at: number;
  depth: number;
}

const DEEPEST = 60;

/** Reads the collection that begins at `from`; it ends at `end` at the latest. */
export function readFlow({ text }: OutlineText, from: number, end: number): OutlineNode {
  return readCollection({ text, end, at: from, depth: 0 });
}

function readCollection(f: FlowCursor): OutlineNode {
  const from = f.at;
  const isMap = f.text[from] === '{';
  const close = isMap ? '}' : ']';
  const entries: OutlineEntry[] = [];
  const items: OutlineNode[] = [];
  f.at += 1;
  f.depth += 1;
  let to = f.at;
  for (;;) {
    skip(f);
    const char = f.text[f.at];
    if (f.at >= f.end || char === undefined) {
      to = Math.min(f.end, f.text.length);
      break;
    }
    if (char === close) {
      f.at += 1;
      to = f.at;
      break;
    }
    // The other bracket closes a collection around this one, which is not closed.
    if ((char === ']' || char === '}') && f.depth > 1) {
      to = f.at;
      break;
    }
    if (char === ',' || char === ']' || char === '}') f.at += 1;
    else if (isMap) entries.push(readPair(f));
    else items.push(readItem(f));
  }
  f.depth -= 1;
  return isMap ? { kind: 'map', entries, isFlow: true, from, to } : { kind: 'list', items, isFlow: true, from, to };
}

/** Passes blanks, line breaks and comments. */
function skip(f: FlowCursor): void {
  for (;;) {
    const match = /^(?:\s+|#[^\r\n]*)/.exec(f.text.slice(f.at, f.end));
    if (match === null || (match[0].startsWith('#') && !/\s/.test(f.text[f.at - 1] ?? ' '))) return;
    f.at += match[0].length;
  }
}

function readPair(f: FlowCursor): OutlineEntry {
  const key = readScalar(f, undefined, true);
  const quote = key.style === 'plain' ? 0 : 1;
  const keySpan = { from: key.from + quote, to: key.to - (key.isClosed ? quote : 0) };
  skip(f);
  if (f.text[f.at] !== ':' || f.at >= f.end) {
    return { key: key.text, keySpan, isWhole: false, value: { kind: 'empty', from: key.to, to: key.to } };
  }
  f.at += 1;
  const colon = f.at;
  skip(f);
  const next = f.text[f.at];
  if (f.at >= f.end || next === undefined || next === ',' || next === '}' || next === ']') {
    return { key: key.text, keySpan, isWhole: true, value: { kind: 'empty', from: colon, to: Math.min(f.at, f.end) } };
  }
  return { key: key.text, keySpan, isWhole: true, value: readItem(f) };
}

function readItem(f: FlowCursor): OutlineNode {
  const tag = /^!\S*(?=[ \t])/.exec(f.text.slice(f.at, f.end))?.[0];
  if (tag !== undefined) {
    f.at += tag.length;
    skip(f);
  }
  const char = f.text[f.at];
  const isText = f.text.startsWith('{{', f.at);
  if ((char === '[' || char === '{') && !isText && f.depth < DEEPEST) return readCollection(f);
  return readScalar(f, tag, false);
}

function readScalar(f: FlowCursor, tag: string | undefined, isKey: boolean): OutlineScalar {
  const char = f.text[f.at];
  if (char === '"' || char === "'") {
    const lineEnd = /\r|\n|$/.exec(f.text.slice(f.at, f.end))?.index ?? 0;
    const scalar = readQuoted(f, f.at, f.at + lineEnd, tag);
    f.at = scalar.to;
    return scalar;
  }
  const from = f.at;
  // A placeholder without quotes is what its author meant, although YAML reads it as maps.
  const placeholder = /^\{\{[^{}\r\n]*(?:\}\})?/.exec(f.text.slice(from, f.end))?.[0] ?? '';
  const start = from + placeholder.length;
  const plain = /^(?:[^,[\]{}:\r\n#]|:(?![\s,[\]{}]|$)|(?<=\S)#)*/.exec(f.text.slice(start, f.end))?.[0] ?? '';
  const text = (placeholder + plain).trimEnd();
  // At least one character is passed, so that reading ends.
  f.at = Math.max(from + text.length, text === '' && f.text[from] !== ':' ? from + 1 : from);
  if (text === '' && f.text[from] === ':' && !isKey) f.at = from + 1;
  return {
    kind: 'scalar',
    style: 'plain',
    text,
    pieces: [[0, from]],
    value: plainValue(text, tag),
    isClosed: true,
    from,
    to: from + text.length,
    ...(tag !== undefined && { tag }),
  };
}
