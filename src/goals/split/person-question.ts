// Finds clauses that order to ask a person, and words the question.
import { capitalized } from '../match/terms.ts';

const PERSON = '(?:me|us|the (?:user|operator|owner|customer|reviewer|team)|users?|a (?:person|human|user))';
const MINE = "(?:my|our|the user['’]s|user|human|a (?:person|human)['’]s)";
const WAITING = '(?:get|request|obtain|wait for|await)';
const CONSENT = '(?:approval|confirmation|permission|consent|agreement|go-ahead|sign-off|ok)';

/** Orders to ask; the group holds the subject of the question. */
const ASKING: readonly RegExp[] = [
  new RegExp(`^(?:ask|prompt|consult|query) ${PERSON}(?: first)?(?![\\p{L}])(.*)$`, 'iu'),
  new RegExp(`^(?:let|have) ${PERSON} (?:choose|pick|decide|select|enter|provide|specify|tell)(?![\\p{L}])(.*)$`, 'iu'),
  new RegExp(`^clarify with ${PERSON}(?![\\p{L}])(.*)$`, 'iu'),
  new RegExp(`^${WAITING} ${MINE} (?:input|answer|choice|decision|feedback|reply)(?![\\p{L}])(.*)$`, 'iu'),
];

/** Orders to get a person's consent. */
const AGREEING: readonly RegExp[] = [
  new RegExp(
    `^(?:check|confirm|verify|clear|double-check)(?: (?:it|that|this|them))? with ${PERSON}(?: first)?(?![\\p{L}])`,
    'iu',
  ),
  new RegExp(`^(?:let|have) ${PERSON} (?:confirm|approve|review|check|sign off|agree|see|look)(?![\\p{L}])`, 'iu'),
  new RegExp(`^(?:ask for|${WAITING}) (?:${MINE} )?${CONSENT}(?![\\p{L}])`, 'iu'),
];

export interface PersonQuestion {
  /** A consent (yes or no), or an answer. */
  readonly wants: 'consent' | 'answer';
  /** The subject, such as `for the page size`; empty for a consent. */
  readonly about: string;
}

/** The question that a clause orders, or undefined. */
export function personQuestionIn(order: string): PersonQuestion | undefined {
  if (AGREEING.some((pattern) => pattern.test(order))) return { wants: 'consent', about: '' };
  for (const pattern of ASKING) {
    const match = pattern.exec(order);
    if (match === null) continue;
    const about = (match[1] ?? '').replace(/[\s,]*\bfirst$/iu, '').trim();
    return consents(about) ? { wants: 'consent', about: '' } : { wants: 'answer', about };
  }
  return undefined;
}

/**
 * Splits `ask me for the title and the body of the ticket` into two questions; the phrase after the last one (`of the
 * ticket`) belongs to all. Undefined when the clause asks for several things that words do not separate.
 */
export function questionsIn(order: string): readonly string[] | undefined {
  const [, about = ''] = /^for (.*)$/iu.exec(personQuestionIn(order)?.about ?? '') ?? [];
  const things = about.split(/, and |, | and /iu);
  if (things.length < 2) return [order];
  const last = things.at(-1) ?? '';
  const tail = / (?:of|for|in|on|to) (?:the|an?|this|that|my|our|your|its) .*$/iu.exec(last)?.[0] ?? '';
  const names = [...things.slice(0, -1), last.slice(0, last.length - tail.length)];
  const before = order.slice(0, order.indexOf(about));
  return names.every((each) => NAMED.test(each)) ? names.map((each) => `${before}${each}${tail}`) : undefined;
}

/** One or two nouns, with or without an article: `the start date`, `date of birth`. */
const NAMED = /^(?:(?:the|an?|my|our|your|its|their) )?\p{L}[\p{L}_-]*(?: \p{L}[\p{L}_-]*)?(?: of \p{L}+)?$/iu;

function consents(about: string): boolean {
  return about === '' || new RegExp(`^(?:for|to) (?:${MINE} )?(?:${CONSENT}|confirm|approve|agree)`, 'iu').test(about);
}

/** Words the question: `ask me for the page size` becomes "What is the page size?"; a question is kept. */
export function questionOf(description: string): string {
  const about = personQuestionIn(description)?.about ?? description;
  const bare = about
    .replace(/^(?:about|for|on|to (?:provide|enter|specify|choose|select|give|tell)(?: you)?)\s+/iu, '')
    .trim();
  if (bare === '') return 'May the work go on?';
  if (/\?$/.test(bare)) return bare;
  if (/^(?:what|which|who|whom|whose|where|when|why|how)(?![\p{L}])/iu.test(bare)) return `${capitalized(bare)}?`;
  const whether = /^(?:whether|if) (.*)$/iu.exec(bare)?.[1];
  if (whether !== undefined) return `Yes or no: ${whether}?`;
  const isNamed = /^(?:the|an?|my|our|your)\s/iu.test(bare);
  if (bare !== about || isNamed) return `What is ${isNamed ? bare : `the ${bare}`}?`;
  return `${capitalized(bare)}?`;
}

const DOUBT =
  /(?<![\p{L}])(?:tbd|to be (?:decided|determined|confirmed)|not sure (?:which|what|whether|if|how)|unclear (?:which|what|whether|if|how))(?![\p{L}])|\?\?+/iu;

/** Tells whether a clause leaves something undecided. */
export function isDoubt(text: string): boolean {
  return DOUBT.test(text);
}
