// Whether a text begins like an order, and the words before the order itself: politeness, connectors, adverbs.
import { isPlaceholder } from './mask.ts';
import { readingOf } from './verbs.ts';

const POLITE =
  /^(?:(?:please|kindly|also|just|now|simply|go ahead and|try to|start by|help me(?: to)?|let['’]?s|(?:can|could|would|will) you(?: please)?|i(?:['’]d| would)? (?:want|need|like)(?: you)? to|we (?:need|want|have) to|you (?:should|must|need to|have to)|make sure to|be sure to|remember to|(?:your|the) (?:task|job|goal) is to)[,:]? )+/iu;
const ADVERB = /^\p{L}+ly[ ,]+(?=\p{L})/iu;
const WORD = /^[\p{L}\p{N}'’_-]+/u;

/** What one may do something to, so that the word before it is a verb. */
const OBJECT =
  /^(?:the|an?|this|that|these|those|it|them|him|her|me|us|all|both|each|every|any|some|another|my|our|your|their|its|his|what|which|how|whether|\d)(?![\p{L}\p{N}])/iu;

/** Without what stands before the order. */
export function orderIn(text: string): string {
  const plain = text.replace(POLITE, '');
  const rest = plain.replace(ADVERB, '');
  return rest !== plain && readingOf(headOf(rest)) !== 'other' ? rest : plain;
}

/** The first word. */
export function headOf(text: string): string {
  return WORD.exec(text)?.[0] ?? '';
}

/** At the start of a sentence, where orders are expected. */
export function isOrder(text: string): boolean {
  const head = headOf(orderIn(text));
  return (
    readingOf(head) !== 'other' ||
    (/^(?:re|un|pre|de)-?\p{L}{3}/iu.test(head) && readingOf(head.replace(/^(?:re|un|pre|de)-?/iu, '')) === 'verb')
  );
}

/** Behind an "and" or a comma, where a thing might stand as well. */
export function isOrderWithin(text: string): boolean {
  const order = orderIn(text);
  const head = headOf(order);
  const reading = readingOf(head);
  if (reading !== 'either') return reading === 'verb';
  const rest = order.slice(head.length).trimStart();
  return OBJECT.test(rest) || isPlaceholder(rest) || /^\p{Lu}/u.test(rest);
}

/** A verb alone, which shares its object with the next: `build` in "build and test the app". */
export function isBare(text: string): boolean {
  const order = orderIn(text);
  return order === headOf(order);
}
