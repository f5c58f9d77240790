// Orders over a list: "get each order" becomes "get the order", once for each item of an earlier list.
import { orderOf } from '../match/read-order.ts';
import { isFunctionWord, pluralOf, singularOf, termOf, termsOfText } from '../match/terms.ts';
import { clausesOf } from './clauses.ts';
import { FOR_EACH, hasKnownVerb, openingOf, orderIn } from './is-order.ts';
import type { Verbs } from './order-verbs.ts';

interface Repeat {
  /** The order for one item. */
  readonly item: string;
  /** Words that select some of the items: `unpaid` in "each unpaid order". */
  readonly only?: string;
  /** An implied order that lists the items, when no earlier order does. */
  readonly listing?: string;
}

/** Matches `get each order`, `send a mail to each of them` and `assign each to Bob`, but neither `five each` nor `, each with a label`. */
const EACH =
  /^(.*?[\p{L}\uE001]) (?:each|every)( one| of (?:them|these|those)(?!\p{L}))?(?: of)?(?: the(?!\p{L}))?(.*)$/iu;
const VERB = /^\p{L}+(?: (?:for|at|up))?$/u;

/** The words of a thing, up to a preposition, punctuation or data. */
const THING =
  /^(?: (?!(?:in|on|at|to|into|with|by|for|from|of|as|and|using|under|out|up|now|that|which|together|separately)(?!\p{L}))[\p{L}_-]+)+/iu;

/** `before` holds the earlier orders. Undefined when the list is not certain. */
export function repeatIn(text: string, before: readonly string[], verbs: Verbs): Repeat | undefined {
  const order = orderIn(text, verbs);
  const [, rest] = FOR_EACH.exec(order) ?? [];
  const [, head, them, behind = ''] = EACH.exec(order) ?? [];
  const repeat =
    rest !== undefined
      ? repeatBehind(rest.trim(), before, verbs)
      : head === undefined
        ? undefined
        : repeatOf(head, them !== undefined, behind, before);
  // Several orders for each item need more than one call.
  return repeat === undefined || clausesOf(repeat.item, verbs).length > 1 ? undefined : repeat;
}

function repeatOf(head: string, isAll: boolean, behind: string, before: readonly string[]): Repeat | undefined {
  const words = isAll ? '' : (THING.exec(behind)?.[0] ?? '');
  const found = isAll || words !== '' || VERB.test(head) ? thingIn(words, before) : undefined;
  return found && { item: `${head} the ${found.one}${behind.slice(found.length)}`, ...onlyOf(found) };
}

/** Reads `for each file in the folder, read it`: the thing ends at a comma, or where an order begins. */
function repeatBehind(rest: string, before: readonly string[], verbs: Verbs): Repeat | undefined {
  const at = rest.includes(', ') ? rest.indexOf(', ') + 2 : beginOf(rest, verbs);
  const order = rest.slice(at);
  if (openingOf(order, verbs) !== 'order') return undefined;
  const things = rest.slice(0, at).replace(/[, ]+$/, '');
  const thing = THING.exec(` ${things}`)?.[0] ?? '';
  const where = things.slice(Math.max(0, thing.length - 1));
  const found = thingIn(thing, before);
  // A place that no earlier order names means another list.
  if (found !== undefined && before.some((each) => each.includes(where.trim())))
    return { item: withThing(order, found.one), ...onlyOf(found) };
  const listing = `list the ${pluralOf(thing.trim())}${where}`;
  return thing !== '' && verbs.isServed(listing) ? { item: withThing(order, thing.trim()), listing } : undefined;
}

/** The index of an order with a known verb; the text's length without one. */
function beginOf(text: string, verbs: Verbs): number {
  const starts = [...text.matchAll(/(?<=^| )\p{L}/gu)].map(({ index }) => index);
  const isOrder = (at: number): boolean =>
    hasKnownVerb(text.slice(at), verbs) && openingOf(text.slice(at), verbs) === 'order';
  return starts.find(isOrder) ?? text.length;
}

/** Replaces the pronoun: `read it` becomes `read the file`. */
function withThing(order: string, one: string): string {
  const said = order
    .replace(/(?<!\p{L})(?:it|them)(?!\p{L})/iu, `the ${one}`)
    .replace(/(?<!\p{L})(?:its|their) (\p{L}+)/iu, `the $1 of the ${one}`);
  return said === order ? `${order} of the ${one}` : said;
}

interface Thing {
  /** The noun for one item. */
  readonly one: string;
  /** The number of characters that name it. */
  readonly length: number;
  /** Words that the listing order does not say, so they select items. */
  readonly only: readonly string[];
}

/** The words that select some items of an earlier list: `unpaid` in `close the unpaid orders` and `close the unpaid ones`. */
export function onlyIn(text: string, before: readonly string[]): string | undefined {
  const words = text.split(/\s+/);
  for (const [at, word] of words.entries()) {
    const isThing = termOf(word.toLowerCase()).isPlural && thingIn(word, before) !== undefined;
    const from = words.slice(1, at).findLastIndex((each) => isFunctionWord(each) || !/^[\p{L}-]+$/u.test(each)) + 2;
    const { only = [] } = isThing && at > 0 ? (thingIn(words.slice(from, at + 1).join(' '), before) ?? {}) : {};
    if (only.length > 0) return only.join(' ');
  }
  return undefined;
}

/** Words that select nothing. */
const ANY = /^(?:single|individual|listed)$/i;

function onlyOf({ only }: Thing): Pick<Repeat, 'only'> {
  return only.length === 0 ? {} : { only: only.join(' ') };
}

/** The thing up to the last word that an earlier order lists; empty words mean the last list. */
function thingIn(words: string, before: readonly string[]): Thing | undefined {
  const lists = before.flatMap((order) => {
    const head = orderOf(order).acted.at(-1);
    return head?.isPlural === true ? [{ head, said: new Set(termsOfText(order).map(({ stem }) => stem)) }] : [];
  });
  const last = lists.at(-1);
  if (words === '') return last && { one: singularOf(last.head.word), length: 0, only: [] };
  const all = words.trim().split(' ');
  const stemAt = (word: string): string =>
    word === 'ones' && last !== undefined ? last.head.stem : termOf(word.toLowerCase()).stem;
  const end = all.findLastIndex((word) => lists.some(({ head }) => head.stem === stemAt(word))) + 1;
  const list = lists.findLast(({ head }) => head.stem === stemAt(all[end - 1] ?? ''));
  const thing = all.slice(0, end);
  const only = thing.filter(
    (word) => !isFunctionWord(word) && !ANY.test(word) && list?.said.has(stemAt(word)) !== true,
  );
  return end === 0 ? undefined : { one: singularOf(thing.join(' ')), length: thing.join(' ').length + 1, only };
}
