// Reads JSON text into a document tree, without loading anything that only YAML needs.
import { issue, type PathPart } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import type { Place } from '../../base/place.ts';
import { inexactNumber, NUMBER_HINT } from './inexact-number.ts';
import { jsonFault } from './json-fault.ts';
import { locator } from './line-positions.ts';
import { linesOf, MAX_NESTING, MAX_SOURCE, type ParsedDocument } from './tree.ts';

/** Never throws, whatever the text. */
export function parseJson(written: string, file: string): ParsedDocument {
  // Editors on Windows write a mark at the beginning, which JSON.parse refuses.
  const text = written.replace(/^\uFEFF/, '');
  const locate = locator(text, file);
  const lines = linesOf(text);
  const refuse = (code: string, message: string, from: number): ParsedDocument => ({
    lines,
    issues: [issue(code, message, { place: locate(from, from + 1) })],
  });
  if (text.length > MAX_SOURCE) return refuse('SOURCE_TOO_LARGE', `the file has more than ${MAX_SOURCE} characters`, 0);
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return { lines, issues: [jsonFault(text, locate)] };
  }
  const spans = jsonPositions(text);
  if (spans.depth > MAX_NESTING) {
    return refuse('SOURCE_TOO_DEEP', `lists and maps nest more than ${MAX_NESTING} levels deep`, spans.tooDeep);
  }
  const placeOf = (path: readonly PathPart[], part: 'key' | 'value' = 'value') => {
    for (let length = path.length; length >= 0; length -= 1) {
      const at = spanKey(path.slice(0, length));
      const preferKey = part === 'key' || length < path.length;
      const span = (preferKey ? spans.keys.get(at) : undefined) ?? spans.values.get(at);
      if (span !== undefined) return locate(...span);
    }
    return locate(0, 1);
  };
  const repeated = spans.repeated.map((path) =>
    issue('KEY_DUPLICATE', `"${String(path.at(-1))}" occurs twice in this map`, {
      path,
      place: placeOf(path, 'key'),
      hint: 'keep one of them',
    }),
  );
  const inexact = spans.inexact.map((path) =>
    issue('NUMBER_INEXACT', inexactNumber(textAt(placeOf(path), lines)), {
      path,
      place: placeOf(path),
      hint: NUMBER_HINT,
    }),
  );
  return { issues: [...repeated, ...inexact], lines, tree: { file, value, lines, placeOf } };
}

function textAt({ line, column, endColumn }: Place, lines: readonly string[]): string {
  return lines[line - 1]?.slice(column - 1, endColumn - 1) ?? '';
}

type Span = readonly [from: number, to: number];

interface JsonPositions {
  readonly values: ReadonlyMap<string, Span>;
  readonly keys: ReadonlyMap<string, Span>;
  /** Paths of keys that occur twice in their map. */
  readonly repeated: readonly (readonly PathPart[])[];
  /** Paths of numbers with too many digits to be exact. */
  readonly inexact: readonly (readonly PathPart[])[];
  readonly depth: number;
  /** The offset of the first bracket that nests too deep. */
  readonly tooDeep: number;
}

interface OpenBracket {
  readonly from: number;
  /** The text of the paths of its values up to their last part. */
  readonly above: string;
  readonly seen: Set<string> | undefined;
  /** The key or index of the next value. */
  part: PathPart;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g;

function spanKey(path: readonly PathPart[]): string {
  return JSON.stringify(path);
}

/** Finds the positions in one pass without recursion. The text must be valid JSON. */
function jsonPositions(text: string): JsonPositions {
  const values = new Map<string, Span>();
  const keys = new Map<string, Span>();
  const repeated: PathPart[][] = [];
  const inexact: PathPart[][] = [];
  const levels: OpenBracket[] = [];
  let depth = 0;
  let tooDeep = 0;
  let keyComes = false;
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    const span: Span = [match.index, match.index + token.length];
    const top = levels.at(-1);
    if (token === '{' || token === '[') {
      const above = top === undefined ? '[' : `${top.above}${JSON.stringify(top.part)},`;
      levels.push({ from: span[0], above, seen: token === '{' ? new Set() : undefined, part: token === '{' ? '' : 0 });
      depth = Math.max(depth, levels.length);
      if (depth > MAX_NESTING && tooDeep === 0) tooDeep = span[0];
      keyComes = token === '{';
    } else if (token === '}' || token === ']') {
      levels.pop();
      values.set(keyOf(levels.at(-1)), [top?.from ?? 0, span[1]]);
      keyComes = false;
    } else if (token === ',') {
      if (typeof top?.part === 'number') top.part += 1;
      keyComes = top?.seen !== undefined;
    } else if (token === ':') {
      keyComes = false;
    } else if (keyComes && top !== undefined) {
      top.part = String(JSON.parse(token));
      if (top.seen?.has(top.part)) repeated.push(pathOf(levels));
      top.seen?.add(top.part);
      keys.set(keyOf(top), span);
    } else {
      values.set(keyOf(top), span);
      if (/^[-\d]/.test(token) && !isExact(token)) inexact.push(pathOf(levels));
    }
  }
  return { values, keys, repeated, inexact, depth, tooDeep };
}

/** The same text as `spanKey` of the path of a bracket's current value. */
function keyOf(holder: OpenBracket | undefined): string {
  return holder === undefined ? '[]' : `${holder.above}${JSON.stringify(holder.part)}]`;
}

function pathOf(levels: readonly OpenBracket[]): PathPart[] {
  return levels.map(({ part }) => part);
}

function isExact(token: string): boolean {
  const number = Number(token);
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
}
