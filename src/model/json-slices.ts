// Finds the JSON objects and arrays in a text by their brackets, in time that grows with the length of the text.

/** A place in a text where an object or a list stands. */
export interface JsonSlice {
  readonly from: number;
  /** The offset after the closing bracket; of an unclosed value, the end of the text. */
  readonly to: number;
  readonly isClosed: boolean;
}

/** Characters that a search reads at most, for each character of the text. */
const MOST_READINGS = 8;
const LEAST_READINGS = 10_000;
/** Deeper brackets are no JSON that anyone writes. */
const MOST_DEPTH = 1_000;
const OPENING = /[[{]/g;

/**
 * The outermost slices in their order. A bracket that never closes hides no slice after it, unless that slice is a part of
 * a value that was cut off; then the cut value itself is the last slice.
 */
export function jsonSlices(text: string): readonly JsonSlice[] {
  const slices: JsonSlice[] = [];
  const unclosed = new Set<number>();
  let cut: number | undefined;
  let left = MOST_READINGS * text.length + LEAST_READINGS;
  for (let at = nextOpening(text, 0); at >= 0 && left > 0; ) {
    const scan = unclosed.has(at) ? undefined : scanJson(text, at);
    left -= scan === undefined ? 0 : scan.readUpTo - at;
    if (scan?.isClosed === true) {
      if (cut === undefined || !isPart(text, at)) slices.push({ from: at, to: scan.readUpTo, isClosed: true });
    } else if (scan !== undefined) {
      if (beginsLikeJson(text, at)) cut ??= at;
      if (!scan.isTooDeep) for (const each of scan.open) unclosed.add(each);
    }
    at = nextOpening(text, scan?.isClosed === true || scan?.isTooDeep === true ? scan.readUpTo : at + 1);
  }
  const last = slices.at(-1);
  if (cut === undefined || (last !== undefined && last.from > cut)) return slices;
  return [...slices, { from: cut, to: text.length, isClosed: false }];
}

function nextOpening(text: string, from: number): number {
  OPENING.lastIndex = from;
  return OPENING.exec(text)?.index ?? -1;
}

type JsonScan =
  | { readonly isClosed: true; readonly readUpTo: number }
  | {
      readonly isClosed: false;
      readonly readUpTo: number;
      readonly isTooDeep: boolean;
      /** The offsets of the brackets that were open at the end. */
      readonly open: readonly number[];
    };

/** Reads from an opening bracket to its closing one, past strings. */
export function scanJson(text: string, from: number): JsonScan {
  const open: number[] = [];
  for (let at = from; at < text.length; at++) {
    const each = text[at];
    if (each === '"') at = endOfString(text, at);
    else if (each === '{' || each === '[') {
      open.push(at);
      if (open.length > MOST_DEPTH) return { isClosed: false, readUpTo: at, isTooDeep: true, open };
    } else if (each === '}' || each === ']') {
      const opening = text[open.pop() ?? from];
      if ((opening === '{') !== (each === '}')) return { isClosed: false, readUpTo: at, isTooDeep: false, open };
      if (open.length === 0) return { isClosed: true, readUpTo: at + 1 };
    }
  }
  return { isClosed: false, readUpTo: text.length, isTooDeep: false, open };
}

/** The offset of the closing quote, or of the end of the text. */
function endOfString(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const each = text[at];
    if (each === '"') return at;
    if (each === '\\') at += 1;
  }
  return text.length;
}

const BEGINNING = /(?:\{\s*["'}]|\[\s*(?:["'[{\]]|-?\d))/y;

/** Whether a bracket begins a value and not a remark such as `[see above]`. */
export function beginsLikeJson(text: string, at: number): boolean {
  BEGINNING.lastIndex = at;
  return BEGINNING.test(text);
}

/** Whether a value stands in a list or under a key. */
function isPart(text: string, at: number): boolean {
  const before = beforeSpace(text, at);
  if (text[before] === ':') return text[beforeSpace(text, before)] === '"';
  return text[before] === ',' || text[before] === '[';
}

const MOST_SPACE = 200;

/** The offset of the nearest character before `at` that is no space. */
function beforeSpace(text: string, at: number): number {
  let before = at - 1;
  while (before > at - MOST_SPACE && /\s/.test(text[before] ?? '')) before -= 1;
  return before;
}
