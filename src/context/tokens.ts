// How many tokens a text costs a model, guessed high, in one pass over it.

/** A JSON text that is cut before commas costs no less in parts than in one piece. */
export type CountTokens = (text: string) => number;

/** Kinds of character that byte-pair encoders keep apart. */
const LOWER = 0;
const UPPER = 1;
const DIGIT = 2;
const SPACE = 3;
const MARK = 4;
const WIDE = 5;

/** How many characters of a run go into one token, by kind; 0.5 is two tokens a character. */
const PER_TOKEN: readonly number[] = [4, 2, 3, 4, 2, 0.5];

const kindOfCode: readonly number[] = Array.from({ length: 128 }, (_, code) => {
  if (code >= 97 && code <= 122) return LOWER;
  if (code >= 65 && code <= 90) return UPPER;
  if (code >= 48 && code <= 57) return DIGIT;
  return code <= 32 ? SPACE : MARK;
});

/**
 * Tokens of a text, whatever the model: runs of lower-case letters at four characters a token, digits at three,
 * capitals, punctuation and blanks dearer than encoders mostly make them, each character outside ASCII at two. It is
 * meant to err upwards on prose and JSON; linear in the length, also on pathological text.
 */
export function estimateTokens(text: string): number {
  let tokens = 0;
  let kind = SPACE;
  let run = 0;
  for (let at = 0; at < text.length; at += 1) {
    const next = kindOfCode[text.charCodeAt(at)] ?? WIDE;
    if (next === kind) {
      run += 1;
      continue;
    }
    // A capital belongs to the word that it begins, a single blank to the word or mark that follows it.
    const joins = run === 1 && (kind === UPPER ? next === LOWER : kind === SPACE && next !== WIDE && next !== DIGIT);
    if (!joins) tokens += tokensOfRun(kind, run);
    run = joins && kind === UPPER ? 2 : 1;
    kind = next;
  }
  return tokens + tokensOfRun(kind, run);
}

function tokensOfRun(kind: number, run: number): number {
  return Math.ceil(run / (PER_TOKEN[kind] ?? 1));
}

/** Bytes of a text in UTF-8. */
export function bytesOf(text: string): number {
  let bytes = text.length;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code < 0x80) continue;
    // Two units of a pair are four bytes together.
    bytes += code < 0x800 || (code >= 0xd800 && code <= 0xdfff) ? 1 : 2;
  }
  return bytes;
}
