// Connectors between clauses, and the ends of sentences.

const DONE =
  "(?:once|when|after) (?:that|this|it|they|these|everything|all)(?:['’]s|['’]re| is| are)?(?: all)? (?:done|finished|complete|ready)";
const SURE = `then|after that|after this|after which|afterwards?|thereafter|subsequently|${DONE}`;
/** These need a comma or "and" beside them, because "the next release" is no connector. */
const UNSURE = 'next|finally|lastly|eventually|in the end|at the end';
const SEQUENCE = `${SURE}|${UNSURE}`;
const COMMA = '(?:\\s*[;,:]| [–—-]{1,2}(?= ))';

/** All possible joints between clauses; `clausesOf` decides which ones cut. */
export const JOINT = new RegExp(
  [
    `(?:${COMMA}(?: (?:and|but|or))?| (?:and|but|or))(?: also)? (?:${SEQUENCE}),?(?= |$)`,
    ` (?:${SURE}),?(?= |$)`,
    ` (?:${UNSURE}),(?= )`,
    '\\s*;',
    ',(?: (?:and|but))?(?= )',
    ' (?:and|but|&)(?= )',
    ' [–—]{1,2}(?= )',
    ' (?:->|→|=>|followed by)(?= )',
  ].join('|'),
  'giu',
);

const IN_TIME = new RegExp(`(?<![\\p{L}])(?:${SEQUENCE}|followed by)(?![\\p{L}])|->|→|=>`, 'iu');

export function isInTime(joint: string): boolean {
  return IN_TIME.test(joint);
}

/** Leading words that put a sentence after the sentences before it. */
const LEADING_SEQUENCE = new RegExp(
  `^(?:and |but |so )?(?:${SEQUENCE}|last|second(?:ly)?|third(?:ly)?|fourth(?:ly)?|fifth(?:ly)?)(?:,? |$)`,
  'iu',
);
/** Leading words without an order of time, or with "first". */
const LEADING =
  /^(?:(?:and|but|so|first(?:ly)?|first of all|to begin with|additionally|besides|moreover|furthermore|in addition)(?:, | (?=\D)))+/iu;

export interface ClauseLead {
  readonly text: string;
  readonly sequence: boolean;
  /** It begins with "but", so it is about the clause before. */
  readonly but: boolean;
}

export function withoutLead(text: string): ClauseLead {
  const but = /^but\b/i.test(text);
  const after = text.replace(LEADING_SEQUENCE, '');
  return { text: after.replace(LEADING, '').trim(), sequence: after !== text, but };
}

const END = /[.!?…]+["'”’)\]]*(?= |$)|[。！？；]+/gu;
const ABBREVIATION = /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|approx|dr|mr|mrs|ms|st|nr|fig|incl|resp|\p{Lu})\.$/iu;

export interface Sentence {
  readonly text: string;
  readonly question: boolean;
}

/** Splits a text on one line into sentences. */
export function sentencesOf(text: string): readonly Sentence[] {
  const sentences: Sentence[] = [];
  let from = 0;
  const cut = (to: number, mark: string): void => {
    const each = text.slice(from, to).trim();
    if (/[\p{L}\p{N}\uE000]/u.test(each)) sentences.push({ text: each, question: /[?？]/u.test(mark) });
    from = to + mark.length;
  };
  for (const { 0: mark, index } of text.matchAll(END)) {
    if (mark === '.' && ABBREVIATION.test(text.slice(Math.max(0, index - 8), index + 1))) continue;
    cut(index, mark);
  }
  cut(text.length, '');
  return sentences;
}
