// Signals that a clause is more than an order: interaction, condition, repetition, sequence or alternative.
import { openingOf } from './is-order.ts';
import type { Verbs } from './order-verbs.ts';
import type { GoalSignal } from './task.ts';

const PERSON = '(?:me|us|(?:the )?users?|(?:the )?(?:operator|customer|reviewer)|a (?:person|human|user))';

function words(alternatives: string): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}_-])(?:${alternatives})(?![\\p{L}\\p{N}_-])`, 'iu');
}

/** Excludes points in time after "before" and "after", because they do not order steps. */
const MOMENT =
  '(?! (?:\\d|\\uE000|today|yesterday|tomorrow|noon|midnight|christmas|easter|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|mon|tue|wed|thu|fri|sat|sun|last|this (?:week|month|year)|the (?:first|last|end|start|\\d)))';

const patterns: readonly (readonly [GoalSignal['kind'], RegExp])[] = [
  [
    'interaction',
    words(
      `ask(?:s|ed|ing)? (?:to |by |of |from )?${PERSON}|i(?:['’]ll| will| can)? (?:give|provide|tell|choose|pick|specify|enter|supply|name|decide|select|say)|prompt(?:s|ed|ing)? (?:to |by )?${PERSON}|${PERSON} (?:provides?|chooses?|picks?|decides?|selects?|enters?|supplies|specifies|confirms?|approves?|wants?|asks?|says?)|(?:provided|chosen|picked|selected|entered|supplied|specified|confirmed|approved|given) by ${PERSON}|(?:let|have) ${PERSON} (?:choose|pick|decide|select|confirm|approve|enter)|(?:check|confirm|verify|consult|clarify) with ${PERSON}|(?:my|our|user|the user['’]s) (?:approval|permission|confirmation|consent|choice|answer|input|decision|feedback)|(?:wait|waits|waiting) for (?:me|us|(?:the )?user)|interactively`,
    ),
  ],
  [
    'condition',
    words('if|unless|otherwise|else|depending on|depends on whether|in case|provided that|assuming|whenever|when'),
  ],
  ['repetition', words('each|every|repeat|repeatedly|until|till|while|as long as|in a loop|one by one')],
  [
    'sequence',
    words(
      `then|(?:after|before)${MOMENT}|afterwards?|(?<!at )once|prior to|in that order|meanwhile|at the same time|in parallel|simultaneously`,
    ),
  ],
  ['alternative', words('either|or else|alternatively')],
];

interface Clause {
  /** The masked text. */
  readonly text: string;
  /** Kinds that splitters have handled already. */
  readonly accounted: ReadonlySet<GoalSignal['kind']>;
  readonly verbs?: Verbs;
}

/** The signals of a clause that no splitter has handled. */
export function signalsIn({ text, accounted, verbs }: Clause): readonly Omit<GoalSignal, 'clause'>[] {
  const found = patterns.flatMap(([kind, pattern]) => {
    const match = accounted.has(kind) ? null : pattern.exec(text);
    return match === null ? [] : [{ kind, words: match[0] }];
  });
  const choice = accounted.has('alternative') ? undefined : orderBehindOr(text, verbs);
  return [...found, ...(choice === undefined ? [] : [choice]), ...conjunctions(text)];
}

function orderBehindOr(text: string, verbs?: Verbs): Omit<GoalSignal, 'clause'> | undefined {
  for (const { index, 0: written } of text.matchAll(/ or /gi)) {
    const rest = text.slice(index + written.length, index + written.length + 60);
    if (openingOf(rest, verbs) !== 'thing') return { kind: 'alternative', words: `or ${rest.split(' ')[0] ?? ''}` };
  }
  return undefined;
}

/** A single "and" joins two things; words alone do not tell the structure of several. */
function conjunctions(text: string): readonly Omit<GoalSignal, 'clause'>[] {
  const count = text.match(/ and (?!so on|vice versa)/gi)?.length ?? 0;
  return count > 1 ? [{ kind: 'conjunction', words: `${count} times "and"` }] : [];
}
