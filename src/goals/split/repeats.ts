// Orders that go through a list: "get each order" is "get the order", once for each item that an order before it lists.
import { orderOf } from '../match/order.ts';
import { isFunctionWord, singularOf, termOf, termsOfText } from '../match/terms.ts';
import { clausesOf } from './clauses.ts';
import { FOR_EACH, hasKnownVerb, openingOf, orderIn } from './order.ts';
import type { Verbs } from './verbs.ts';

interface Repeat {
  /** The order for one item. */
  readonly item: string;
  /** Words by which only some of the listed items are meant: `unpaid` of "each unpaid order". */
  readonly only?: string;
  /** An order that the goal implies, where no order before it brings the list. */
  readonly listing?: string;
}

/** `get each order`, `send a mail to each of them`, `assign each to Bob`; `five each` and `, each with a label` tell of no list. */
const EACH =
  /^(.*?[\p{L}\uE001]) (?:each|every)( one| of (?:them|these|those)(?!\p{L}))?(?: of)?(?: the(?!\p{L}))?(.*)$/iu;
const VERB = /^\p{L}+(?: (?:for|at|up))?$/u;

/** The words of a thing end before these, at punctuation, and before data. */
const THING =
  /^(?: (?!(?:in|on|at|to|into|with|by|for|from|of|as|and|using|under|out|up|now|that|which|together|separately)(?!\p{L}))[\p{L}_-]+)+/iu;

/** `before`: the orders before it; undefined where nothing proves which list is meant. */
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
  // Two orders for each item are more than one call.
  return repeat === undefined || clausesOf(repeat.item, verbs).length > 1 ? undefined : repeat;
}

function repeatOf(head: string, isAll: boolean, behind: string, before: readonly string[]): Repeat | undefined {
  const words = isAll ? '' : (THING.exec(behind)?.[0] ?? '');
  const found = isAll || words !== '' || VERB.test(head) ? thingIn(words, before) : undefined;
  return found && { item: `${head} the ${found.one}${behind.slice(found.length)}`, ...onlyOf(found) };
}

/** `for each file in the folder, read it`: the thing ends at a comma, else where an order begins. */
function repeatBehind(rest: string, before: readonly string[], verbs: Verbs): Repeat | undefined {
  const at = rest.includes(', ') ? rest.indexOf(', ') + 2 : beginOf(rest, verbs);
  const order = rest.slice(at);
  if (openingOf(order, verbs) !== 'order') return undefined;
  const things = rest.slice(0, at).replace(/[, ]+$/, '');
  const thing = THING.exec(` ${things}`)?.[0] ?? '';
  const where = things.slice(Math.max(0, thing.length - 1));
  const found = thingIn(thing, before);
  // A place that no order before it names is another list.
  if (found !== undefined && before.some((each) => each.includes(where.trim())))
    return { item: withThing(order, found.one), ...onlyOf(found) };
  const listing = `list the ${pluralOf(thing.trim())}${where}`;
  return thing !== '' && verbs.isServed(listing) ? { item: withThing(order, thing.trim()), listing } : undefined;
}

/** Where an order begins with a known verb; at the end where none does. */
function beginOf(text: string, verbs: Verbs): number {
  const starts = [...text.matchAll(/(?<=^| )\p{L}/gu)].map(({ index }) => index);
  const isOrder = (at: number): boolean =>
    hasKnownVerb(text.slice(at), verbs) && openingOf(text.slice(at), verbs) === 'order';
  return starts.find(isOrder) ?? text.length;
}

/** `read it` of each file is to read the file. */
function withThing(order: string, one: string): string {
  const said = order
    .replace(/(?<!\p{L})(?:it|them)(?!\p{L})/iu, `the ${one}`)
    .replace(/(?<!\p{L})(?:its|their) (\p{L}+)/iu, `the $1 of the ${one}`);
  return said === order ? `${order} of the ${one}` : said;
}

interface Thing {
  /** One of those that are listed. */
  readonly one: string;
  /** How many characters of the words name it. */
  readonly length: number;
  /** Words of it that the order which lists them does not say. */
  readonly only: readonly string[];
}

/** `close the unpaid orders`, `close the unpaid ones`: the words by which only some of the items that are listed before are meant. */
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

/** They narrow nothing. */
const ANY = /^(?:single|individual|listed)$/i;

function onlyOf({ only }: Thing): Pick<Repeat, 'only'> {
  return only.length === 0 ? {} : { only: only.join(' ') };
}

/** The words up to the last one that an order before it lists; where there are no words, the last list is meant. */
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

function pluralOf(thing: string): string {
  if (/[^aeiou]y$/.test(thing)) return `${thing.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(thing) ? `${thing}es` : `${thing}s`;
}
