// Tells whether words begin an order, by function words and known verbs.

import { isPlaceholder } from '../match/mask.ts';
import { isFunctionWord, termOf } from '../match/terms.ts';
import { usualVerbs } from '../match/verbs.ts';
import { commonVerbs, type Verbs } from './order-verbs.ts';

const POLITE =
  /^(?:(?:please|kindly|also|just|now|simply|go ahead and|try to|start by|help me(?: to)?|let['’]?s|(?:can|could|would|will) you(?: please)?|i(?:['’]d| would)? (?:want|need|like)(?: you)? to|we (?:need|want|have) to|you (?:should|must|need to|have to)|make sure to|be sure to|remember to|(?:your|the) (?:task|job|goal) is to)[,:]? )+/iu;
const ADVERB = /^\p{L}+ly[ ,]+(?=\p{L})/iu;
const WORD = /^[\p{L}\p{N}'’_-]+/u;

/** Articles and pronouns: the word before them is a verb. */
const OBJECT =
  /^(?:the|an?|this|these|those|it|them|him|her|me|us|all|both|another|any|some|every(?= \p{L})|each(?= \p{L})|my|our|your|their|its|his)(?![\p{L}\p{N}])/iu;
/** Words after a verb that could also be a noun; they show that it is a verb. */
const DETAIL = /^(?:\d|#|\p{Lu}|(?:that|what|which|how|whether|where|who|for|to|from|into|in|on|at|with)(?!\p{L}))/u;

/** An order for each item of a list, which begins with the item. */
export const FOR_EACH = /^for (?:each|every)(?: one)?(?: of)?(?: (?:them|these|those|the)(?!\p{L}))?(?!\p{L}),?(.*)$/iu;

/** Known verbs that are also nouns: goals say "the query" as often as "query it". */
const alsoNouns = new Set(
  `list show view display query search lookup change edit update post check count watch review look use run call sort draft drop
  kill ban trash reset archive drain kick purge`.split(/\s+/),
);

/** The order without leading courtesies and adverbs. */
export function orderIn(text: string, verbs: Verbs = commonVerbs): string {
  const plain = text.replace(POLITE, '');
  const rest = plain.replace(ADVERB, '');
  return rest !== plain && isOrder(rest, verbs) ? rest : plain;
}

/** The first word. */
export function headOf(text: string): string {
  return WORD.exec(text)?.[0] ?? '';
}

/** Lower-case function words of other languages, because verbs like "find" and "send" exist in several languages. */
const FOREIGN =
  /(?<![\p{L}'’-])(?:der|das|dem|ein|eine|einen|und|mit|le|les|une?|des|du|avec|el|los|las|una|para|por|il|gli|della|het|een|og|på|til|och|att|för|uma|alle)(?![\p{L}'’-])/u;

/** Tells whether an English order begins with a known verb. */
export function hasKnownVerb(text: string, verbs: Verbs): boolean {
  return verbs.words.has(headOf(orderIn(text, verbs)).toLowerCase()) && !FOREIGN.test(text);
}

/** At the start of a sentence, an order begins with a known verb, or with any word before an object. */
export function isOrder(text: string, verbs: Verbs = commonVerbs): boolean {
  const order = orderIn(text, verbs);
  const head = headOf(order);
  return verbs.words.has(head.toLowerCase()) || (mayBeVerb(head) && hasObject(order, head));
}

/** Tells whether the first word may begin an order; placeholders and commands may. */
export function mayBeOrder(text: string): boolean {
  return !/^\p{L}/u.test(text) || (mayBeVerb(headOf(text)) && !/^do(?: not|n['’]t)(?!\p{L})/iu.test(text));
}

/** `perhaps`: a known verb that may also be a noun here. */
export type ClauseOpening = 'order' | 'perhaps' | 'thing';

/** After "and" or a comma, either an order or a thing may follow. */
export function openingOf(text: string, verbs: Verbs = commonVerbs): ClauseOpening {
  const order = orderIn(text, verbs);
  const head = headOf(order);
  const verb = head.toLowerCase();
  const rest = order.slice(head.length).trimStart();
  if (FOR_EACH.test(order) || (mayBeVerb(head) && hasObject(order, head))) return 'order';
  // A colon makes it a parameter: `draft: true`.
  if (!verbs.words.has(verb) || /^[:=]/.test(rest)) return 'thing';
  if ((usualVerbs.has(verb) && !alsoNouns.has(verb)) || DETAIL.test(rest) || verbs.isServed(order)) return 'order';
  return rest === '' ? 'thing' : 'perhaps';
}

/** Conjunctions and prepositions that the matcher does not treat as function words. */
const LINKING =
  /^(?:whether|because|although|though|since|despite|during|against|without|among|across|towards?|upon|like|unlike|versus|plus|besides|including|except)$/iu;

/** The word `do` may be a verb of its own here. */
function mayBeVerb(head: string): boolean {
  const isVerb = /^do$/i.test(head) || !(isFunctionWord(head) || LINKING.test(head));
  return /^\p{L}{2}/u.test(head) && isVerb && !termOf(head.toLowerCase()).isPlural;
}

function hasObject(order: string, head: string): boolean {
  const rest = order.slice(head.length).trimStart();
  return OBJECT.test(rest) || isPlaceholder(rest);
}

/** Tells whether the text is a verb alone, such as `build` in "build and test the app". */
export function isBare(text: string): boolean {
  const order = orderIn(text);
  return order === headOf(order);
}
