// A sentence in pieces: words, values that stand for themselves (numbers, paths, quoted text, names), and where it breaks.
import { singular } from './words.ts';

export interface Token {
  readonly kind: 'word' | 'value' | 'comma' | 'break';
  /** Words in lower case, values as they stand. */
  readonly text: string;
  /** What kind of thing a value is by its looks, when that is plain. */
  readonly implies?: string;
  /** `Kim's thread`: what follows belongs to it. */
  readonly owns?: true;
}

type Known = (word: string) => boolean;

const PIECE = /"[^"]*"|“[^”]*”|`[^`]*`|(?<=^|\s)'[^']*'(?=[\s.,;:?!]|$)|[^\s]+/gu;

const SHORT: Readonly<Record<string, readonly string[]>> = {
  "what's": ['what', 'is'],
  "who's": ['who', 'is'],
  "where's": ['where', 'is'],
  "when's": ['when', 'is'],
  "how's": ['how', 'is'],
  "it's": ['it', 'is'],
  "that's": ['that', 'is'],
  "there's": ['there', 'is'],
  cannot: ['can', 'not'],
};

/** `isKnown` tells the words that tools are about from names, which begin with a capital or are made up. */
export function tokensOf(goal: string, isKnown: Known): readonly Token[] {
  const tokens: Token[] = [];
  for (const [piece] of goal.replaceAll('’', "'").matchAll(PIECE)) {
    if (/^["“`']/.test(piece) && piece.length > 1 && !/^'\p{L}+$/u.test(piece)) {
      tokens.push(value(piece));
      continue;
    }
    const [, open = '', body = '', close = ''] = /^([("'[]*)(.*?)([)\]"'.,;:?!…]*)$/u.exec(piece) ?? [];
    if (open.includes('(')) tokens.push({ kind: 'comma', text: '(' });
    const starts = tokens.length === 0 || tokens.at(-1)?.kind === 'break';
    if (body !== '' && !/^[-–—]+$/.test(body)) tokens.push(...ofBody(body, starts, isKnown));
    if (/^[-–—]+$/.test(body) || /[.;:?!…]/.test(close)) tokens.push({ kind: 'break', text: close });
    else if (close !== '') tokens.push({ kind: 'comma', text: close });
  }
  return tokens;
}

/** Files that everybody names without an ending. */
const WELL_KNOWN_FILE = /^(readme|license|licence|changelog|dockerfile|makefile|gemfile|codeowners)$/i;

function ofBody(body: string, starts: boolean, isKnown: Known): readonly Token[] {
  const lower = body.toLowerCase();
  const short = SHORT[lower];
  if (short !== undefined) return short.map(word);
  if (WELL_KNOWN_FILE.test(lower) && !isKnown(lower)) return [value(body)];
  const owner = /^(.+)'s$|^(.+s)'$/u.exec(lower);
  if (owner !== null) {
    const owning = owner[1] ?? owner[2] ?? '';
    const isName = /^#?\d/.test(body) || (/^\p{Lu}/u.test(body) && !starts && !isKnown(singular(owning)));
    return [{ kind: isName ? 'value' : 'word', text: isName ? body : owning, owns: true }];
  }
  if (/^[\p{L}]+'\p{L}+$/u.test(body)) return [word(lower)];
  if (/^re-\p{L}+$/u.test(lower)) return [word(lower.replace('-', ''))];
  if (/^\p{L}+$/u.test(body)) {
    const isMadeUp = /\p{Ll}\p{Lu}/u.test(body);
    const isName = (isMadeUp || (/^\p{Lu}/u.test(body) && body !== 'I' && !starts)) && !isKnown(singular(lower));
    return [isName ? value(body) : word(lower)];
  }
  const parts = lower.split(/[-/]/);
  if (/^\p{L}+([-/]\p{L}+)+$/u.test(body) && parts.every((part) => isKnown(singular(part)))) return parts.map(word);
  return [value(body)];
}

function word(text: string): Token {
  return { kind: 'word', text };
}

function value(text: string): Token {
  const implies = impliedBy(text);
  return { kind: 'value', text, ...(implies === undefined ? {} : { implies }) };
}

function impliedBy(text: string): string | undefined {
  if (/^https?:/i.test(text)) return 'url';
  if (/^[^@\s]+@[^@\s]+\.\w+$/.test(text)) return 'email';
  if (WELL_KNOWN_FILE.test(text)) return 'file';
  if (/^["“'`]?[\w./~*-]*\.(?!com$|org$|net$|io$)[a-z]\w{0,4}["”'`]?$/i.test(text)) return 'file';
  return undefined;
}
