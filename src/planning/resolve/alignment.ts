// How well what a capability does is what a clause asks to do.
import type { Clause } from './goal.ts';
import { areNear, classOf, isKindOf } from './lexicon/verbs.ts';
import { likeness } from './likeness.ts';
import { named } from './named.ts';
import type { Profile } from './profile.ts';
import type { Verb } from './tool-name.ts';
import type { Vocabulary } from './vocabulary.ts';
import { partsOf, singular, verbForms } from './words.ts';

/** The best of each verb of the clause with each of the capability. */
export function alignment(clause: Clause, profile: Profile, vocabulary: Vocabulary): number {
  const { verbs, told, choices } = profile;
  if (isOrder(clause, profile)) return ORDERED;
  if (clause.verbs.length === 0) return 0.6;
  if (verbs.length === 0) return 0.5;
  const said = clause.verbs.filter(({ makes, word }) => makes !== true || isNamedFor(word, profile));
  const best = (own: readonly Verb[]): number =>
    Math.max(
      0,
      ...(canEnd(profile) ? said : said.map(notEnding)).flatMap((each) => own.map((verb) => closeness(each, verb))),
    );
  // `write "done" on the issue`
  const isOnto = clause.nameless && clause.head?.role === 'context' && clause.head.implied !== true;
  if ((clause.brought !== undefined && brings(clause)) || (isOnto && puts(clause)))
    if (verbs.every(({ groups }) => groups.includes('create'))) return OTHER;
  if (fills(clause, profile, vocabulary)) return FILLED;
  const chosen = clause.verbs.some(({ word }) => choices.has(word)) ? CHOSEN : 0;
  return Math.max(best(verbs), best(told) * 0.93, chosen, setsChoice(clause, profile) ? SETTING : 0);
}

/** To close or reopen is to update only what has a state, or says nothing of what it has. */
function canEnd({ verbs, parameters, choices, words }: Profile): boolean {
  const isEnd = verbs.some(({ groups }) => groups.some(isEnding));
  const tells = ['state', 'status', 'closed', 'close', 'open', 'completed', 'done', 'resolved', 'reopen'];
  return (
    isEnd || parameters.size === 0 || tells.some((word) => [parameters, choices, words].some((set) => set.has(word)))
  );
}

function isEnding(group: string): boolean {
  return group === 'close' || group === 'reopen';
}

function notEnding(verb: Verb): Verb {
  const groups = verb.groups.filter((group) => !isEnding(group));
  return groups.length === verb.groups.length ? verb : { ...verb, groups: [...groups, NONE] };
}

/** Of no capability. */
const NONE = 'none';

/** What is brought to the thing, or what is done to it, is a property that the capability updates: `archived`. */
function fills(clause: Clause, { verbs, parameters, nouns }: Profile, vocabulary: Vocabulary): boolean {
  if (!verbs.some(({ groups }) => groups.includes('update'))) return false;
  const isDone = clause.verbs.some(({ word }) =>
    [...parameters].some((each) => each !== word && verbForms(each).includes(word)),
  );
  const what = clause.brought ?? clause.head;
  if (isDone || what === undefined) return isDone;
  const isAimed = clause.terms.some(
    ({ word, role }) =>
      role === 'context' && nouns.some((noun) => noun.weight === 1 && named(word, noun, vocabulary) > 0),
  );
  const isOther = !nouns.some((noun) => named(what.word, noun, vocabulary) > 0);
  return brings(clause) && isAimed && isOther && parameters.has(what.word);
}

/** To give a thing something is not to make such a thing. */
function brings({ verbs }: Clause): boolean {
  return verbs.some(({ groups }) => groups.includes('add') || groups.includes('set') || groups.includes('assign'));
}

function puts({ verbs }: Clause): boolean {
  return verbs.some(({ groups }) => groups.includes('write') || groups.includes('add'));
}

/** `mark it as read`: it shall be what the input of the capability lists. */
function setsChoice({ verbs, terms }: Clause, { choices, classes }: Profile): boolean {
  const isSetting = verbs.some(({ groups }) => groups.includes('update') || groups.includes('set'));
  return isSetting && classes.has('write') && terms.some(({ word, role }) => role === 'context' && choices.has(word));
}

/** What the verb makes is what it is named for: `add_labels` where an issue shall be labelled. */
export function isMade({ verbs }: Clause, profile: Profile): boolean {
  return verbs.some(({ makes, word }) => makes === true && isNamedFor(word, profile));
}

function isNamedFor(word: string, { nouns }: Profile): boolean {
  return nouns.some((noun) => likeness(word, noun.word) > 0);
}

/** What the goal says is a value that the input of what writes lists: `approve`, `request changes`. */
export function isOrder({ verbs, head, terms }: Clause, { orders, classes }: Profile): boolean {
  const objects = [head, ...terms.filter(({ role }) => role === 'object')].map((term) => term?.word ?? '');
  return (
    classes.has('write') &&
    verbs.some(
      ({ word }) =>
        orders.has(partsOf(word).map(singular).join(' ')) || objects.some((object) => orders.has(`${word} ${object}`)),
    )
  );
}

export const ORDERED = 0.9;
/** What is brought is a property of what the capability updates. */
const FILLED = 0.85;
/** What is set is a choice of the capability. */
const SETTING = 0.7;
/** A verb of the same class, and no more. */
const OTHER = 0.2;

/** The verb is a choice of the input: `approve` of a review. */
const CHOSEN = 0.6;

function closeness(said: Verb, own: Verb): number {
  if (said.word === own.word && (said.groups.length === 0 || said.groups.some((group) => own.groups.includes(group))))
    return 1;
  if (said.groups.some((group) => own.groups.includes(group))) return 0.92;
  if (said.groups.some((one) => own.groups.some((other) => isKindOf(one, other)))) return 0.72;
  if (said.groups.some((one) => own.groups.some((other) => areNear(one, other) || isKindOf(other, one)))) return 0.45;
  const classes = new Set(said.groups.map(classOf));
  if (own.groups.some((group) => classes.has(classOf(group)))) return OTHER;
  return said.groups.length === 0 ? 0.3 : 0;
}
