// Estimates the size of a compiled regex, in instructions, from its source.

/** A Unicode class such as \pL has hundreds of ranges. */
const UNICODE_CLASS = 200;
/** Case-insensitive ranges are expanded letter by letter. */
const LETTERS_A_UNIT = 32;
const LAST_LETTER = 125_251;

/** `\d`, `\pL`, `\p{Greek}`, `\x{10ffff}` */
const ESCAPE = /\\(?:[pPx]\{[^}]*\}|[pP][\s\S]|x..|[\s\S])/y;

/** For an invalid pattern, the weight of the valid beginning. */
export function weighPattern(source: string): number {
  const folds = /\(\?[a-zA-Z]*i/.test(source) ? 2 : 1;
  const groups: Sequence[] = [{ before: 0, last: 0 }];
  let at = 0;
  while (at < source.length) {
    const sequence = groups.at(-1) ?? { before: 0, last: 0 };
    const letter = source[at] ?? '';
    const repeat = letter === '{' ? /^\{(\d{1,4})(?:,(\d{0,4}))?\}/.exec(source.slice(at, at + 11)) : null;
    if (repeat !== null) {
      sequence.last = sequence.last * Math.max(1, Number(repeat[1]), Number(repeat[2] ?? 0)) + 1;
      at += repeat[0].length;
    } else if (letter === '*' || letter === '+' || letter === '?') {
      sequence.last += 1;
      at += 1;
    } else if (letter === '(') {
      groups.push({ before: 0, last: 0 });
      at += 1;
    } else if (letter === ')' && groups.length > 1) {
      groups.pop();
      append(groups, 2 + sequence.before + sequence.last);
      at += 1;
    } else if (letter === '[') {
      const end = classEnd(source, at);
      append(groups, folds * weighClass(source.slice(at + 1, end), folds > 1));
      at = end + 1;
    } else if (letter === '\\') {
      ESCAPE.lastIndex = at;
      const [escaped = ''] = ESCAPE.exec(source) ?? [];
      append(groups, /^\\[pP]/.test(escaped) ? folds * UNICODE_CLASS : 1);
      at += Math.max(1, escaped.length);
    } else {
      append(groups, 1);
      at += 1;
    }
  }
  return groups.reduce((sum, { before, last }) => sum + before + last, 2);
}

/** `last` is the part that a following repetition repeats. */
interface Sequence {
  before: number;
  last: number;
}

function append(groups: readonly Sequence[], weight: number): void {
  const sequence = groups.at(-1);
  if (sequence === undefined) return;
  sequence.before += sequence.last;
  sequence.last = weight;
}

/** The end of a class; a closing bracket in first place is literal. */
function classEnd(source: string, open: number): number {
  let at = open + 1;
  if (source[at] === '^') at += 1;
  if (source[at] === ']') at += 1;
  while (at < source.length && source[at] !== ']') {
    if (source.startsWith('[:', at)) at = Math.max(at, source.indexOf(':]', at)) + 1;
    else at += source[at] === '\\' ? 2 : 1;
  }
  return at;
}

function weighClass(inside: string, folds: boolean): number {
  const classes = inside.match(/\\[pP]/g)?.length ?? 0;
  const plain = 1 + (inside.length >> 2) + classes * UNICODE_CLASS;
  if (!folds) return plain;
  const wide = /[^ -~]|\\[xpPQ0-7]/.test(inside);
  const ranges = inside.match(/-/g)?.length ?? 0;
  return plain + ranges * (wide ? LAST_LETTER / LETTERS_A_UNIT : 1);
}
