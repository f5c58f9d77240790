// Finds the property of a contract that a name means: by spelling, by synonym, or by the contract's descriptions.
import type { Json } from '../../base/json.ts';
import { openKinds, propertiesOf, type Schema, schemaOf } from '../../contract/schema.ts';
import { isFunctionWord, stemOf, wordsOfName } from '../match/terms.ts';
import { fitTo } from './fit-value.ts';
import { equivalence, keyOf, phrasesOf, saysHowMany, stemsOf, wordsFor } from './synonyms.ts';

/** The property that a name means; undefined when there is none, or more than one. */
export function propertyFor(given: string, contract: Schema, value?: Json): string | undefined {
  const [only, another] = propertiesMeant(given, contract, value);
  return another === undefined ? only : undefined;
}

/** All properties that a name may mean, narrowed by descriptions and by the value. */
export function propertiesMeant(given: string, contract: Schema, value?: Json): readonly string[] {
  const properties = propertiesOf(contract);
  const names = Object.keys(properties);
  if (names.includes(given)) return [given];
  const found = LEVELS.map((isMeant) =>
    names.filter((name) => isMeant(given, name, schemaOf(properties[name]), contract)),
  ).find(({ length }) => length > 0);
  const [only = '', another] = found ?? [];
  const kin = found === undefined || (another === undefined && isLabel(only)) ? kinOf(given, names) : [];
  if (found === undefined || found.length === 1) {
    const others =
      value === undefined ? kin : kin.filter((name) => fitTo(value, schemaOf(properties[name]), contract).ok);
    return others.length > 1 ? others : (found ?? []);
  }
  const told = found.filter((name) => tells(given, schemaOf(properties[name])));
  const left = told.length === 0 ? found : told;
  if (value === undefined || left.length === 1) return left;
  const fitting = left.filter((name) => fitTo(value, schemaOf(properties[name]), contract).ok);
  return fitting.length === 0 ? left : fitting;
}

/** Tells whether a property holds a name or key of a thing (`secretName`) and not the thing; an id counts as the thing. */
function isLabel(name: string): boolean {
  const stems = stemsOf(name);
  return identityOf(name).by === 'name' || stems.at(-1) === stemOf('key');
}

/** Properties for parts of the named thing: `secretName` and `secretValue` for `secret`. */
function kinOf(given: string, names: readonly string[]): readonly string[] {
  const key = keyOf(given);
  return names.filter((name) => {
    const [first, ...rest] = phrasesOf(stemsOf(name));
    return first === key && rest.length > 0;
  });
}

type Level = (given: string, name: string, schema: Schema, contract: Schema) => boolean;

/** Ways to match names, surest first; a later one is tried only when all earlier ones find nothing. */
const LEVELS: readonly Level[] = [
  (given, name) => wordsOfName(given).join('') === wordsOfName(name).join(''),
  (given, name) => keyOf(given) === keyOf(name),
  (given, name, schema) => alikeness(given, name, schema) === 1 && PAGED.test(given) === PAGED.test(name),
  (given, name, schema) => alikeness(given, name, schema) === 1,
  (given, name) => isSameThing(given, name, SAME),
  (given, name, schema) => alikeness(given, name, schema) > 0 || isSameThing(given, name, 0),
  hasSameHead,
  (given, _, schema) => isDescribedAs(given, schema),
];

/** Keeps page sizes apart from total limits. */
const PAGED = /page/i;

/** Similarity by the table of synonyms; numbers also by being limits. */
function alikeness(given: string, name: string, schema: Schema): number {
  const counted = openKinds(schema, schema).has('number') ? saysHowMany(given) * saysHowMany(name) : 0;
  return Math.max(equivalence(keyOf(given), keyOf(name)), counted < SAME ? 0 : counted);
}

/** Synonyms are more alike than this. */
const SAME = 0.5;
const IDENTIFIES = new Set(['id', 'number', 'num', 'no', 'iid', 'key', 'uuid', 'guid', 'slug', 'ref'].map(stemOf));
const NAME = stemOf('name');

/** Matches `issue` with `issue_number`, and `project id` with `project`, but never a name with an id. */
function isSameThing(given: string, name: string, least: number): boolean {
  const [one, other] = [identityOf(given), identityOf(name)];
  if (one.thing === '' || other.thing === '') return false;
  const isSame = one.thing === other.thing || equivalence(one.thing, other.thing) > least;
  return isSame && (one.by === other.by || one.by === undefined || other.by === undefined);
}

/** Splits a property name into the thing and the way it is identified, by name or by id. */
export function identityOf(name: string): { readonly thing: string; readonly by?: 'name' | 'id' } {
  const stems = stemsOf(name);
  const last = stems.at(-1) ?? '';
  const by = last === NAME ? 'name' : IDENTIFIES.has(last) ? 'id' : undefined;
  return by === undefined ? { thing: stems.join(' ') } : { thing: stems.slice(0, -1).join(' '), by };
}

/** Words that distinguish two properties of the same thing. */
const TELLS_APART = new Set(
  'from to source target min max start end previous new old parent before after last first expected next not exclude without'
    .split(' ')
    .map(stemOf),
);

/**
 * Matches `issue title` with `title`, and `title` with `page_title`: names with the same head noun, one of them longer.
 * Extra words of the given name must appear in the contract.
 */
function hasSameHead(given: string, name: string, schema: Schema, contract: Schema): boolean {
  const [one, other] = [phrasesOf(stemsOf(given)), phrasesOf(stemsOf(name))];
  if (isBare(given)) return false;
  if (!areAlike(one.at(-1) ?? '', other.at(-1) ?? '')) return false;
  const beyond = (some: readonly string[], others: readonly string[]): readonly string[] =>
    some.filter((each) => !others.some((word) => areAlike(each, word)));
  const [more, narrower] = [beyond(one, other), beyond(other, one)];
  if (more.length > 0 && narrower.length > 0) return false;
  if (narrower.length > 0) return !narrower.some((each) => TELLS_APART.has(each));
  const told = new Set([
    ...textOf(schema),
    ...textOf(contract),
    ...Object.keys(propertiesOf(contract)).flatMap(stemsOf),
  ]);
  return more.every((each) => each.split(' ').some((stem) => told.has(stem)));
}

/** Tells whether a name such as `name` or `id` does not say which thing it belongs to. */
function isBare(given: string): boolean {
  return identityOf(given).thing === '';
}

function areAlike(one: string, other: string): boolean {
  return one !== '' && (one === other || equivalence(one, other) === 1);
}

/** Tells whether a property's description starts with the given name: `The search query` for `text`. */
function isDescribedAs(given: string, { title, description }: Schema): boolean {
  const wanted = stemsOf(given).filter((stem) => !isFunctionWord(stem));
  return [title, description].some((text) => {
    const about = typeof text === 'string' ? aboutOf(text) : [];
    return (
      !isBare(given) &&
      wanted.length > 0 &&
      wanted.every((stem) => about.includes(stem)) &&
      about.includes(wanted.at(-1) ?? '')
    );
  });
}

/** The stems of a description's first noun phrase. */
function aboutOf(description: string): readonly string[] {
  const [about = ''] = description.split(
    /[.,;:(\n]|\s(?:of|for|to|in|from|that|which|when|where|if|whether|by|with|on|at|as|per|before|after|beneath|under|behind|above)\s/i,
  );
  return stemsOf(about);
}

/** Tells whether the schema's texts contain a synonym of the given name. */
function tells(given: string, schema: Schema): boolean {
  const words = wordsFor(keyOf(given));
  return textOf(schema).some((stem) => words.has(stem));
}

function textOf({ title, description, format }: Schema): readonly string[] {
  return [title, description, format].flatMap((text) => (typeof text === 'string' ? stemsOf(text) : []));
}
