// Finds phrases of an order that give arguments: refinements, dates, names and labels.
import type { Json } from '../../base/json.ts';
import { openKinds, type Schema, valuesOf } from '../../contract/schema.ts';
import { mask } from '../match/mask.ts';
import { isFunctionWord, stemOf, termOf, termsOfText } from '../match/terms.ts';
import { DATE, dateIn } from './date.ts';
import { NUMBER } from './number.ts';
import { type Refinement, refinementsWithin, unquoted } from './refinement.ts';
import { phrasesOf, stemsOf } from './synonyms.ts';

/** A refinement, or a value with possible argument names, likeliest first. */
export interface ArgumentPhrase {
  /** The words of a phrase that can only be an argument: an unused one must be reported. */
  readonly says?: string;
  readonly refinement?: Refinement;
  readonly names?: readonly string[];
  readonly value?: Json;
  readonly numbers?: readonly number[];
  /** The order sets this value (`set the priority to high`), even when other words only select things. */
  readonly isSet?: true;
  /** Converts the value for a property; undefined when the value is not meant for it. */
  readonly read?: (value: Json, property: PropertyCandidate) => Json | undefined;
}

/** A property that may take a phrase's value. */
interface PropertyCandidate {
  readonly name: string;
  readonly schema: Schema;
  /** The name and description of the property's tool. */
  readonly tool: string;
}

export function phrasesIn(order: string): readonly ArgumentPhrase[] {
  const bare = withoutQuotes(order);
  return [...refinementsWithin(bare), ...datedIn(bare), ...namedIn(order), ...markedIn(bare), ...soughtIn(order)];
}

/** Blanks out quoted texts; all other words keep their places. */
export function withoutQuotes(order: string): string {
  return order.replaceAll(/(["'`])(?:(?!\1).)*\1/g, (quoted) => ' '.repeat(quoted.length));
}

const RELATIVE =
  '(?:yesterday|today|tomorrow|(?:last|this|next) (?:week|month|year|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|\\d+ (?:days?|weeks?|months?|hours?) ago)';
const DAY = `(${DATE}|${RELATIVE})`;

const DATED: readonly (readonly [RegExp, ...(readonly string[])[]])[] = [
  [new RegExp(`\\bbetween ${DAY} and ${DAY}`, 'giu'), ['since'], ['until']],
  [new RegExp(`\\bfrom ${DAY} (?:to|until|till) ${DAY}`, 'giu'), ['since'], ['until']],
  [new RegExp(`\\bdue (?:on |by )?(?:the )?${DAY}`, 'giu'), ['due date', 'until']],
  [new RegExp(`\\b(?:since|after|from|starting(?: on| from)?) (?:the )?${DAY}`, 'giu'), ['since']],
  [new RegExp(`\\b(?:until|till|before|up to|ending(?: on)?) (?:the )?${DAY}`, 'giu'), ['until']],
  [new RegExp(`\\b(?:on|for) (?:the )?${DAY}`, 'giu'), ['date']],
];

function datedIn(order: string): readonly ArgumentPhrase[] {
  let text = order;
  return DATED.flatMap(([pattern, ...named]) => {
    const found = [...text.matchAll(pattern)].flatMap(([says, ...days]) =>
      named.map(
        (names, at): ArgumentPhrase => ({ says, names, value: days[at] ?? '', read: dayFor, numbers: numbersIn(says) }),
      ),
    );
    text = text.replaceAll(pattern, (says) => ' '.repeat(says.length));
    return found;
  });
}

function numbersIn(text: string): readonly number[] {
  return (text.match(/\d+/g) ?? []).map(Number);
}

/** A relative day such as `yesterday` is passed on only to properties that accept such words. */
function dayFor(value: Json, { schema }: PropertyCandidate): Json | undefined {
  const text = String(value);
  // A time of day must not be dropped silently, so such a text does not fit a property that takes only days.
  if (!RELATIVE_DAY.test(text))
    return dateIn(text, schema)[0] ?? (/\d\s*(?:[ap]m|:)/i.test(text) && !/\dT\d/.test(text) ? undefined : value);
  const takes = valuesOf(schema) !== undefined || TAKES_RELATIVE.test(String(schema.description ?? ''));
  return takes ? value : undefined;
}

const RELATIVE_DAY = new RegExp(`^${RELATIVE}$`, 'iu');
const TAKES_RELATIVE = /\b(?:relative|natural language|yesterday|ago)\b/i;

const QUOTED = '"[^"]+"|\'[^\']+\'|`[^`]+`';
const WORD = '[@#]?[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_./:@#+-]*[\\p{L}\\p{N}])?';
const ONE = `(?:${QUOTED}|${WORD})`;
const STOP =
  '(?:and|or|but|with|without|by|in|of|for|from|on|to|into|at|as|sorted|ordered|that|which|since|until|before|after|due|called|named|titled|assigned|labell?ed|tagged|saying|including|excluding|only)';
const SEVERAL = `${ONE}(?:(?:, (?:and )?| and )(?!${STOP}\\b)${ONE})*`;
const NAME = '[\\p{L}_][\\p{L}\\p{N}_-]*';
const STOPS = `(?=\\s*(?:[,;)]|\\.?$|\\.\\s|\\b${STOP}\\b))`;

const NAMED: readonly RegExp[] = [
  // For example `with the label bug`, `whose state is open`, `in repo acme/site`, `labels bug and urgent`.
  new RegExp(
    `(\\b(?:with|by|in|of|for|from|whose|having|on|to|at|under|and|into|use|using|set|as|add)|,|(?<=\\p{L}))\\s+(?:the |a |an |its |their )?(${NAME}(?: ${NAME})??)(?:\\s+(?:is|are|=|equal to|of|set to|to))?\\s+(${SEVERAL})${STOPS}`,
    'giu',
  ),
];

/** For example `set the priority of issue 5 to high`. */
const SET = new RegExp(
  `\\b(?:set|change|update|switch|move)\\s+(?:the |its )?(${NAME})(?:\\s+of\\s+.*?)?\\s+to\\s+(${SEVERAL})${STOPS}`,
  'giu',
);

/** An id after its noun, such as `issue 12` or `pull request #7`. */
const NUMBERED = new RegExp(
  `(?<=\\s)(${NAME}(?: ${NAME})??) (#?\\d[\\p{L}\\p{N}_-]*|[A-Z][A-Z\\d]*-\\d+|${QUOTED})(?!\\p{L}|[.\\d/]*\\d| \\p{Lu})`,
  'gu',
);

/** A value before its noun, such as `the bug label` or `on the main branch`. */
const BEFORE = new RegExp(
  `\\b(?:with|in|on|to|from|into|of|under|add|use|using)\\s+the\\s+(${ONE})\\s+(${NAME})${STOPS}`,
  'giu',
);

const OWN: readonly (readonly [RegExp, readonly string[]])[] = [
  [
    new RegExp(
      `\\b(?:titled|entitled|called|named|headed)\\s+(${QUOTED}|[^\\s,;]+(?: [^\\s,;]+)*?(?=\\s*(?:[,;]|\\.?$|\\b(?:with|in|on|for|and|from|to)\\b)))`,
      'giu',
    ),
    ['title', 'name'],
  ],
  [new RegExp(`\\b(?:saying|that says|reading|to say)\\s+(${QUOTED})`, 'giu'), ['text']],
  [new RegExp(`\\b(?:labell?ed|tagged)(?: with| as)?\\s+(${SEVERAL})${STOPS}`, 'giu'), ['labels']],
  [new RegExp(`\\bassign(?:ed)?\\b(?:.*?\\bto)\\s+(${SEVERAL})${STOPS}`, 'giu'), ['assignee']],
  [new RegExp(`\\b(?:by|authored by|created by)\\s+(@${WORD})`, 'giu'), ['author', 'username']],
];

function namedIn(order: string): readonly ArgumentPhrase[] {
  const own = OWN.flatMap(([pattern, names]) =>
    [...order.matchAll(pattern)].map(([, value = '']): ArgumentPhrase => said(names, value)),
  );
  const numbered = [...order.matchAll(NUMBERED)].flatMap(([, name = '', value = '']) => spoken(name, value));
  const named = NAMED.flatMap((pattern) =>
    overlapping(order, pattern).flatMap(([, lead, name = '', value = '']) => spoken(name, value, lead === '')),
  );
  const set = [...order.matchAll(SET)].map(
    ([, name = '', value = '']): ArgumentPhrase => ({ ...said([name], value), isSet: true }),
  );
  const before = [...order.matchAll(BEFORE)].flatMap(([, value = '', name = '']) =>
    isFunctionWord(value) || POINTS.test(value) ? [] : [said([name], value)],
  );
  return [...own, ...branchesIn(order), ...set, ...numbered, ...named, ...before];
}

const POINTS =
  /^(?:same|new|current|default|right|whole|given|first|last|other|latest|open|next|previous|following|main)$/i;

/** All matches, overlapping ones included: `with label bug in repo site` holds two. */
function overlapping(text: string, pattern: RegExp): readonly RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    found.push(match);
    pattern.lastIndex = match.index + 1;
  }
  return found;
}

/**
 * Reads a name of one or two words and its value; the last word alone is a second possible name, unless it is a function
 * word. Without a preposition before the name (`isBare`), a plain word may be anything, so its use is stricter.
 */
function spoken(name: string, value: string, isBare = false): readonly ArgumentPhrase[] {
  const words = name.split(' ');
  const [last = '', first] = words.toReversed();
  if (DATES.test(last) || POINTS.test(value)) return [];
  // `per page` is one name and does not mean `page`.
  const isOne = phrasesOf(stemsOf(name)).length === 1;
  const names = [...(first === undefined ? [] : [name]), ...(isFunctionWord(last) || (first && isOne) ? [] : [last])];
  return names.length === 0 ? [] : [said(names, value, isBare)];
}

/** Words that begin date and limit phrases, which are read elsewhere. */
const DATES = /^(?:since|until|till|before|after|between|first|last|latest|top|next)$/i;
/** Signs that a word is a value: digits, quotes, separators, capitals. */
const IS_VALUE = /[\d@#_"'`./-]|\p{Lu}/u;

function said(names: readonly string[], written: string, isBare = false): ArgumentPhrase {
  const isHandles = /^@\S+(?:(?:, | and |, and )@\S+)*$/u.test(written);
  const value = isHandles ? written.replaceAll('@', '') : unquoted(written);
  return {
    names,
    value,
    read: (_, { name, schema, tool }) => {
      const isSure = IS_VALUE.test(written) || valuesOf(schema) !== undefined;
      if (isBare && !isSure && !(names.includes(name) && isNews(value, tool))) return undefined;
      // Several values only fit a list property.
      const isSeveral = /^\S+,? and |^\S+, /.test(value) && unquoted(written) === written;
      return isSeveral && !openKinds(schema, schema).has('list') ? undefined : value;
    },
  };
}

/** Tells a new value (`branch hotfix`) from words about the tool itself (`project update`). */
function isNews(value: string, tool: string): boolean {
  return !termOf(value).isPlural && !termsOfText(tool).some(({ stem }) => stem === stemOf(value));
}

const FROM_INTO = new RegExp(
  `\\bfrom (?:the |branch )?(${WORD})(?: branch)? (?:in)?to (?:the |branch )?(${WORD})(?: branch)?${STOPS}`,
  'giu',
);

function branchesIn(order: string): readonly ArgumentPhrase[] {
  const both = [...order.matchAll(FROM_INTO)];
  if (both.length === 0)
    return [...order.matchAll(BRANCHED)].map(([, value = '']) => ({ names: ['from branch'], value }));
  return both.flatMap(([, source = '', target = '']) => [
    { names: ['source branch', 'origin'], value: source },
    { names: ['target branch', 'destination'], value: target },
  ]);
}

const BRANCHED = new RegExp(`\\bbranch\\b.*?\\b(?:from|off) (?:the )?(${WORD})(?: branch)?${STOPS}`, 'giu');

const MARKED: readonly (readonly [RegExp, readonly string[]])[] = [
  [/(?<![\p{L}\p{N}])(#\p{L}[\p{L}\p{N}_-]*)/gu, ['channel']],
  [/(?<![\p{L}\p{N}])@([\p{L}\p{N}][\p{L}\p{N}_-]*)/gu, ['username', 'assignee', 'recipient']],
  [/(?<![\p{L}\p{N}])[\p{L}\p{N}_.+-]+@[\p{L}\p{N}-]+\.[\p{L}\p{N}.-]*[\p{L}\p{N}]/gu, ['email', 'recipient']],
];

/** Values recognized by their form: `acme/site`, `#general`, `@ann`, `ann@site.org`. */
function markedIn(order: string): readonly ArgumentPhrase[] {
  const { text } = mask(order);
  const marked = MARKED.flatMap(([pattern, names]) =>
    [...text.matchAll(pattern)].map(([whole, value = whole]): ArgumentPhrase => ({ names, value })),
  );
  return [...repositoryIn(text), ...marked];
}

const OWNED =
  /(?<![\p{L}\p{N}/@.-])((?=\S*\p{L}\S*\/)[\p{L}\p{N}][\p{L}\p{N}_-]*\/[\p{L}\p{N}](?:[\p{L}\p{N}_.-]*[\p{L}\p{N}])?)(?![\p{L}\p{N}/])/gu;
const EITHER = /^(?:and\/or|either\/or|he\/she|n\/a|read\/write|yes\/no)$/i;
const PLACED = /(?:^|\s)(?:in|of|on|for|from|to|at|repo|repository|project)\s+$/i;

/** The repository of an order; among several candidates, the only one after a word of place. */
function repositoryIn(text: string): readonly ArgumentPhrase[] {
  const found = [...text.matchAll(OWNED)].filter(([value]) => !EITHER.test(value));
  const placed = found.filter(({ index }) => PLACED.test(text.slice(0, index)));
  const [only, another] = found.length > 1 ? placed : found;
  return only === undefined || another !== undefined ? [] : [{ names: ['repository'], value: only[0] }];
}

const SOUGHT =
  /^(?:please )?(?:search|look|google|query|find|browse)\b(?:(?!\bfor\b|\babout\b).)*?\b(?:for|about|matching|containing|mentioning)\s+(.+)$/iu;
const ENDS_SOUGHT = new RegExp(
  `(?:,|;|\\s(?:and )?(?:give|show|return)(?: me)?\\s+(?:only )?${NUMBER}\\s|\\s(?:in|of|from|on|with|since|until|sorted|ordered)\\s+(?:the )?(?:repo|repository|project|team|channel|label|labels|state|page|by|\\S+\\/|\\d|#|@)|\\s\\(|\\s${NUMBER} per page).*$`,
  'iu',
);

/** The unquoted search words of `search the docs for cheap flights`. */
function soughtIn(order: string): readonly ArgumentPhrase[] {
  const sought = (SOUGHT.exec(order)?.[1] ?? '')
    .replace(ENDS_SOUGHT, '')
    .replace(/[.!?]+$/, '')
    .trim();
  return sought === '' || /["'`]/.test(sought) ? [] : [{ names: ['query'], value: sought }];
}
