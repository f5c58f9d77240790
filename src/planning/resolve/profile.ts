// What a capability's declaration says in words: what it does, to what, and which words of its contract one might use.
import type { Json } from '../../base/json.ts';
import { type Declaration, isMutating } from '../../contract/declaration.ts';
import { namesAt, propertiesOf, schemaOf, valuesOf } from '../../contract/schema.ts';
import { auxiliaries, determiners, fillers, prepositions, pronouns } from './lexicon/function-words.ts';
import { partitives } from './lexicon/nouns.ts';
import { classOf, groupsOf, lightVerbs, nounLike, type VerbClass } from './lexicon/verbs.ts';
import { toldOf } from './told.ts';
import { isPlural, partsOf, singular, verbForms } from './words.ts';

export interface Verb {
  readonly word: string;
  readonly groups: readonly string[];
}

export interface NameNoun {
  /** In the singular. */
  readonly word: string;
  readonly plural: boolean;
  /** How much it costs not to be asked for. */
  readonly weight: number;
  /** What descriptions call it where names never do: a `message` that is told as an email. */
  readonly aliases: ReadonlySet<string>;
}

export interface Profile {
  readonly declaration: Declaration;
  /** Of the name; of the description, when the name has none. */
  readonly verbs: readonly Verb[];
  /** Verbs with which the description begins. */
  readonly told: readonly Verb[];
  /** What the description says that it is about. */
  readonly toldNouns: ReadonlySet<string>;
  /** Empty: nothing is said about it. */
  readonly classes: ReadonlySet<VerbClass>;
  /** The last one is what it is about; those before narrow it. */
  readonly nouns: readonly NameNoun[];
  /** What the description calls the thing that the name calls otherwise. */
  readonly called: ReadonlySet<string>;
  /** Server or family in front of the name. */
  readonly family: readonly string[];
  /** Words of the input's properties, in the singular. */
  readonly parameters: ReadonlySet<string>;
  /** Words that the input lists as values. */
  readonly choices: ReadonlySet<string>;
  /** Words of the description, in the singular. */
  readonly words: ReadonlySet<string>;
  /** It must be told which one: `issue_number`, `orderId`. */
  readonly identifies: boolean;
}

/** Independent of the declarations' order. */
export function profilesOf(declarations: readonly Declaration[]): readonly Profile[] {
  const shared = sharedStart(declarations);
  const profiles = declarations.map((declaration) => profileOf(declaration, shared));
  const aliases = aliasesOf(profiles);
  return profiles.map((profile) => ({
    ...profile,
    nouns: profile.nouns.map((noun) => ({ ...noun, aliases: aliases.get(noun.word) ?? noun.aliases })),
  }));
}

/** What the tools of one catalogue call the same thing, unless some name uses the other word for another thing. */
function aliasesOf(profiles: readonly Profile[]): ReadonlyMap<string, ReadonlySet<string>> {
  const names = new Set(profiles.flatMap(({ nouns, family }) => [...nouns.map(({ word }) => word), ...family]));
  const found = new Map<string, Set<string>>();
  for (const { nouns, called } of profiles) {
    const noun = nouns.findLast(({ weight }) => weight > LIGHT)?.word;
    if (noun === undefined) continue;
    for (const word of called) if (!names.has(word)) found.set(noun, (found.get(noun) ?? new Set()).add(word));
  }
  return found;
}

const SHARED_BY = 3;
const SHARE = 0.6;

/** `slack` of `slack_list_channels` and its neighbours: it says whose they are and nothing of what they do. */
function sharedStart(declarations: readonly Declaration[]): string | undefined {
  const counts = new Map<string, number>();
  for (const { name } of declarations) {
    const [first = '', ...rest] = partsOf(name);
    if (rest.length > 0 && (groupsOf(first).length === 0 || nounLike.has(first))) {
      counts.set(first, (counts.get(first) ?? 0) + 1);
    }
  }
  const least = Math.max(SHARED_BY, declarations.length * SHARE);
  return [...counts].find(([, count]) => count >= least)?.[0];
}

function profileOf(declaration: Declaration, shared: string | undefined): Profile {
  const segments = declaration.name.split(/[./:]|__/);
  const last = partsOf(segments.at(-1) ?? '');
  const family = segments.slice(0, -1).flatMap(partsOf);
  const inFamily = last[0] === shared && last.length > 1;
  const parts = inFamily ? last.slice(1) : last;
  const at = verbPlaces(parts);
  const told = toldVerbs(declaration.description);
  const named = at.map((place) => verbOf(parts[place] ?? '')).filter((verb) => verb.groups.length > 0);
  const nouns = parts.filter((part, place) => !at.includes(place) && !isIdle(part));
  const families = inFamily ? [...family, last[0] ?? ''] : family;
  return {
    declaration,
    verbs: named.length > 0 ? named : told,
    told: named.length > 0 ? told.filter(({ word }) => !lightVerbs.has(word) || word === 'get') : told,
    classes: classesOf(declaration, named.length > 0 ? named : told),
    nouns: weighed(nouns.length > 0 ? nouns : families),
    ...toldOf(declaration.description, nouns.map(singular)),
    family: families.map(singular),
    ...inputWords(declaration),
    words: new Set(contentWords(declaration.description).concat(declaration.tags.flatMap(partsOf).map(singular))),
  };
}

function verbOf(word: string): Verb {
  const form = verbForms(word).find((each) => groupsOf(each).length > 0);
  return { word: form ?? word, groups: groupsOf(form ?? word) };
}

/** Where the verbs of a name stand: at its head, else wherever a word is a verb and nothing else; after `or` and `and`, another. */
function verbPlaces(parts: readonly string[]): readonly number[] {
  const isVerb = (part: string): boolean => verbOf(part).groups.length > 0;
  const isPlain = (part: string): boolean => isVerb(part) && !nounLike.has(part);
  const head = isPlain(parts[0] ?? '') ? 0 : parts.findLastIndex(isPlain);
  const first =
    head >= 0
      ? head
      : isVerb(parts[0] ?? '') && parts.length > 1
        ? 0
        : parts.length === 1 && isVerb(parts[0] ?? '')
          ? 0
          : -1;
  if (first < 0) return [];
  const others = parts.flatMap((part, place) =>
    place > 0 && place !== first && /^(or|and)$/.test(parts[place - 1] ?? '') && isVerb(part) ? [place] : [],
  );
  return [first, ...others];
}

const TOLD_WITHIN = 7;

/** The verb that the description begins with, and one that `and` or `or` joins to it. */
function toldVerbs(description: string): readonly Verb[] {
  const words = (description.toLowerCase().match(/[\p{L}]+/gu) ?? []).slice(0, TOLD_WITHIN);
  return words
    .filter((_, place) => place === 0 || /^(and|or)$/.test(words[place - 1] ?? ''))
    .map(verbOf)
    .filter(({ groups }) => groups.length > 0);
}

function classesOf(declaration: Declaration, verbs: readonly Verb[]): ReadonlySet<VerbClass> {
  const classes = verbs.flatMap(({ groups }) => groups.flatMap((group) => classOf(group) ?? []));
  if (classes.length > 0) return new Set(classes);
  if (declaration.effects.includes('delete')) return new Set(['destroy']);
  if (isMutating(declaration)) return new Set(['write']);
  return new Set(declaration.effects.length > 0 ? ['read'] : []);
}

function isIdle(word: string): boolean {
  return determiners.has(word) || prepositions.has(word) || auxiliaries.has(word) || /^(or|and|by|all)$/.test(word);
}

const MODIFIER = 0.6;
const LIGHT = 0.3;

function weighed(nouns: readonly string[]): readonly NameNoun[] {
  const head = nouns.findLastIndex((noun) => !isManner(noun));
  return nouns.map((noun, place) => {
    const word = singular(noun);
    const weight = partitives.has(word) ? LIGHT : place === head ? 1 : MODIFIER;
    return { word, plural: isPlural(noun), weight, aliases: new Set<string>() };
  });
}

function isManner(word: string): boolean {
  return word === 'forever' || word === 'quick' || /ly$/.test(word);
}

const IDENTIFIER = /^(id|number|key|sha|ref|slug|uuid|ts|no|code)$/;

function inputWords({ input = {} }: Declaration): Pick<Profile, 'parameters' | 'choices' | 'identifies'> {
  const properties = Object.entries(propertiesOf(input));
  const listed = properties.flatMap(([, property]): readonly Json[] => valuesOf(schemaOf(property)) ?? []);
  return {
    parameters: new Set(
      properties.flatMap(([name]) => partsOf(name).map(singular)).filter((word) => !IDENTIFIER.test(word)),
    ),
    choices: new Set(listed.flatMap((value) => (typeof value === 'string' ? partsOf(value).map(singular) : []))),
    identifies: namesAt(input, 'required').some((name) => IDENTIFIER.test(partsOf(name).at(-1) ?? '')),
  };
}

function contentWords(text: string): string[] {
  return partsOf(text)
    .filter((word) => word.length > 1 && !isIdle(word) && !pronouns.has(word) && !fillers.has(word))
    .map(singular);
}
