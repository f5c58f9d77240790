// Which of its things a clause is about.
import { collectives, isCommonNoun, partitives } from './lexicon/nouns.ts';
import { classOf } from './lexicon/verbs.ts';
import type { Verb } from './tool-name.ts';
import type { Vocabulary } from './vocabulary.ts';

/** `object`: what is acted on; `of`, `in`: whose or where it is; `context`: with, to, for what; `topic`: in the data's own words. */
export type Role = 'object' | 'of' | 'in' | 'context' | 'topic';

export interface Term {
  /** In the singular. */
  readonly word: string;
  readonly plural: boolean;
  readonly role: Role;
  /** Not said, but plain from the looks of a value. */
  readonly implied?: true;
  /** Another noun follows at once, which it narrows. */
  readonly narrows?: true;
}

/** Verbs that bring their object to a place; what changes is the place. */
export const PLACING =
  /^(put|store|save|write|insert|place|enter|keep|add|append|attach|assign|commit|push|upload|ask|let.*|tell|inform|notify|invite|remind)$/;

/**
 * The last noun of the object, as far as a tool knows it: `the column fax` is about a column, `the channel history` about a
 * history, and `the branch protection` about a protection, which no tool need know.
 */
export function headOf(
  terms: readonly Term[],
  nameless: boolean,
  vocabulary: Vocabulary,
  verbs: readonly Verb[],
): Term | undefined {
  const isKnown = ({ word }: Term): boolean => vocabulary.named(word) > 0;
  const object = terms.filter(({ role, implied }) => role === 'object' && implied !== true);
  const head = object.findLast((term) => isKnown(term) || isCommonNoun(term.word)) ?? object.at(-1);
  const tail = object.at(-1);
  // `delete the branch rules`: what comes last shall go.
  const isLost = tail !== undefined && (tail.plural || collectives.has(tail.word));
  if (destroys(verbs) && isLost && !isKnown(tail)) return tail;
  const implied = terms.find((term) => term.implied === true);
  // `remove Dan from the attendees`: one of them.
  const places = verbs.some(({ word }) => PLACING.test(word));
  // `look for "x" in the code`: quoted text is what is looked for, not where.
  const within = searches(verbs) ? terms.find((term) => term.role === 'in' && isKnown(term)) : undefined;
  if (head === undefined && nameless && within !== undefined && implied === undefined) return within;
  if (head === undefined && nameless)
    return implied ?? terms.find((term) => term.role === 'context' && (term.plural || places) && isKnown(term));
  if (head === undefined) return implied ?? terms.find(({ role }) => role !== 'topic');
  const owners = terms.filter(({ role }) => role === 'of' || role === 'in');
  const owner = owners.findLast((term) => term.role === 'of' && isKnown(term)) ?? owners.findLast(isKnown) ?? owners[0];
  const gathered = object[object.indexOf(head) - 1];
  if (collectives.has(head.word) && vocabulary.named(head.word) < 1 && gathered !== undefined && !destroys(verbs))
    return { ...gathered, plural: true };
  const isPart = partitives.has(head.word) && (owner !== undefined || implied !== undefined || !isKnown(head));
  // The title of an issue is the to change, where no tool is about titles.
  const isStrange = mends(verbs)
    ? vocabulary.named(head.word) < 1
    : isAttribute(head)
      ? !vocabulary.isNoun(head.word)
      : !isKnown(head) && !vocabulary.says(head.word);
  const isAspect = isStrange && owner !== undefined && isKnown(owner) && (asks(verbs) || mends(verbs));
  if (isPart || isAspect) return owner ?? implied ?? head;
  // `the script build.sh`
  if (!isKnown(head) && !vocabulary.says(head.word) && !isCommonNoun(head.word) && implied?.role === 'object')
    return implied;
  const searched = searches(verbs) ? owners.find((term) => term.role === 'in' && isKnown(term)) : undefined;
  if (searched !== undefined && !isKnown(head)) return searched;
  if (places && implied?.role === 'context' && vocabulary.named(head.word) < 1) return implied;
  return places && !isKnown(head)
    ? (terms.find((term) => term.role !== 'object' && isKnown(term)) ?? implied ?? head)
    : head;
}

/** What everything has, and is asked of it: `the status of issue 5`. */
function isAttribute({ word }: Term): boolean {
  return /^(status|state|title|body|name|description|author|creator|owner|date|label|milestone|assignee)$/.test(word);
}

export function destroys(verbs: readonly Verb[]): boolean {
  return verbs.some(({ groups }) => groups.some((group) => classOf(group) === 'destroy'));
}

function asks(verbs: readonly Verb[]): boolean {
  return verbs.some(({ groups }) => groups.includes('get') || groups.includes('list'));
}

export function searches(verbs: readonly Verb[]): boolean {
  return verbs.some(({ groups }) => groups.includes('search'));
}

function mends(verbs: readonly Verb[]): boolean {
  return verbs.some(({ groups }) => groups.includes('update'));
}
