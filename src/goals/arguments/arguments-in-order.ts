// Finds arguments in an order beside its verb and object: `the open issues, newest first, first 5`.
import { isJsonArray, type Json, type JsonObject } from '../../base/json.ts';
import { namesAt, openKinds, propertiesOf, type Schema, schemaOf } from '../../contract/schema.ts';
import { mask } from '../match/mask.ts';
import { orderOf } from '../match/read-order.ts';
import { isFunctionWord, stemOf } from '../match/terms.ts';
import { groupOf } from '../match/verbs.ts';
import { fitTo } from './fit-value.ts';
import { endedAs, listedIn } from './listed-values.ts';
import { withOwner } from './map-arguments.ts';
import { type ArgumentPhrase, phrasesIn, withoutQuotes } from './phrases.ts';
import { propertiesMeant, propertyFor } from './property-name.ts';
import { flagOf, parametersOf } from './refinement-arguments.ts';
import { equivalence, keyOf, stemsOf } from './synonyms.ts';

interface PhraseArguments {
  readonly input: JsonObject;
  /** The numbers inside recognized phrases, taken or not: they must not become other arguments. */
  readonly numbers: readonly number[];
  /** Phrases without a property in the contract. */
  readonly left: readonly string[];
}

/**
 * Fills only properties without a value (not in `taken`), and only with values from the order. A call that changes existing
 * things gets its required properties only: in `close the issues with label bug` the label selects issues and changes none.
 * `tool` is the tool's name and description.
 */
export function parametersWithin(
  order: string,
  contract: Schema,
  taken: ReadonlySet<string>,
  changes: boolean,
  tool = '',
): PhraseArguments {
  const required = namesAt(contract, 'required');
  const describes = !changes || !orderOf(order).acted.at(-1)?.isPlural || isMaking(order);
  const found = new Map<string, Json>();
  const left: string[] = [];
  const numbers = new Set<number>();
  const add = (input: JsonObject, isSet = false): void => {
    for (const [name, value] of Object.entries(input)) {
      const isWanted = isSet || describes || required.includes(name);
      const before = found.get(name);
      if (!isWanted || taken.has(name)) continue;
      if (before === undefined) found.set(name, value);
      else if (isJsonArray(before) && isJsonArray(value)) found.set(name, [...new Set([...before, ...value])]);
    }
  };
  const phrases = phrasesIn(order);
  const isRead = (phrase: ArgumentPhrase): boolean => !changes || phrase.refinement === undefined;
  for (const phrase of phrases) {
    const input = isRead(phrase) ? argumentsFor(phrase, contract, tool) : undefined;
    const before = found.size;
    if (input !== undefined) add(input, phrase.isSet);
    if (phrase.says !== undefined && !isThing(phrase, contract, changes)) {
      for (const each of phrase.numbers ?? []) numbers.add(each);
    }
    if (found.size > before)
      for (const each of Object.values(input ?? {})) if (typeof each === 'number') numbers.add(each);
    if (input === undefined && phrase.says !== undefined && !isThing(phrase, contract, changes)) left.push(phrase.says);
  }
  const bare = phrases.reduce((text, { says = '' }) => text.replace(says, ' '), withoutTopics(withoutQuotes(order)));
  const flags = describes ? flagsIn(bare, contract) : {};
  add(flags);
  add(listedIn(bare, contract, !changes || isMaking(order)));
  if (changes && describes) add(endedAs(bare, contract));
  add(linksIn(order, contract, new Set([...taken, ...found.keys()])), true);
  if (!changes) left.push(...keptIn(bare, flags, found));
  const whole = withOwner(Object.fromEntries(found), contract);
  return {
    input: Object.fromEntries(Object.entries(whole).filter(([name]) => !taken.has(name))),
    numbers: [...numbers],
    left,
  };
}

/** Tells whether `page 59833787` names a page as a thing, rather than a page of a list. */
function isThing({ refinement }: ArgumentPhrase, contract: Schema, changes: boolean): boolean {
  if (refinement?.kind !== 'value' || refinement.name !== 'page') return false;
  return changes || propertiesMeant('page', contract).length > 0;
}

/** The argument under the first name of the phrase with a fitting property. */
function argumentsFor(
  { refinement, names = [], value = null, read }: ArgumentPhrase,
  contract: Schema,
  tool: string,
): JsonObject | undefined {
  if (refinement !== undefined) return parametersOf(refinement, contract);
  for (const name of names) {
    const property = propertyFor(name, contract, value);
    if (property === undefined) continue;
    const schema = schemaOf(propertiesOf(contract)[property]);
    const meant = read === undefined ? value : read(value, { name: property, schema, tool });
    const fitted = meant === undefined ? undefined : fitTo(meant, schema, contract);
    if (fitted?.ok === true) return { [property]: fitted.value };
  }
  return undefined;
}

/** Blanks out titles and topics, because their words describe nothing else. */
function withoutTopics(order: string): string {
  return order.replaceAll(
    /\b(?:titled|entitled|called|named|headed|about|mentioning|containing)\s+(?:(?![,;]|\s(?:that|which|with|in|on|by|sorted|as)\s).)+/giu,
    (said) => ' '.repeat(said.length),
  );
}

const CREATES = groupOf(stemOf('create'));
const SENDS = groupOf(stemOf('send'));

/** Tells whether the order makes something new (`create the issue`, `open an issue`), so that its words describe the new thing. */
function isMaking(order: string): boolean {
  const { verb, text } = orderOf(order);
  const group = groupOf(verb?.stem ?? '');
  return (group !== undefined && (group === CREATES || group === SENDS)) || /^\p{L}+ (?:an?|new) /iu.test(text);
}

const KEPT =
  /\b(?:without|excluding|including|ignoring)(?: (?:the|any|all))* (\p{L}+)|\b(\p{L}+) only(?!\p{L})|\bonly(?: the)? (\p{L}+)/giu;

/** Phrases such as `without drafts` that no flag and no listed value expresses. */
function keptIn(order: string, flags: JsonObject, found: ReadonlyMap<string, Json>): readonly string[] {
  const said = [
    ...Object.keys(flags).map((name) => flagOf(name).stem),
    ...[...found.values()].map((value) => stemOf(String(value))),
  ];
  return [...order.matchAll(KEPT)].flatMap(([says, ...words]) => {
    const word = words.find((each) => each !== undefined) ?? '';
    return isFunctionWord(word) || said.includes(stemOf(word)) ? [] : [says];
  });
}

const LETS_IN = '(?:including|include|with|also|plus)';
const KEEPS_OUT = '(?:without|excluding|exclude|except|but not|not|no|non|ignoring|skip|skipping)';

/** Sets flags by their word: `drafts only`, `without archived ones`, `a private repository`. */
function flagsIn(order: string, contract: Schema): JsonObject {
  const said = Object.entries(propertiesOf(contract)).flatMap(([name, schema]) => {
    if (!openKinds(schemaOf(schema), contract).has('boolean')) return [];
    const { stem, adds, excludes } = flagOf(name);
    const word = wordWith(order, stem);
    if (word === undefined) return [];
    const behind = (leads: string): boolean =>
      new RegExp(`(?<!\\p{L})${leads}(?: (?:the|any|all))*[ -]${word}(?!\\p{L})`, 'iu').test(order);
    const isKeptOut = behind(KEEPS_OUT);
    if (isKeptOut) return [[name, excludes] as const];
    if (behind(LETS_IN)) return [[name, !excludes] as const];
    const isOnly = behind('only') || new RegExp(`(?<!\\p{L})${word}(?: \\p{L}+)? only(?!\\p{L})`, 'iu').test(order);
    return excludes || (adds && !isOnly) ? [] : [[name, true] as const];
  });
  return Object.fromEntries(said);
}

/** The words of an order, after its verb, that have this stem. */
function wordWith(order: string, stem: string): string | undefined {
  const [, ...words] = order.match(/\p{L}+/gu) ?? [];
  const at = words.findIndex((_, from) =>
    stem.split(' ').every((each, beyond) => stemOf(words[from + beyond] ?? '') === each),
  );
  return at < 0 ? undefined : words.slice(at, at + stem.split(' ').length).join('[ -]');
}

/**
 * The links of an order for the only property that takes links. Its name is a synonym of `url`, or the order says the words
 * of its name: `redirects to https://…` fills `redirect_url`.
 */
function linksIn(order: string, contract: Schema, taken: ReadonlySet<string>): JsonObject {
  const links = mask(order).spans.flatMap(({ kind, text, written }) =>
    kind === 'link' && written === text ? [text] : [],
  );
  const [link, ...others] = new Set(links);
  if (link === undefined) return {};
  const said = new Set(order.match(/\p{L}+/gu)?.map(stemOf));
  const taking = Object.entries(propertiesOf(contract)).flatMap(([name, schema]) => {
    const stems = stemsOf(name);
    const isBare = equivalence(URL, keyOf(name)) === 1;
    const isNamed = IS_LINK.test(stems.at(-1) ?? '');
    if (!isBare && !isNamed && schemaOf(schema).format !== 'uri') return [];
    const words = (isNamed ? stems.slice(0, -1) : stems).filter((word) => !ANY_LINK.test(word));
    return isBare || words.every((word) => said.has(word)) ? [{ name, schema: schemaOf(schema), isBare }] : [];
  });
  const named = taking.filter(({ isBare }) => !isBare);
  const [only, another] = named.length > 0 ? named : taking;
  if (only === undefined || another !== undefined || taken.has(only.name)) return {};
  const { name, schema } = only;
  const value = openKinds(schema, contract).has('list') ? [link, ...others] : others.length === 0 ? link : undefined;
  const fitted = value === undefined ? undefined : fitTo(value, schema, contract);
  return fitted?.ok === true ? { [name]: fitted.value } : {};
}

const URL = keyOf('url');
const IS_LINK = /^(?:url|uri|href|link|websit|website)$/;
/** Words in property names that do not tell one link from another. */
const ANY_LINK =
  /^(?:page|web|websit|website|site|target|sourc|source|start|base|resourc|resource|data|input|document|file)$/;
