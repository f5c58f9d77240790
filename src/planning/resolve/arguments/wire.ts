// Which property of a call is fed by which earlier step: each by what matches best, each property once.
import { namesAt, propertiesOf, type Schema, schemaOf, takesAnything, typesOf } from '../../../contract/schema.ts';
import { satisfies } from '../../../contract/subtype.ts';
import { prepositions } from '../lexicon/function-words.ts';
import { likeness } from '../likeness.ts';
import { partsOf, singular } from '../words.ts';
import { collectionIn, type Offer, offersOf } from './offers.ts';

/** A step that the call depends on. */
export interface Source {
  readonly name: string;
  /** What it does, in words. */
  readonly description: string;
  readonly output?: Schema;
}

interface Wire {
  readonly property: string;
  readonly from: string;
  /** Into the result of `from`; empty: all of it. */
  readonly path: readonly string[];
  /** A list feeds what takes one: a call for each item, at most so many, given what is at this path of the item. */
  readonly each?: { readonly path: readonly string[]; readonly atMost: number };
}

interface Wired {
  readonly wires: readonly Wire[];
  /** Those that nothing matches: the call waits for them, and takes nothing of theirs. */
  readonly orderOnly: readonly string[];
}

interface Options {
  /** Calls that one list may become. */
  readonly widest?: number;
}

const WIDEST = 20;
const ENOUGH = 0.5;
/** What one more property of a step that feeds another already must match by. */
const SURE = 0.85;

/** `taken`: properties that have their value. The order of the sources settles nothing but ties. */
export function wireDependencies(
  sources: readonly Source[],
  contract: Schema,
  taken: ReadonlySet<string>,
  { widest = WIDEST }: Options = {},
): Wired {
  const required = namesAt(contract, 'required');
  const free = Object.keys(propertiesOf(contract)).filter((name) => !taken.has(name));
  const matches = sources
    .flatMap((source) => free.flatMap((property) => matchesOf(source, property, contract)))
    .map((match) => ({ ...match, score: match.score + (required.includes(match.property) ? 0.02 : 0) }))
    .sort((one, other) => other.score - one.score);
  const fed = new Map<string, Match>();
  const feeding = new Set<string>();
  for (const least of [ENOUGH, SURE]) {
    for (const match of matches) {
      const isMore = feeding.has(match.source.name);
      if (fed.has(match.property) || match.score < least || isMore !== (least === SURE)) continue;
      // One call cannot go through two lists at once.
      if (match.offer.each !== undefined && [...fed.values()].some((other) => clashes(match, other))) continue;
      fed.set(match.property, match);
      feeding.add(match.source.name);
    }
  }
  for (const match of onlyChoice(
    sources,
    free.filter((name) => required.includes(name) && !fed.has(name)),
    feeding,
    contract,
  )) {
    fed.set(match.property, match);
    feeding.add(match.source.name);
  }
  return {
    wires: [...fed.values()].map((match) => wireOf(match, widest)),
    orderOnly: sources.map(({ name }) => name).filter((name) => !feeding.has(name)),
  };
}

interface Match {
  readonly source: Source;
  readonly property: string;
  readonly offer: Offer;
  readonly score: number;
}

function wireOf({ source, property, offer: { path, each } }: Match, widest: number): Wire {
  const wire = { property, from: source.name, path };
  return each === undefined
    ? wire
    : { ...wire, each: { path: each.path, atMost: Math.min(widest, each.atMost ?? widest) } };
}

/** Two that go through lists go through the same. */
function clashes(one: Match, other: Match): boolean {
  if (other.offer.each === undefined) return false;
  return one.source !== other.source || one.offer.path.join('.') !== other.offer.path.join('.');
}

function matchesOf(source: Source, property: string, contract: Schema): readonly Match[] {
  const wanted = schemaOf(propertiesOf(contract)[property]);
  return offersOf(source.output).flatMap((offer) => {
    if (!fits(offer.schema, wanted, source.output, contract)) return [];
    const score = scoreOf(source, offer, property);
    return score < ENOUGH ? [] : [{ source, property, offer, score }];
  });
}

function fits(offered: Schema, wanted: Schema, producer: Schema | undefined, consumer: Schema): boolean {
  if (takesAnything(offered)) return true;
  const withDefs = (schema: Schema, { $defs }: Schema): Schema => ($defs === undefined ? schema : { ...schema, $defs });
  return satisfies(withDefs(offered, producer ?? {}), withDefs(loosened(wanted), consumer)).ok;
}

/** How long, how many and of what form is known only when the value is there. */
function loosened(wanted: Schema): Schema {
  const types = typesOf(wanted);
  const { $ref, anyOf, oneOf, allOf } = wanted;
  if (types.length === 0 || [$ref, anyOf, oneOf, allOf].some((each) => each !== undefined)) return wanted;
  const { type = {}, properties, items } = wanted;
  return { type, ...(items === undefined ? {} : { items }), ...(properties === undefined ? {} : { properties }) };
}

const BY_WORDS = 0.75;
const BY_ITEM = 0.95;

/** The name of what is offered counts most, then what the step does; items count a little less than what needs no fan-out. */
function scoreOf(source: Source, { path, each }: Offer, property: string): number {
  const names = [...path, ...(each?.path ?? [])];
  const last = each === undefined ? path.at(-1) : each.path.at(-1);
  const items = each === undefined ? 1 : BY_ITEM;
  if (last !== undefined && wordsOf(last).join(' ') === wordsOf(property).join(' ')) return items;
  const byName = names.length === 0 ? 0 : overlap(wordsOf(property), names.flatMap(wordsOf));
  const isWhole = each === undefined ? path.length === 0 : each.path.length === 0;
  const byDoing = isWhole
    ? overlap(contentOf(property), wordsOf(`${source.name} ${source.description}`)) * BY_WORDS
    : 0;
  return Math.max(byName * 0.95, byDoing) * items;
}

/** The share of `wanted` that is among `said`. */
function overlap(wanted: readonly string[], said: readonly string[]): number {
  if (wanted.length === 0) return 0;
  const found = wanted.map((word) => Math.max(0, ...said.map((each) => likeness(each, word))));
  return found.reduce((sum, each) => sum + each, 0) / wanted.length;
}

function wordsOf(text: string): readonly string[] {
  return partsOf(text)
    .filter((word) => !prepositions.has(word))
    .map(singular);
}

/** `issue_number` is an issue. */
function contentOf(property: string): readonly string[] {
  const words = wordsOf(property);
  const content = words.filter((word) => !/^(id|number|key|name|ref|value|data|input)$/.test(word));
  return content.length === 0 ? words : content;
}

/** One step that feeds nothing yet, and one required property that nothing feeds: each is what the other is for, where it fits. */
function onlyChoice(
  sources: readonly Source[],
  open: readonly string[],
  feeding: ReadonlySet<string>,
  contract: Schema,
): readonly Match[] {
  const idle = sources.filter(({ name }) => !feeding.has(name));
  const [source, otherSource] = idle;
  const [property, otherProperty] = open;
  if (source === undefined || otherSource !== undefined) return [];
  if (property === undefined || otherProperty !== undefined) return [];
  const wanted = schemaOf(propertiesOf(contract)[property]);
  const at = source.output === undefined ? undefined : collectionIn(source.output);
  const offer = offersOf(source.output).find(
    ({ path, schema, each }) =>
      each === undefined &&
      (path.length === 0 || path.join('.') === at?.join('.')) &&
      fits(schema, wanted, source.output, contract),
  );
  return offer === undefined ? [] : [{ source, property, offer, score: ENOUGH }];
}
