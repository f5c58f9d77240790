// Where each part of a JSON text stands; for texts that JSON.parse has accepted.
import type { PathPart } from '../../base/issue.ts';

type Span = readonly [from: number, to: number];

export interface JsonPositions {
  readonly values: ReadonlyMap<string, Span>;
  readonly keys: ReadonlyMap<string, Span>;
  /** Paths of keys that stand twice in their map. */
  readonly repeated: readonly (readonly PathPart[])[];
  /** Paths and spans of numbers that cannot be held exactly. */
  readonly inexact: readonly (readonly PathPart[])[];
  readonly depth: number;
}

interface OpenBracket {
  readonly from: number;
  readonly seen: Set<string> | undefined;
  /** The key or index of what comes next. */
  part: PathPart;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g;

export function spanKey(path: readonly PathPart[]): string {
  return JSON.stringify(path);
}

/** One pass over the text, without recursion. */
export function jsonPositions(text: string): JsonPositions {
  const values = new Map<string, Span>();
  const keys = new Map<string, Span>();
  const repeated: PathPart[][] = [];
  const inexact: PathPart[][] = [];
  const levels: OpenBracket[] = [];
  let depth = 0;
  let keyComes = false;
  for (const match of text.matchAll(TOKEN)) {
    const [token] = match;
    const span: Span = [match.index, match.index + token.length];
    const path = levels.map((level) => level.part);
    const top = levels.at(-1);
    if (token === '{' || token === '[') {
      levels.push({ from: span[0], seen: token === '{' ? new Set() : undefined, part: token === '{' ? '' : 0 });
      depth = Math.max(depth, levels.length);
      keyComes = token === '{';
    } else if (token === '}' || token === ']') {
      levels.pop();
      values.set(spanKey(path.slice(0, -1)), [top?.from ?? 0, span[1]]);
      keyComes = false;
    } else if (token === ',') {
      if (typeof top?.part === 'number') top.part += 1;
      keyComes = top?.seen !== undefined;
    } else if (token === ':') {
      keyComes = false;
    } else if (keyComes && top !== undefined) {
      top.part = String(JSON.parse(token));
      path[path.length - 1] = top.part;
      if (top.seen?.has(top.part)) repeated.push(path);
      top.seen?.add(top.part);
      keys.set(spanKey(path), span);
    } else {
      values.set(spanKey(path), span);
      if (/^[-\d]/.test(token) && !isExact(token)) inexact.push(path);
    }
  }
  return { values, keys, repeated, inexact, depth };
}

function isExact(token: string): boolean {
  const number = Number(token);
  return Number.isFinite(number) && (!Number.isInteger(number) || Number.isSafeInteger(number));
}
