// Which capabilities a planner may have meant by a name that none of them has.
import { meantText, slips } from '../../base/nearest.ts';
import type { Declaration } from '../../contract/declaration.ts';
import { groupsOf } from './lexicon/verbs.ts';
import { likeness } from './likeness.ts';
import { type Convention, conventionOf, readName, type Verb } from './tool-name.ts';
import { partsOf, singular } from './words.ts';

type Named = Pick<Declaration, 'name' | 'description'>;

const MOST = 3;
/** Both were chosen on half of the names in the test, and judged on the other half. */
const LEAST = 0.62;
const CLOSE = 0.12;
/** From here on a word of a description is the word that is looked for. */
const TOLD = 0.9;
/** How much a family counts that a name does not say. */
const OF_FAMILY = 0.2;

/** `did you mean "csv.sniff" or "csv.profile"?`; undefined where no name is likely, or too many are. */
export function likelyHint(wanted: string, declarations: readonly Named[]): string | undefined {
  return meantText(likelyNames(wanted, declarations));
}

/** The likeliest first. Does not depend on the order of the declarations. */
export function likelyNames(wanted: string, declarations: readonly Named[]): readonly string[] {
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

/** A name in pieces, of a capability that is there or of one that is wanted. */
interface Entry {
  readonly name: string;
  /** Whose it is: `csv` of `csv.sniff`. */
  readonly family: string;
  /** The name without its family. */
  readonly last: string;
  readonly verbs: readonly Verb[];
  /** In the singular, those of the family included. */
  readonly nouns: readonly string[];
  /** The noun that the name is about. */
  readonly head: string | undefined;
  /** Whether it is about several of them. */
  readonly plural: boolean;
  /** Words of the description. */
  readonly told: ReadonlySet<string>;
}

interface Catalogue {
  readonly convention: Convention;
  readonly entries: readonly Entry[];
  readonly families: ReadonlySet<string>;
  /** How much a word tells apart: nothing where every name has it. */
  weight(word: string): number;
  has(word: string): boolean;
}

function catalogueOf(declarations: readonly Named[]): Catalogue {
  const convention = conventionOf(declarations.map(({ name }) => name));
  const entries = declarations.map(({ name, description }) => entryOf(name, description, convention));
  const count = new Map<string, number>();
  for (const { nouns, verbs } of entries) {
    for (const word of new Set([...nouns, ...verbs.map((verb) => verb.word)]))
      count.set(word, (count.get(word) ?? 0) + 1);
  }
  const all = Math.log(entries.length + 1);
  return {
    convention,
    entries,
    families: new Set(entries.map(({ family }) => family)),
    weight: (word) => Math.log((entries.length + 1) / (count.get(word) ?? 1)) / all,
    has: (word) => count.has(word),
  };
}

function entryOf(name: string, description: string, convention: Convention): Entry {
  const segments = name.split(/[./:]|__/);
  const { verbs, nouns, family } = readName(name, convention);
  const heads = nouns.filter(({ weight }) => weight === 1);
  return {
    name,
    family: segments.slice(0, -1).join('.').toLowerCase(),
    last: segments.at(-1) ?? '',
    verbs,
    nouns: [...new Set([...nouns.map(({ word }) => word), ...family])],
    head: heads.at(-1)?.word,
    plural: heads.at(-1)?.plural === true,
    told: new Set(partsOf(description).map(singular)),
  };
}

/** A prefix that no capability has says nothing: a planner has made it up. */
function readWanted(wanted: string, catalogue: Catalogue): Entry {
  const whole = entryOf(wanted, '', catalogue.convention);
  const isKnown = whole.family === '' || partsOf(whole.family).some((part) => catalogue.has(singular(part)));
  return isKnown ? whole : { ...entryOf(whole.last, '', catalogue.convention), name: wanted };
}

const SHORTEST = 4;
/** In a shorter word another letter makes another word too easily; a letter left out, put in or swapped does not. */
const SHORT = 5;

function lettersOf(word: string): string {
  return [...word].sort().join('');
}

/** One letter wrong, put in or left out, and no other word made by it. */
function isSlipOf(asked: Entry, { last, family }: Entry, { has }: Catalogue): boolean {
  const [said, known] = [squashed(asked.last), squashed(last)];
  if (asked.family !== '' && asked.family !== family) return false;
  if (Math.max(said.length, known.length) < SHORTEST || said[0] !== known[0]) return false;
  if (known.length < SHORT && said.length === known.length && lettersOf(said) !== lettersOf(known)) return false;
  if (slips(said, known) > 1 || said.replace(/\d/g, '') === known.replace(/\d/g, '')) return false;
  const theirs = new Set(partsOf(last));
  const others = partsOf(asked.last).filter((part) => !theirs.has(part));
  return others.every((part) => !has(singular(part)) && groupsOf(part).length === 0);
}

/** How much of what both names say is said by both, from 0 to 1. */
function scoreOf(asked: Entry, known: Entry, { weight, families }: Catalogue): number {
  if (asked.family !== '' && families.has(asked.family) && asked.family !== known.family) return 0;
  const deed = deedScore(asked, known);
  if (deed === 0) return 0;
  let common = 0;
  let whole = 0;
  const left = new Set(known.nouns);
  for (const noun of asked.nouns) {
    const [match, alike] = bestOf(noun, left);
    if (match !== undefined) {
      left.delete(match);
      common += weight(match) * alike;
      whole += weight(match);
      continue;
    }
    // Without a verb a name is too little to be explained by a description.
    const isTold = asked.verbs.length > 0 && [...known.told].some((word) => likeness(noun, word) >= TOLD);
    if (noun === asked.head && !isTold) return 0;
    common += isTold ? weight(noun) / 2 : 0;
    whole += weight(noun);
  }
  if (known.head !== undefined && left.has(known.head) && weight(known.head) > 0) return 0;
  for (const noun of left) whole += weight(noun) * (known.family.includes(noun) ? OF_FAMILY : 1);
  return whole === 0 ? 0 : (common / whole) * deed;
}

function bestOf(noun: string, words: ReadonlySet<string>): readonly [string | undefined, number] {
  let best: string | undefined;
  let most = 0;
  for (const word of words) {
    const alike = likeness(noun, word);
    if (alike > most) [best, most] = [word, alike];
  }
  return most >= 0.8 ? [best, most] : [undefined, 0];
}

/** How alike what is done is, by the verbs; 0 where the two do different things. */
function deedScore(asked: Entry, known: Entry): number {
  if (asked.verbs.length === 0 || known.verbs.length === 0) return asked.verbs.length === known.verbs.length ? 1 : 0.85;
  const score = Math.max(...asked.verbs.flatMap((one) => known.verbs.map((other) => sameDeed(one, other))));
  if (score > 0 || !asked.plural || !known.plural) return score;
  // To get several is to list them.
  const reads = [asked, known].map(({ verbs }) => verbs.some(({ groups }) => groups.some((each) => GETS.has(each))));
  return reads.every(Boolean) ? 0.8 : 0;
}

const GETS: ReadonlySet<string> = new Set(['get', 'list']);

function sameDeed(one: Verb, other: Verb): number {
  if (one.word === other.word) return 1;
  if (likeness(one.word, other.word) >= 0.85) return 0.95;
  return one.groups.some((group) => other.groups.includes(group)) ? 0.92 : 0;
}

function squashed(name: string): string {
  return partsOf(name).join('');
}
