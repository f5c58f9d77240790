// Which property of a contract a name means: written otherwise, by an equivalent name, or by the words of the contract.
import type { Json } from '../../base/json.ts';
import { openKinds, propertiesOf, type Schema, schemaOf } from '../../contract/schema.ts';
import { isFunctionWord, stemOf, wordsOfName } from '../match/terms.ts';
import { equivalence, keyOf, phrasesOf, saysHowMany, stemsOf, wordsFor } from './equivalents.ts';
import { fitTo } from './fit-to.ts';

/** The one property that a name means; undefined where the contract has none, or several that may be meant. */
export function propertyFor(given: string, contract: Schema, value?: Json): string | undefined {
  const [only, another] = propertiesMeant(given, contract, value);
  return another === undefined ? only : undefined;
}

/** Every property that a name may mean, as far as names, the contract's own words and the value tell. */
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

/** `secretName` names a secret as `secretValue` holds it; an id stands for the thing itself. */
function isLabel(name: string): boolean {
  const stems = stemsOf(name);
  return identityOf(name).by === 'name' || stems.at(-1) === stemOf('key');
}

/** Properties that are each some part of the thing named: `secretName` and `secretValue` of `secret`. */
function kinOf(given: string, names: readonly string[]): readonly string[] {
  const key = keyOf(given);
  return names.filter((name) => {
    const [first, ...rest] = phrasesOf(stemsOf(name));
    return first === key && rest.length > 0;
  });
}

type Level = (given: string, name: string, schema: Schema, contract: Schema) => boolean;

/** The surest first: a name is looked for at one level only where no property is meant at those before it. */
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

/** What one page holds is told from all that there is at most. */
const PAGED = /page/i;

/** By the table, and of numbers by what they count. */
function alikeness(given: string, name: string, schema: Schema): number {
  const counted = openKinds(schema, schema).has('number') ? saysHowMany(given) * saysHowMany(name) : 0;
  return Math.max(equivalence(keyOf(given), keyOf(name)), counted < SAME ? 0 : counted);
}

/** Names that the table holds to be the same are more alike than this. */
const SAME = 0.5;
const IDENTIFIES = new Set(['id', 'number', 'num', 'no', 'iid', 'key', 'uuid', 'guid', 'slug', 'ref'].map(stemOf));
const NAME = stemOf('name');

/** `issue` is `issue_number`, and `project id` is `project`; a name of a thing is not its id. */
function isSameThing(given: string, name: string, least: number): boolean {
  const [one, other] = [identityOf(given), identityOf(name)];
  if (one.thing === '' || other.thing === '') return false;
  const isSame = one.thing === other.thing || equivalence(one.thing, other.thing) > least;
  return isSame && (one.by === other.by || one.by === undefined || other.by === undefined);
}

/** A name in two parts: the thing, and whether it is said by its name or by an id. */
export function identityOf(name: string): { readonly thing: string; readonly by?: 'name' | 'id' } {
  const stems = stemsOf(name);
  const last = stems.at(-1) ?? '';
  const by = last === NAME ? 'name' : IDENTIFIES.has(last) ? 'id' : undefined;
  return by === undefined ? { thing: stems.join(' ') } : { thing: stems.slice(0, -1).join(' '), by };
}

/** They tell apart properties of the same thing. */
const TELLS_APART = new Set(
  'from to source target min max start end previous new old parent before after last first expected next not exclude without'
    .split(' ')
    .map(stemOf),
);

/**
 * `issue title` is `title`, and `title` is `page_title`: one says more, about the same. What the given name says more must
 * stand in the contract.
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

/** `name` and `id` are of whatever the call is about, and of nothing else that a property is named for. */
function isBare(given: string): boolean {
  return identityOf(given).thing === '';
}

function areAlike(one: string, other: string): boolean {
  return one !== '' && (one === other || equivalence(one, other) === 1);
}

/** Its description is about just that: `The search query` of `text`. */
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

/** The stems of a description up to where it says more than what it is about. */
function aboutOf(description: string): readonly string[] {
  const [about = ''] = description.split(
    /[.,;:(\n]|\s(?:of|for|to|in|from|that|which|when|where|if|whether|by|with|on|at|as|per|before|after|beneath|under|behind|above)\s/i,
  );
  return stemsOf(about);
}

/** Its description has a word for what is named. */
function tells(given: string, schema: Schema): boolean {
  const words = wordsFor(keyOf(given));
  return textOf(schema).some((stem) => words.has(stem));
}

function textOf({ title, description, format }: Schema): readonly string[] {
  return [title, description, format].flatMap((text) => (typeof text === 'string' ? stemsOf(text) : []));
}
