// One part of a goal as an order: its verb, its object, and signs that its words cannot be trusted.
import { mask } from './mask.ts';
import { isFunctionWord, type Term, termOf, termsOfText, wordsOfName } from './terms.ts';
import { asksToDestroy } from './verbs.ts';

export interface Order {
  /** The text without data and courtesies. */
  readonly text: string;
  readonly verb: Term | undefined;
  /** The nouns of the object, up to a preposition; the last is its head. */
  readonly acted: readonly Term[];
  readonly terms: readonly Term[];
  /** The text holds a negation, a condition, a question or a second order. */
  readonly isMoreThanOne: boolean;
  /** The text holds a negation. */
  readonly isNegated: boolean;
  /** Stems of verbs that the goal rules out. */
  readonly forbidden: ReadonlySet<string>;
  /** The order asks to delete or end something. */
  readonly destroys: boolean;
}

const COURTESY =
  /^(?:(?:please|kindly|now|then|just|hey|hi|ok|okay|can you|could you|would you|will you|i want to|i want you to|i would like to|i would like you to|i'd like to|i need to|i need you to|we need to|help me|let's|let us|go ahead and)[,\s]+)+/iu;
const NEGATION =
  /(?<!\p{L})(?:not|never|no|without|except|unless|don['’]?t|doesn['’]?t|avoid|instead|rather|but|neither|nor|cannot|can['’]?t)(?!\p{L})/iu;
const CONDITION =
  /(?<!\p{L})(?:if|when|whenever|unless|until|while|after|before|once|then|otherwise|depending|each|every|either)(?!\p{L})/iu;
const PREPOSITION =
  /^(?:of|in|on|at|for|from|to|into|onto|with|by|about|under|within|inside|between|among|through|via|using|as|called|named|titled|that|which|who|whose|where|since|without|over|per|and|or|is|are|was|were|has|have|had|should|must|does|do|did)$/iu;
/** A particle of the verb: `search for`, `look at`. */
const PARTICLE = /^(?:for|at|up)$/iu;
/** In `make the page public`, "make" creates nothing. */
const MAKES_SO = /^make (?!(?:an?|another|new|some|one)(?!\p{L}))/iu;
const MASKED = /\uE000\d+\uE001/g;
const RULED_OUT = /(?:do not|don['’]?t|never|without|avoid|not)\s+(\p{L}+)/giu;
const CALLED = /(?<!\p{L})(?:called|named|titled|labelled|labeled)\s+(?!\uE000)[\p{L}\p{N}_-]+/giu;
const IDENTIFIER = /(?<![\p{L}\p{N}])(?:[#@]\S+|\S*\d\S*|\p{L}+[_-]\p{L}[\p{L}_-]*|[\w-]+\/[\w.-]+)(?![\p{L}\p{N}])/gu;
/** Two joined data placeholders are no second order. */
const PAIR = /\uE000,? (?:and|or) \uE000/g;
/** Replaces data in the text. */
const DATA = '\uE000';

export function orderOf(part: string): Order {
  const masked = mask(part.trim()).text.replace(CALLED, ' ');
  const plain = masked.replace(MASKED, ` ${DATA} `).replace(COURTESY, '').trim();
  const bare = plain.replace(IDENTIFIER, ` ${DATA} `).replace(/ +/g, ' ');
  const words = bare.split(/[\s,;:!?."()]+/u).filter((word) => word !== '');
  const [first = '', ...rest] = words;
  const verb = /^\p{L}/u.test(first) && !MAKES_SO.test(bare) ? termOf(wordsOfName(first)[0] ?? '') : undefined;
  const asked = termsOfText(bare.replace(RULED_OUT, ' ')).map(({ stem }) => stem);
  return {
    text: bare.replaceAll(DATA, ' ').replace(/\s+/g, ' ').trim(),
    verb,
    acted: phraseOf(rest),
    terms: termsOfText(bare.replaceAll(DATA, ' ')),
    isMoreThanOne: NEGATION.test(bare) || CONDITION.test(bare) || isSeveral(bare),
    isNegated: NEGATION.test(bare),
    forbidden: new Set([...bare.matchAll(RULED_OUT)].map(([, word = '']) => termOf(word.toLowerCase()).stem)),
    destroys: asksToDestroy(bare.replace(RULED_OUT, ' '), asked),
  };
}

/** The nouns right after the verb and its particle, up to a preposition or data. */
function phraseOf(words: readonly string[]): readonly Term[] {
  const phrase: Term[] = [];
  for (const [at, word] of words.entries()) {
    if (at === 0 && PARTICLE.test(word)) continue;
    if (PREPOSITION.test(word)) break;
    if (word === DATA) {
      if (phrase.length > 0) break;
      continue;
    }
    if (!isFunctionWord(word) && /^\p{L}/u.test(word)) phrase.push(termOf(word.toLowerCase()));
  }
  return phrase;
}

function isSeveral(text: string): boolean {
  const plain = text.replaceAll(PAIR, DATA);
  return /[.;!?\n]\s*\p{L}/u.test(plain) || /(?<!\p{L})(?:and|or|then)(?!\p{L})/iu.test(plain) || plain.includes('?');
}
