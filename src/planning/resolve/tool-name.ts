// The name of a capability, read: whose it is, what it does, and to what.
import { auxiliaries, determiners, isManner, prepositions } from './lexicon/function-words.ts';
import { partitives } from './lexicon/nouns.ts';
import { groupsOf, nounLike } from './lexicon/verbs.ts';
import { isPlural, partsOf, singular, verbForms } from './words.ts';

export interface Verb {
  readonly word: string;
  readonly groups: readonly string[];
  /** It is the thing as well that comes of it: to label is to add a label, and nothing else. */
  readonly makes?: true;
}

export interface NameNoun {
  /** In the singular. */
  readonly word: string;
  readonly plural: boolean;
  /** How much it costs not to be asked for; 1 for the noun that the name is about. */
  readonly weight: number;
  /** What descriptions call it where names never do: a `message` that is told as an email. */
  readonly aliases: ReadonlySet<string>;
}

interface ToolName {
  /** Server or family in front of the name. */
  readonly family: readonly string[];
  readonly verbs: readonly Verb[];
  readonly nouns: readonly NameNoun[];
}

/** How the names of one catalogue are made. */
export interface Convention {
  /** `slack` of `slack_list_channels` and its neighbours: it says whose they are and nothing of what they do. */
  readonly shared: string | undefined;
  /** First words that must be verbs where nearly all first words are, though nobody else knows them: `drain_node`. */
  readonly verbs: ReadonlySet<string>;
}

const SHARED_BY = 3;
const SHARE = 0.6;

/** Independent of the order of the names. */
export function conventionOf(names: readonly string[]): Convention {
  const all = names.map((name) => partsOf(lastSegment(name)));
  const starts = Map.groupBy(
    all.filter(([first = '', ...rest]) => rest.length > 0 && !isPlainVerb(first)),
    ([first = '']) => first,
  );
  const least = Math.max(SHARED_BY, names.length * SHARE);
  const shared = [...starts].find(([, group]) => group.length >= least)?.[0];
  const own = all.map((parts) => (parts[0] === shared && parts.length > 1 ? parts.slice(1) : parts));
  const leads = own.filter(([first = '']) => isPlainVerb(first)).length >= own.length * SHARE;
  const inside = new Set(own.flatMap((parts) => parts.slice(1)).map(singular));
  const verbs = own.flatMap(([first = '', ...rest]) => {
    const isOther = isVerb(first) || isManner(first) || inside.has(singular(first)) || rest.some(isPlainVerb);
    return isOther ? [] : [first];
  });
  return { shared, verbs: new Set(leads ? verbs : []) };
}

export function readName(name: string, { shared, verbs: invented }: Convention): ToolName {
  const last = partsOf(lastSegment(name));
  const inFamily = last[0] === shared && last.length > 1;
  const parts = inFamily ? last.slice(1) : last;
  const family = [...segmentsOf(name).slice(0, -1).flatMap(partsOf), ...(inFamily ? [last[0] ?? ''] : [])];
  const places = invented.has(parts[0] ?? '') ? [0] : verbPlaces(parts);
  const joint = parts.findIndex((part, place) => prepositions.has(part) && place > (places[0] ?? 0));
  const end = joint < 0 ? parts.length : joint;
  const nouns = parts.flatMap((word, place) =>
    places.includes(place) || isIdle(word) ? [] : [{ word, isTail: place > end }],
  );
  return {
    family: family.map(singular),
    verbs: places.map((place) => verbOf(parts[place] ?? '')),
    nouns: weighed(nouns.length > 0 ? nouns : family.map((word) => ({ word, isTail: false }))),
  };
}

export function verbOf(word: string): Verb {
  const form = verbForms(word).find((each) => groupsOf(each).length > 0);
  return { word: form ?? word, groups: groupsOf(form ?? word) };
}

/** It stands between the words that mean something. */
export function isIdle(word: string): boolean {
  return determiners.has(word) || prepositions.has(word) || auxiliaries.has(word) || /^(or|and|by|all)$/.test(word);
}

function segmentsOf(name: string): readonly string[] {
  return name.split(/[./:]|__/);
}

function lastSegment(name: string): string {
  return segmentsOf(name).at(-1) ?? '';
}

function isVerb(part: string): boolean {
  return verbOf(part).groups.length > 0;
}

function isPlainVerb(part: string): boolean {
  return isVerb(part) && !nounLike.has(part);
}

/** At its head, else wherever a word is a verb and nothing else; after `or` and `and`, another. */
function verbPlaces(parts: readonly string[]): readonly number[] {
  const first = parts[0] ?? '';
  const plain = isPlainVerb(first) ? 0 : parts.findLastIndex(isPlainVerb);
  const place = plain < 0 && isVerb(first) ? 0 : plain;
  if (place < 0) return [];
  const joined = parts.flatMap((part, index) => {
    const follows = index > 0 && index !== place && /^(or|and)$/.test(parts[index - 1] ?? '');
    return follows && isVerb(part) ? [index] : [];
  });
  return [place, ...joined];
}

const MODIFIER = 0.6;
const LIGHT = 0.3;

interface Placed {
  readonly word: string;
  /** Behind a preposition: `playlist` of `add_track_to_playlist`. */
  readonly isTail: boolean;
}

function weighed(nouns: readonly Placed[]): readonly NameNoun[] {
  const isHead = ({ word, isTail }: Placed): boolean => !isTail && !isManner(word) && !partitives.has(singular(word));
  const solid = nouns.findLastIndex(isHead);
  const head = solid < 0 ? nouns.length - 1 : solid;
  return nouns.map(({ word: noun }, place) => {
    const word = singular(noun);
    const weight = place === head ? 1 : partitives.has(word) ? LIGHT : MODIFIER;
    return { word, plural: isPlural(noun), weight, aliases: new Set<string>() };
  });
}
