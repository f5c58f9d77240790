// What a question asks for: to see, to list, to count, to find or to compare.
import { auxiliaries } from './lexicon/function-words.ts';
import { groupsOf } from './lexicon/verbs.ts';
import type { Token } from './tokens.ts';
import type { Verb } from './tool-name.ts';
import type { Vocabulary } from './vocabulary.ts';
import { isPlural, singular } from './words.ts';

export interface Opening {
  readonly verbs: readonly Verb[];
  readonly rest: readonly Token[];
  readonly question?: true;
  /** There is no verb: a thing alone. */
  readonly bare?: true;
}

export const ASKED: Verb = { word: 'show', groups: ['get', 'list'] };

/** What a question asks for besides its nouns: how big is the size, when the time. */
const measures: Readonly<Record<string, string>> = {
  big: 'size',
  large: 'size',
  heavy: 'size',
  long: 'duration',
  old: 'time',
  fast: 'speed',
  often: 'frequency',
  expensive: 'price',
  when: 'time',
  where: 'location',
  say: 'content',
  says: 'content',
  contain: 'content',
  contains: 'content',
};

const askedBy: Readonly<Record<string, readonly string[]>> = {
  how: ['get', 'compute', 'track'],
  where: ['search', 'track'],
  why: ['explain', 'get'],
  when: ['get', 'search'],
};

const OF = wordOf('of');
/** What comes after it is neither object nor owner. */
export const BY = wordOf('by');

export function wordOf(text: string): Token {
  return { kind: 'word', text };
}

const MANY_WITHIN = 3;

export function ofQuestion(word: string, after: readonly Token[], vocabulary: Vocabulary): Opening {
  const rest = word === 'how' ? after.slice(1) : after;
  const next = after[0]?.text ?? '';
  if (word === 'how' && next === 'many') {
    return { verbs: [{ word: 'count', groups: ['count', 'list'] }], rest, question: true };
  }
  const thing = saidWhere(after, vocabulary);
  if (thing !== undefined) return { verbs: [ASKED], rest: [wordOf(`${thing}s`), ...after], question: true };
  const measure = measures[word === 'how' ? next : word] ?? measures[after.at(-1)?.text ?? ''];
  const until = after.findIndex(({ text }) => auxiliaries.has(text));
  const asksMany = after.slice(0, until < 0 ? MANY_WITHIN : until).some(({ text }) => isPlural(text));
  const groups = askedBy[word] ?? (asksMany ? ['list'] : ASKED.groups);
  const verb = { word: measure === 'content' ? 'read' : ASKED.word, groups };
  const isIdle = measure === 'location' && vocabulary.named(measure) === 0;
  const asked =
    measure === undefined || isIdle
      ? []
      : [
          OF,
          wordOf(measure),
          ...(measure !== 'content' && measure !== 'location' && vocabulary.named('info') > 0
            ? [BY, wordOf('info')]
            : []),
        ];
  return { verbs: [verb], rest: [...rest, ...asked], question: true };
}

/** What people say on something are its comments or messages: `what did they say about the draft?` */
function saidWhere(after: readonly Token[], vocabulary: Vocabulary): string | undefined {
  const isSaid = after.some(
    ({ text }, place) =>
      /^(say|said|saying|think|write|wrote)$/.test(text) && /^(on|about|in|under)$/.test(after[place + 1]?.text ?? ''),
  );
  return isSaid ? ['comment', 'message'].find((word) => vocabulary.named(word) === 1) : undefined;
}

/** `what changed between the two tags`, `show the difference between them`: they are to be compared. */
export function ofComparison(tokens: readonly Token[], vocabulary: Vocabulary): Opening | undefined {
  const place = tokens.findIndex(({ text }) => text === 'between');
  const differs = tokens.slice(0, Math.max(0, place)).findLast(({ text }) => DIFFERS.test(text));
  if (differs === undefined) return undefined;
  const kept = vocabulary.named(singular(differs.text)) > 0 ? [differs] : [];
  const compare = { word: 'compare', groups: groupsOf('compare') };
  const isOffered = compare.groups.some((group) => vocabulary.isVerb(group));
  return {
    verbs: isOffered ? [compare] : [ASKED, compare],
    rest: [...kept, ...tokens.slice(place + 1)],
    question: true,
  };
}

const DIFFERS = /^(differ|differs|different|differences?|diff|changed|changes)$/;
