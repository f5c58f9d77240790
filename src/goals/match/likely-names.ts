// Guesses the capabilities that a planner meant by an unknown name, for a hint.
import { meantText, slips } from '../../base/nearest.ts';
import { catalogueOf, type NameCatalogue, type NamedCapability, type NamePieces, readWanted } from './name-pieces.ts';
import { stemOf, type Term, termOf, wordsOfName } from './terms.ts';
import { groupOf, isKnownVerb } from './verbs.ts';

/** A hint with more names helps nobody. */
const MOST = 3;
/** Thresholds fitted on half of the test's names and judged on the other half. */
const LEAST = 0.62;
const CLOSE = 0.12;
/** The weights of words of the family, and of the tail, that the wanted name leaves out. */
const OF_FAMILY = 0.2;
const OF_TAIL = 0.4;

/** For example `did you mean "csv.sniff" or "csv.profile"?`; undefined when no name or too many names are likely. */
export function likelyHint(wanted: string, declarations: readonly NamedCapability[]): string | undefined {
  return meantText(likelyNames(wanted, declarations));
}

/** Likeliest first. The order of the declarations does not change the result. */
export function likelyNames(wanted: string, declarations: readonly NamedCapability[]): readonly string[] {
  const byName = declarations.toSorted((left, right) => (left.name < right.name ? -1 : 1));
  const same = byName.filter(({ name }) => squashed(name) === squashed(wanted));
  if (same.length > 0) return same.length > MOST ? [] : same.map(({ name }) => name);
  const catalogue = catalogueOf(byName);
  const asked = readWanted(wanted, catalogue);
  const ranked = catalogue.entries
    .map((entry) => ({
      name: entry.name,
      score: isSlipOf(asked, entry, catalogue) ? 1 : scoreOf(asked, entry, catalogue),
    }))
    .filter(({ score }) => score >= LEAST)
    .sort((left, right) => right.score - left.score);
  const best = ranked[0]?.score ?? 0;
  const close = ranked.filter(({ score }) => score >= best - CLOSE);
  return close.length > MOST ? [] : close.map(({ name }) => name);
}

const SHORTEST = 4;
/** In a shorter word a replaced letter often makes another word, so only missing, extra and swapped letters count as slips. */
const SHORT = 5;

/** Tells whether the names differ by one typing error that does not make another known word. */
function isSlipOf(asked: NamePieces, { last, family }: NamePieces, { has }: NameCatalogue): boolean {
  const [said, known] = [squashed(asked.last), squashed(last)];
  if (asked.family !== '' && asked.family !== family) return false;
  if (said === known) return family === '' || wordsOfName(last).length > 1;
  if (Math.max(said.length, known.length) < SHORTEST || said[0] !== known[0]) return false;
  if (known.length < SHORT && said.length === known.length && lettersOf(said) !== lettersOf(known)) return false;
  if (slips(said, known) > 1 || said.replace(/\d/g, '') === known.replace(/\d/g, '')) return false;
  const theirs = new Set(wordsOfName(last));
  const others = wordsOfName(asked.last).filter((word) => !theirs.has(word));
  return others.map(termOf).every(({ stem }) => !has(stem) && !isKnownVerb(stem));
}

function lettersOf(word: string): string {
  return [...word].sort().join('');
}

/** The weighted share of common words in both names, from 0 to 1. */
function scoreOf(asked: NamePieces, known: NamePieces, { weight, families }: NameCatalogue): number {
  if (asked.family !== '' && families.has(asked.family) && asked.family !== known.family) return 0;
  const deed = deedScore(asked, known);
  if (deed === 0) return 0;
  if (isVerbAlone(asked)) return deed === 1 ? VERB_ALONE : 0;
  let common = 0;
  let whole = 0;
  const left = new Map(known.nouns.map((noun) => [noun.stem, noun]));
  for (const noun of asked.nouns.flatMap((each) => spelledOut(each, known.nouns))) {
    const [match, alike] = bestOf(noun, left.values());
    if (match !== undefined) {
      left.delete(match.stem);
      common += weight(match.stem) * alike;
      whole += weight(match.stem);
      continue;
    }
    // The description only explains a word when the wanted name has a verb.
    const isTold = asked.verb !== undefined && known.told.has(noun.stem);
    if (noun === asked.head && !isTold) return 0;
    common += isTold ? weight(noun.stem) / 2 : 0;
    whole += weight(noun.stem);
  }
  if (known.head !== undefined && left.has(known.head.stem) && weight(known.head.stem) > 0) return 0;
  const family = new Set(wordsOfName(known.family));
  for (const { word, stem } of left.values()) {
    const share = family.has(word) ? OF_FAMILY : known.tail.has(stem) ? OF_TAIL : 1;
    whole += weight(stem) * share;
  }
  return whole === 0 ? 0 : (common / whole) * deed;
}

/** True for `geocode`, meant as `geocode_city`; a verb with synonyms says too little alone. */
function isVerbAlone({ verb, isMany }: NamePieces): boolean {
  return verb !== undefined && isMany === undefined && groupOf(verb.stem) === undefined;
}

/** Expands initials: `pr` gives `pull` and `request`. */
function spelledOut(noun: Term, nouns: readonly Term[]): readonly Term[] {
  const short = noun.isPlural ? noun.word.slice(0, -1) : noun.word;
  const { length } = short;
  if (length < 2 || length > 3) return [noun];
  const at = nouns.findIndex((_, from) => initialsOf(nouns.slice(from, from + length)) === short);
  return at < 0 ? [noun] : nouns.slice(at, at + length);
}

function initialsOf(nouns: readonly Term[]): string {
  return nouns.map(({ word }) => word.charAt(0)).join('');
}

function bestOf(noun: Term, nouns: Iterable<Term>): readonly [Term | undefined, number] {
  let best: Term | undefined;
  let most = 0;
  for (const each of nouns) {
    const alike = likeness(noun, each);
    if (alike > most) [best, most] = [each, alike];
  }
  return [best, most];
}

const ALIKE = 0.85;
const LONG = 5;
const BEGINS = 4;

/** 1 for the same word, `ALIKE` for a typing error or a longer form, 0 for any other. */
function likeness(one: Term, other: Term): number {
  if (one.stem === other.stem) return 1;
  const [short, long] = one.stem.length < other.stem.length ? [one.stem, other.stem] : [other.stem, one.stem];
  if (short.length >= BEGINS && long.startsWith(short) && long.length - short.length <= BEGINS) return ALIKE;
  const isSlip = short.length >= LONG && short[0] === long[0] && slips(one.word, other.word) <= 1;
  return isSlip ? ALIKE : 0;
}

const UNSAID = 0.85;
const OF_GROUP = 0.92;
const MISTYPED = 0.95;
const TO_SEARCH = 0.8;
const VERB_ALONE = 0.7;
const [GETTING, SEARCHING] = ['get', 'search'].map((verb) => groupOf(stemOf(verb)));
const GONE: ReadonlySet<string> = new Set(
  ['delete', 'remove', 'drop', 'erase', 'destroy'].map((verb) => termOf(verb).stem),
);

/** The similarity of the verbs; 0 for different actions. */
function deedScore(asked: NamePieces, known: NamePieces): number {
  const [one, other] = [asked.verb, known.verb];
  if (one === undefined || other === undefined) return unsaidScore(asked, known);
  if (one.stem === other.stem) return 1;
  if (likeness(one, other) > 0) return MISTYPED;
  if (GONE.has(one.stem) && GONE.has(other.stem)) return OF_GROUP;
  const [group, others] = [groupOf(one.stem), groupOf(other.stem)];
  // Searching several things is close to listing them.
  if (asked.isMany && known.isMany && group === GETTING && others === SEARCHING) return TO_SEARCH;
  if (group === undefined || group !== others) return 0;
  // Getting one thing differs from listing all.
  const isAsMany = asked.isMany !== undefined && asked.isMany === known.isMany;
  return isAsMany || group !== GETTING ? OF_GROUP : 0;
}

/** Without verbs the last word must be the same: `text_to_image` differs from `image_to_text`. */
function unsaidScore(asked: NamePieces, known: NamePieces): number {
  const heads = asked.head === undefined ? [] : spelledOut(asked.head, known.nouns);
  const [one, other] = [heads.at(-1), known.head];
  if (one === undefined || other === undefined || likeness(one, other) === 0) return 0;
  if (asked.verb === known.verb) return 1;
  return asked.isMany === known.isMany ? UNSAID : 0;
}

function squashed(name: string): string {
  return wordsOfName(name).join('');
}
