// Whether words begin an order, as far as closed classes of words and known verbs prove it.

import { isPlaceholder } from '../match/mask.ts';
import { isFunctionWord, termOf } from '../match/terms.ts';
import { usualVerbs } from '../match/verbs.ts';
import { commonVerbs, type Verbs } from './verbs.ts';

const POLITE =
  /^(?:(?:please|kindly|also|just|now|simply|go ahead and|try to|start by|help me(?: to)?|let['’]?s|(?:can|could|would|will) you(?: please)?|i(?:['’]d| would)? (?:want|need|like)(?: you)? to|we (?:need|want|have) to|you (?:should|must|need to|have to)|make sure to|be sure to|remember to|(?:your|the) (?:task|job|goal) is to)[,:]? )+/iu;
const ADVERB = /^\p{L}+ly[ ,]+(?=\p{L})/iu;
const WORD = /^[\p{L}\p{N}'’_-]+/u;

/** The words before a thing, and the pronouns in place of one: the word in front of them is a verb. */
const OBJECT =
  /^(?:the|an?|this|these|those|it|them|him|her|me|us|all|both|another|any|some|every(?= \p{L})|each(?= \p{L})|my|our|your|their|its|his)(?![\p{L}\p{N}])/iu;
/** Behind a known verb, these show that it is one. */
const DETAIL = /^(?:\d|#|\p{Lu}|(?:that|what|which|how|whether|where|who|for|to|from|into|in|on|at|with)(?!\p{L}))/u;

/** An order for each item of a list begins with the item. */
export const FOR_EACH = /^for (?:each|every)(?: one)?(?: of)?(?: (?:them|these|those|the)(?!\p{L}))?(?!\p{L}),?(.*)$/iu;

/** Known verbs that name things as well: "queries" and "the query" stand in goals as often as "query it". */
const alsoNouns = new Set(
  `list show view display query search lookup change edit update post check count watch review look use run call sort draft drop
  kill ban trash reset archive drain kick purge`.split(/\s+/),
);

/** Without courtesies and adverbs before the order. */
export function orderIn(text: string, verbs: Verbs = commonVerbs): string {
  const plain = text.replace(POLITE, '');
  const rest = plain.replace(ADVERB, '');
  return rest !== plain && isOrder(rest, verbs) ? rest : plain;
}

/** The first word. */
export function headOf(text: string): string {
  return WORD.exec(text)?.[0] ?? '';
}

/** Articles and the like of other languages, as they stand in lower case; verbs like "find" and "send" are those of many. */
const FOREIGN =
  /(?<![\p{L}'’-])(?:der|das|dem|ein|eine|einen|und|mit|le|les|une?|des|du|avec|el|los|las|una|para|por|il|gli|della|het|een|og|på|til|och|att|för|uma|alle)(?![\p{L}'’-])/u;

/** Whether an English order begins with a verb that somebody is known to do. */
export function hasKnownVerb(text: string, verbs: Verbs): boolean {
  return verbs.words.has(headOf(orderIn(text, verbs)).toLowerCase()) && !FOREIGN.test(text);
}

/** At the start of a sentence, where orders are expected: a known verb, or any word with an object behind it. */
export function isOrder(text: string, verbs: Verbs = commonVerbs): boolean {
  const order = orderIn(text, verbs);
  const head = headOf(order);
  return verbs.words.has(head.toLowerCase()) || (mayBeVerb(head) && hasObject(order, head));
}

/** Whether the first word does not rule an order out; a command may stand there. */
export function mayBeOrder(text: string): boolean {
  return !/^\p{L}/u.test(text) || (mayBeVerb(headOf(text)) && !/^do(?: not|n['’]t)(?!\p{L})/iu.test(text));
}

/** `perhaps`: a known verb that may be a noun there, which nothing behind it decides. */
export type Opening = 'order' | 'perhaps' | 'thing';

/** Behind an "and" or a comma, where a thing might stand as well. */
export function openingOf(text: string, verbs: Verbs = commonVerbs): Opening {
  const order = orderIn(text, verbs);
  const head = headOf(order);
  const verb = head.toLowerCase();
  const rest = order.slice(head.length).trimStart();
  if (FOR_EACH.test(order) || (mayBeVerb(head) && hasObject(order, head))) return 'order';
  // `draft: true` names a parameter.
  if (!verbs.words.has(verb) || /^[:=]/.test(rest)) return 'thing';
  if ((usualVerbs.has(verb) && !alsoNouns.has(verb)) || DETAIL.test(rest) || verbs.isServed(order)) return 'order';
  return rest === '' ? 'thing' : 'perhaps';
}

/** Conjunctions and prepositions that tools may be named for: a matcher does not leave them out. */
const LINKING =
  /^(?:whether|because|although|though|since|despite|during|against|without|among|across|towards?|upon|like|unlike|versus|plus|besides|including|except)$/iu;

/** `do` is a function word beside other verbs only. */
function mayBeVerb(head: string): boolean {
  const isVerb = /^do$/i.test(head) || !(isFunctionWord(head) || LINKING.test(head));
  return /^\p{L}{2}/u.test(head) && isVerb && !termOf(head.toLowerCase()).isPlural;
}

function hasObject(order: string, head: string): boolean {
  const rest = order.slice(head.length).trimStart();
  return OBJECT.test(rest) || isPlaceholder(rest);
}

/** A verb alone, which shares its object with the next: `build` in "build and test the app". */
export function isBare(text: string): boolean {
  const order = orderIn(text);
  return order === headOf(order);
}
