// What a capability's declaration says in words: what it does, to what, and which words of its contract one might use.
import type { Json } from '../../base/json.ts';
import { type Declaration, isMutating } from '../../contract/declaration.ts';
import { namesAt, propertiesOf, schemaOf, valuesOf } from '../../contract/schema.ts';
import { fillers, isManner, pronouns } from './lexicon/function-words.ts';
import { actNouns, classOf, lightVerbs, nounLike, type VerbClass } from './lexicon/verbs.ts';
import { toldOf } from './told.ts';
import { type Convention, conventionOf, isIdle, type NameNoun, readName, type Verb, verbOf } from './tool-name.ts';
import { partsOf, singular } from './words.ts';

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
  /** Two words for what the name says in one. */
  readonly compounds: ReadonlySet<string>;
  /** Server or family in front of the name. */
  readonly family: readonly string[];
  /** Words of the input's properties, in the singular. */
  readonly parameters: ReadonlySet<string>;
  /** Words that the input lists as values. */
  readonly choices: ReadonlySet<string>;
  /** Whole values that the input lists: `request change`. */
  readonly orders: ReadonlySet<string>;
  /** Words of the description, in the singular. */
  readonly words: ReadonlySet<string>;
  /** It must be told which one: `issue_number`, `orderId`. */
  readonly identifies: boolean;
}

/** Independent of the declarations' order. */
export function profilesOf(declarations: readonly Declaration[]): readonly Profile[] {
  const convention = conventionOf(declarations.map(({ name }) => name));
  const profiles = declarations.map((declaration) => profileOf(declaration, convention));
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
  for (const { nouns, called, verbs } of profiles) {
    const noun = nouns.find(({ weight }) => weight === 1)?.word;
    if (noun === undefined) continue;
    for (const word of called) {
      const isOther = names.has(word) || verbs.some((verb) => verb.word === word);
      if (!isOther) found.set(noun, (found.get(noun) ?? new Set()).add(word));
    }
  }
  return found;
}

function profileOf(declaration: Declaration, convention: Convention): Profile {
  const { family, verbs: read, nouns } = readName(declaration.name, convention);
  const inputs = inputWords(declaration);
  const words = takesWords(inputs.parameters) ? read.map(writingOnly) : read;
  const said = takesOut(declaration.description, inputs.parameters) ? words.map(detachingOnly) : words;
  const isMany = nouns.some(({ plural, weight }) => plural && weight === 1);
  const verbs = [...(isMany ? said.map(ofMany) : said), ...actsOf(said, nouns), ...writesOf(said)];
  const told = toldVerbs(declaration.description);
  const isSilent = verbs.every(({ groups }) => groups.length === 0);
  return {
    declaration,
    verbs: verbs.length > 0 ? verbs : told,
    told: verbs.length > 0 ? told.filter(({ word }) => !lightVerbs.has(word) || word === 'get') : told,
    classes: classesOf(declaration, isSilent ? told : verbs),
    nouns,
    ...toldOf(
      declaration.description,
      nouns.map(({ word }) => word),
    ),
    family,
    ...inputs,
    words: new Set(contentWords(declaration.description).concat(declaration.tags.flatMap(partsOf).map(singular))),
  };
}

/** To add a comment is to comment; but a `pull request` is a thing, and nobody requests it. */
function actsOf(verbs: readonly Verb[], nouns: readonly NameNoun[]): readonly Verb[] {
  const makes = verbs.some(({ groups }) => groups.includes('add') || groups.includes('create'));
  const act = nouns.find(({ weight }) => weight === 1)?.word ?? '';
  const isThing = act === 'request' && nouns.length > 1;
  return makes && actNouns.has(act) && !isThing ? [writingOnly(verbOf(act))] : [];
}

/** To create or update, whichever it takes, is to write. */
function writesOf(verbs: readonly Verb[]): readonly Verb[] {
  const does = (group: string): boolean => verbs.some(({ groups }) => groups.includes(group));
  return verbs.length > 1 && does('create') && does('update') ? [verbOf('write')] : [];
}

/** `Remove a label from an issue`, which is told which issue: the label itself stays. */
function takesOut(description: string, parameters: ReadonlySet<string>): boolean {
  const [, from = ''] = /^\p{L}+ .*? from (?:an?|the) (\p{L}+)/iu.exec(description) ?? [];
  return parameters.has(from.toLowerCase());
}

function detachingOnly(verb: Verb): Verb {
  return verb.groups.includes('detach') ? { ...verb, groups: ['detach'] } : verb;
}

/** Something to write is among what it takes. */
function takesWords(parameters: ReadonlySet<string>): boolean {
  return ['title', 'body', 'content', 'text', 'message', 'comment', 'subject'].some((word) => parameters.has(word));
}

/** To open a thing with a title is to create one, to review it with a text is not to look at it. */
function writingOnly(verb: Verb): Verb {
  const groups = verb.groups.filter((group) => classOf(group) !== 'read');
  return groups.length === 0 ? verb : { ...verb, groups };
}

/** To get many is to list them. */
function ofMany(verb: Verb): Verb {
  return /^(get|fetch|retrieve|show)$/.test(verb.word) ? { ...verb, groups: [...verb.groups, 'list'] } : verb;
}

const TOLD_WITHIN = 8;

/** The verb that the description begins with, and one that `and` or `or` joins to it. */
function toldVerbs(description: string): readonly Verb[] {
  const words = (description.toLowerCase().match(/[\p{L}]+/gu) ?? []).slice(0, TOLD_WITHIN);
  return (
    words
      .filter((word) => !isManner(word))
      .filter((word, place, kept) => place === 0 || (/^(and|or)$/.test(kept[place - 1] ?? '') && !nounLike.has(word)))
      .map(verbOf)
      // `Remove a user from a channel` leaves the user alone.
      .map((verb) =>
        verb.groups.includes('detach') && words.includes('from') ? { ...verb, groups: ['detach'] } : verb,
      )
      .filter(({ groups }) => groups.length > 0)
  );
}

function classesOf(declaration: Declaration, verbs: readonly Verb[]): ReadonlySet<VerbClass> {
  const classes = verbs.flatMap(({ groups }) => groups.flatMap((group) => classOf(group) ?? []));
  if (classes.length > 0) return new Set(classes);
  if (declaration.effects.includes('delete')) return new Set(['destroy']);
  if (isMutating(declaration)) return new Set(['write']);
  return new Set(declaration.effects.length > 0 ? ['read'] : []);
}

const IDENTIFIER = /^(id|number|key|sha|ref|slug|uuid|ts|no|code)$/;

function inputWords({ input = {} }: Declaration): Pick<Profile, 'parameters' | 'choices' | 'orders' | 'identifies'> {
  const properties = Object.entries(propertiesOf(input));
  const listed = properties.flatMap(([, property]): readonly Json[] => valuesOf(schemaOf(property)) ?? []);
  return {
    parameters: new Set(
      properties.flatMap(([name]) => partsOf(name).map(singular)).filter((word) => !IDENTIFIER.test(word)),
    ),
    choices: new Set(listed.flatMap((value) => (typeof value === 'string' ? partsOf(value).map(singular) : []))),
    orders: new Set(
      listed.flatMap((value) => (typeof value === 'string' ? partsOf(value).map(singular).join(' ') : [])),
    ),
    identifies: namesAt(input, 'required').some((name) => IDENTIFIER.test(partsOf(name).at(-1) ?? '')),
  };
}

function contentWords(text: string): string[] {
  return partsOf(text)
    .filter((word) => word.length > 1 && !isIdle(word) && !pronouns.has(word) && !fillers.has(word))
    .map(singular);
}
