// Wires earlier steps to the properties of a call: each property once, by the best match.
import { defined } from '../../base/json.ts';
import {
  namesAt,
  openKinds,
  propertiesOf,
  type Schema,
  schemaOf,
  takesAnything,
  typesOf,
} from '../../contract/schema.ts';
import { satisfies } from '../../contract/subtype.ts';
import { wordsOfName } from '../match/terms.ts';
import { collectionIn, type OfferedValue, offersOf } from './offered-values.ts';
import { identityOf } from './property-name.ts';
import { equivalence, keyOf } from './synonyms.ts';
import { likeness, contentOf as wordsOf } from './word-likeness.ts';

/** A step that the call depends on. */
export interface ResultSource {
  readonly name: string;
  /** The step's task in words. */
  readonly description: string;
  readonly output?: Schema;
  /** The step is a person's answer to the question in `description`. */
  readonly isAnswer?: boolean;
  /** Other steps lie in between, so the step feeds required properties only. */
  readonly isFar?: boolean;
}

export interface Wire {
  readonly property: string;
  readonly from: string;
  /** The path into the result of `from`; empty for the whole result. */
  readonly path: readonly string[];
  /** The property takes one item of a list: one call for each item, at most `atMost`, fed with the item's value at `path`. */
  readonly each?: { readonly path: readonly string[]; readonly atMost: number };
  /** The result has no schema and the property takes a list: the result itself or its only list is used at run time. */
  readonly isSearched?: true;
}

interface Wiring {
  readonly wires: readonly Wire[];
  /** Sources without a matching property: the call waits for them only. */
  readonly orderOnly: readonly string[];
}

interface Options {
  /** The most calls that one list may become. */
  readonly widest?: number;
  /** Properties that must be fed; defaults to the required ones. */
  readonly required?: readonly string[];
}

const WIDEST = 20;
const ENOUGH = 0.5;
/** The least scores for a second property from the same step: `SURE` for an optional one, `LIKELY` for a required one. */
const SURE = 0.85;
const LIKELY = 0.75;

/**
 * `taken` names properties that have a value. Required properties are fed first; then each idle source may feed one optional
 * property with a similar name. The order of the sources decides ties only.
 */
export function wireDependencies(
  sources: readonly ResultSource[],
  contract: Schema,
  taken: ReadonlySet<string>,
  { widest = WIDEST, required = namesAt(contract, 'required') }: Options = {},
): Wiring {
  const free = Object.keys(propertiesOf(contract)).filter((name) => !taken.has(name));
  const matches = sources
    .flatMap((source) => free.flatMap((property) => matchesOf(source, property, contract)))
    .sort((one, other) => other.score - one.score);
  const fed = new Map<string, Match>();
  const feeding = new Set<string>();
  const feed = (match: Match): void => {
    fed.set(match.property, match);
    feeding.add(match.source.name);
  };
  const feedBest = (isMeant: (match: Match) => boolean): void => {
    for (const match of matches) {
      if (fed.has(match.property) || !isMeant(match)) continue;
      // One fan-out cannot iterate over two lists.
      if (match.offer.each !== undefined && [...fed.values()].some((other) => clashes(match, other))) continue;
      feed(match);
    }
  };
  const isIdle = ({ source }: Match): boolean => !feeding.has(source.name);
  const isRequired = ({ property }: Match): boolean => required.includes(property);
  feedBest((match) => isIdle(match) && isRequired(match));
  feedBest((match) => isRequired(match) && match.score >= LIKELY);
  const idle = sources.filter(({ name }) => !feeding.has(name));
  const open = free.filter((name) => required.includes(name) && !fed.has(name));
  for (const match of onlyChoice(idle, open, contract)) feed(match);
  feedBest((match) => isIdle(match) && mayFeedMore(match));
  return {
    wires: [...fed.values()].map((match) => wireOf(match, widest)),
    orderOnly: sources.map(({ name }) => name).filter((name) => !feeding.has(name)),
  };
}

const PAGING = /^(?:page|limit|offset|cursor|count|size|per_?page|page_?(?:size|number|token))$/i;

/** Tells whether a match may feed an optional property; paging values are never passed on. */
function mayFeedMore({ source, property, offer, score }: Match): boolean {
  if (source.isAnswer) return true;
  return !source.isFar && offer.each === undefined && score >= SURE && !PAGING.test(property);
}

interface Match {
  readonly source: ResultSource;
  readonly property: string;
  readonly offer: OfferedValue;
  readonly score: number;
  readonly isSearched: boolean;
}

function wireOf({ source, property, offer, isSearched }: Match, widest: number): Wire {
  const { path, each } = offer;
  const wire = { property, from: source.name, path, ...(isSearched ? { isSearched } : {}) };
  return each === undefined
    ? wire
    : { ...wire, each: { path: each.path, atMost: Math.min(widest, each.atMost ?? widest) } };
}

/** Two matches clash when they iterate over different lists. */
function clashes(one: Match, other: Match): boolean {
  if (other.offer.each === undefined) return false;
  return one.source !== other.source || one.offer.path.join('.') !== other.offer.path.join('.');
}

function matchesOf(source: ResultSource, property: string, contract: Schema): readonly Match[] {
  const wanted = schemaOf(propertiesOf(contract)[property]);
  // A result without a schema may be anything, so it only feeds content properties, lists and maps.
  if (source.output === undefined && !source.isAnswer && !takesContent(property, wanted, contract)) return [];
  return offersOf(source.output).flatMap((offer) => {
    if (!fits(offer.schema, wanted, source.output, contract)) return [];
    const score = source.isAnswer ? aboutOf(source, property) : scoreOf(source, offer, property);
    return score < ENOUGH ? [] : [{ source, property, offer, score, isSearched: isSearched(source, wanted, contract) }];
  });
}

function isSearched({ output, isAnswer }: ResultSource, wanted: Schema, contract: Schema): boolean {
  const open = openKinds(wanted, contract);
  return output === undefined && !isAnswer && open.size === 1 && open.has('list');
}

const CONTENT =
  /^(?:body|texts?|contents?|message|data|input|document|prompt|markdown|html|json|csv|values?|payload|summary|items|rows|records)$/;

/** Tells whether a property takes free content, and not a name or an id. */
function takesContent(property: string, wanted: Schema, contract: Schema): boolean {
  const open = openKinds(wanted, contract);
  if (open.has('string')) return CONTENT.test(wordsOfName(property).at(-1) ?? '');
  return open.has('list') || open.has('map');
}

function fits(offered: Schema, wanted: Schema, producer: Schema | undefined, consumer: Schema): boolean {
  if (takesAnything(offered)) return true;
  const withDefs = (schema: Schema, { $defs }: Schema): Schema => ($defs === undefined ? schema : { ...schema, $defs });
  return satisfies(withDefs(offered, producer ?? {}), withDefs(loosened(wanted), consumer)).ok;
}

/** Drops lengths, counts and formats, which are only known at run time. */
function loosened(wanted: Schema): Schema {
  const types = typesOf(wanted);
  const { $ref, anyOf, oneOf, allOf } = wanted;
  if (types.length === 0 || [$ref, anyOf, oneOf, allOf].some((each) => each !== undefined)) return wanted;
  const { type = {}, properties, items } = wanted;
  return { type, ...defined({ items, properties }) };
}

const BY_WORDS = 0.75;
const BY_ITEM = 0.95;
const BY_ID = 0.9;
const BY_OTHER_ID = 0.8;

/** The name of the offer counts most, then the step's task; items count a little less, because they need a fan-out. */
function scoreOf(source: ResultSource, { path, each }: OfferedValue, property: string): number {
  const names = [...path, ...(each?.path ?? [])];
  const items = each === undefined ? 1 : BY_ITEM;
  const last = (each === undefined ? path : each.path).at(-1);
  if (last !== undefined && keyOf(last) === keyOf(property)) return items;
  const byId = last === undefined ? 0 : identified(source, names, property);
  const byName = names.length === 0 ? 0 : overlap(wordsOf(property), names.flatMap(wordsOf));
  const isWhole = (each?.path ?? path).length === 0;
  const byDoing = isWhole
    ? overlap(contentOf(property), wordsOf(`${source.name} ${source.description}`)) * BY_WORDS
    : 0;
  return Math.max(byId, byName * 0.95, byDoing) * items;
}

/** Matches identifiers: the `number` of an issue with `issue_number`, the `id` of a customer with `customer`. */
function identified(source: ResultSource, names: readonly string[], property: string): number {
  const [last = '', ...outer] = names.toReversed();
  const [offered, wanted] = [identityOf(last), identityOf(property)];
  if (offered.by === undefined || wanted.thing === '') return 0;
  const isAbout = (thing: string): boolean => thing === wanted.thing || equivalence(thing, wanted.thing) === 1;
  const things = outer.length > 0 && offered.thing === '' ? outer.slice(0, 1).map(keyOf) : [offered.thing];
  const said = outer.length > 1 ? [] : wordsOf(`${source.name} ${source.description}`);
  if (![...things, ...(offered.thing === '' ? said : [])].some(isAbout)) return 0;
  if (wanted.by === undefined) return offered.by === 'id' ? BY_ID : BY_OTHER_ID;
  if (wanted.by !== offered.by) return 0;
  return wordsOf(property).at(-1) === wordsOf(last).at(-1) ? BY_ID : BY_OTHER_ID;
}

/** A question matches a property by any of its words: "the page size" for `per_page`. */
function aboutOf({ description }: ResultSource, property: string): number {
  const said = wordsOf(description);
  return Math.max(0, ...wordsOf(property).map((word) => overlap([word], said))) * BY_WORDS;
}

/** The share of `wanted` words that have a similar word in `said`. */
function overlap(wanted: readonly string[], said: readonly string[]): number {
  if (wanted.length === 0) return 0;
  const found = wanted.map((word) => Math.max(0, ...said.map((each) => likeness(each, word))));
  return found.reduce((sum, each) => sum + each, 0) / wanted.length;
}

/** The words of a property without identifiers: `issue` for `issue_number`. */
function contentOf(property: string): readonly string[] {
  const words = wordsOf(property).map((word) => (/^(?:path|filenam)$/.test(word) ? 'file' : word));
  const content = words.filter((word) => !/^(?:id|number|kei|name|ref|valu|data|input)$/.test(word));
  return content.length === 0 ? words : content;
}

/**
 * Matches the only idle step with the only open required property that fits. A text property must take free content: names
 * and ids are never guessed.
 */
function onlyChoice(idle: readonly ResultSource[], open: readonly string[], contract: Schema): readonly Match[] {
  const [source, another] = idle.filter(({ isAnswer, isFar }) => !(isAnswer || isFar));
  if (source === undefined || another !== undefined) return [];
  const { output } = source;
  const at = output === undefined ? undefined : collectionIn(output);
  const found = open.flatMap((property) => {
    const wanted = schemaOf(propertiesOf(contract)[property]);
    const isText = openKinds(wanted, contract).has('string');
    if ((isText || output === undefined) && !takesContent(property, wanted, contract)) return [];
    const offer = offersOf(output).find(
      ({ path, schema, each }) =>
        each === undefined &&
        (path.length === 0 || path.join('.') === at?.join('.')) &&
        fits(schema, wanted, output, contract),
    );
    if (offer === undefined) return [];
    return [{ source, property, offer, score: ENOUGH, isSearched: isSearched(source, wanted, contract) }];
  });
  return found.length === 1 ? found : [];
}
