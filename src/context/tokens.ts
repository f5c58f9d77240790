// An upper estimate of the tokens of a text, made in one pass.

/** A counter must not count fewer tokens for JSON cut before its commas than for the whole text. */
export type CountTokens = (text: string) => number;

/** Kinds of characters that byte-pair encoders keep in separate tokens. */
const LOWER = 0;
const UPPER = 1;
const DIGIT = 2;
const SPACE = 3;
/** JSON punctuation, which encoders merge into clusters. */
const FRAME = 4;
const MARK = 5;
/** Characters outside ASCII. */
const WIDE = 6;

const kindOfCode: readonly number[] = Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  if (code >= 48 && code <= 57) return DIGIT;
  if (code === 32 || code === 9 || code === 10 || code === 13) return SPACE;
  return '{}[]":,'.includes(String.fromCharCode(code)) ? FRAME : MARK;
});

/** A longer run of letters is no dictionary word. */
const LONGEST_WORD = 16;

/**
 * An upper estimate for any model: a third more for words than English encoders need, one token for two characters where
 * letters and digits touch (ids, digests), one per mark, and the bytes of characters outside ASCII. The estimate never
 * exceeds the bytes of the text, and takes linear time even on pathological text.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let kind = SPACE;
  let run = 0;
  /** For marks: repetitions of the mark before. For characters outside ASCII: their bytes. For letters: 1 when digits touch. */
  let more = 0;
  let last = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    const next = kindOfCode[code] ?? WIDE;
    if (next === kind) {
      run += 1;
      if (kind === MARK && code === last) more += 1;
      if (kind === WIDE) more += bytesOfCode(code);
      last = code;
      continue;
    }
    const touches = isAlphanumeric(kind) && isAlphanumeric(next) && (kind === DIGIT || next === DIGIT);
    // A capital joins the word it begins; a single blank joins the next word or mark.
    const joins = run === 1 && (kind === UPPER ? next === LOWER : kind === SPACE && next !== WIDE && next !== DIGIT);
    if (!joins) tokens += tokensOfRun(kind, run, touches ? 1 : more);
    const carried = joins && kind === UPPER;
    run = carried ? 2 : 1;
    more = next === WIDE ? bytesOfCode(code) : touches ? 1 : carried ? more : 0;
    kind = next;
    last = code;
  }
  return tokens + tokensOfRun(kind, run, more);
}

function isAlphanumeric(kind: number): boolean {
  return kind <= DIGIT;
}

function tokensOfRun(kind: number, run: number, more: number): number {
  if (run === 0) return 0;
  switch (kind) {
    case LOWER:
      if (more > 0) return Math.ceil(run / 2);
      if (run > LONGEST_WORD) return 5 + Math.ceil((run - LONGEST_WORD) / 2);
      return Math.max(1, Math.ceil((run - 1) / 3));
    case UPPER:
      return Math.ceil(run / 2);
    case DIGIT:
      return Math.ceil(run / (more > 0 ? 2 : 3));
    case SPACE:
      return Math.ceil(run / 4);
    case FRAME:
      return Math.ceil(run / 3);
    case MARK:
      return run - more + Math.ceil(more / 4);
    default:
      return more;
  }
}

/** The tokens of a character outside ASCII: 2 for common Asian characters, otherwise its bytes in UTF-8. */
function bytesOfCode(code: number): number {
  if (code < 0x800) return 2;
  const common = (code >= 0x3000 && code < 0xa000) || (code >= 0xac00 && code < 0xe000);
  return common || code >= 0xff00 ? 2 : 3;
}

/** Bytes of a text in UTF-8. */
export function bytesOf(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    // The two units of a surrogate pair are four bytes together.
    bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}

/** Long runs without a word: encoders need quadratic time for them. */
const LONG_RUN = /[\p{L}\p{M}]{200,}|[^\s\p{L}\p{N}]{200,}|\s{200,}/gu;
const PIECE = 100;

/** Counts with a model's own encoder in linear time: long runs are counted in pieces. */
export function boundedCount(encoder: CountTokens): CountTokens {
  return (text) => {
    let tokens = 0;
    let from = 0;
    for (const { 0: run, index } of text.matchAll(LONG_RUN)) {
      tokens += encoder(text.slice(from, index));
      const characters = [...run];
      for (let at = 0; at < characters.length; at += PIECE)
        tokens += encoder(characters.slice(at, at + PIECE).join(''));
      from = index + run.length;
    }
    return tokens + (from === text.length ? 0 : encoder(text.slice(from)));
  };
}
