// Finds listed values that an order says as adjectives or verbs: `the closed issues`, `high-priority`.
import type { Json, JsonObject } from '../../base/json.ts';
import { propertiesOf, type Schema, schemaOf, valuesOf } from '../../contract/schema.ts';
import { orderOf } from '../match/read-order.ts';
import { isFunctionWord, stemOf, wordsOfName } from '../match/terms.ts';
import { isOrdering } from './refinement-arguments.ts';
import { equivalence, keyOf, stemsOf } from './synonyms.ts';

/** The verb as a listed value: `close issue 12` gives the state `closed`. */
export function endedAs(order: string, contract: Schema): JsonObject {
  const stem = orderOf(order).verb?.stem;
  const properties = Object.entries(propertiesOf(contract));
  const meant = properties.flatMap(([name, schema]) =>
    (valuesOf(schemaOf(schema)) ?? []).flatMap((value) =>
      typeof value === 'string' && stemOf(value) === stem && stemOf(name.split('_')[0] ?? '') !== stem
        ? [{ name, value }]
        : [],
    ),
  );
  const [only, another] = meant;
  return only === undefined || another !== undefined ? {} : { [only.name]: only.value };
}

/**
 * Listed values said before a noun, or after `is`, `by` or `as`: `open issues`, `issues that are open`, `merge it by
 * squash`. Words before a noun count only when `describes`.
 */
export function listedIn(order: string, contract: Schema, describes: boolean): JsonObject {
  const words = wordsSaidOf(order, describes);
  const said = Object.entries(propertiesOf(contract)).flatMap(([name, each]) => {
    const schema = schemaOf(each);
    const values = valuesOf(schema) ?? valuesOf(schemaOf(schema.items)) ?? [];
    const meant = isOrdering(name)
      ? []
      : values.filter((value) => typeof value === 'string' && isSaid(value, name, words, order));
    // In `all open issues`, `open` wins over the listed value `all`.
    const [only, ...others] = meant.length > 1 ? meant.filter((value) => value !== 'all') : meant;
    if (only === undefined || (others.length > 0 && valuesOf(schema) !== undefined)) return [];
    return [{ name, values: [only, ...others], value: valuesOf(schema) === undefined ? [only, ...others] : only }];
  });
  const alone = said.filter((one) => {
    const rivals = said.filter((other) => other.values.some((value) => one.values.includes(value)));
    return rivals.length === 1 || (isNamed(one, order) && rivals.filter((each) => isNamed(each, order)).length === 1);
  });
  return Object.fromEntries(alone.map(({ name, value }) => [name, value] as const));
}

/** Tells whether the value stands before the name of its property, as in `high priority`. */
function isNamed(
  { name, values }: { readonly name: string; readonly values: readonly Json[] },
  order: string,
): boolean {
  return values.some((value) => namedBehind(String(value), order).some((noun) => stemsOf(name).includes(stemOf(noun))));
}

function namedBehind(value: string, order: string): readonly string[] {
  const pattern = new RegExp(`(?<!\\p{L})${wordsOfName(value).join('[ _-]')}[ -](\\p{L}+)`, 'giu');
  return [...order.matchAll(pattern)].map(([, noun = '']) => noun);
}

function isNameFor(noun: string, property: string): boolean {
  return stemsOf(property).includes(stemOf(noun)) || equivalence(keyOf(noun), keyOf(property)) > 0;
}

/** A value of several words (`past due` for `past_due`) may stand anywhere; `high-priority` gives `high` to the priority. */
function isSaid(value: string, name: string, words: ReadonlySet<string>, order: string): boolean {
  const spoken = wordsOfName(value);
  if (spoken.length < 2) {
    const isJoined = [...words].some((word) => {
      const [first = '', noun, another] = word.split('-');
      return noun !== undefined && another === undefined && first === value.toLowerCase() && isNameFor(noun, name);
    });
    return isJoined || words.has(value.toLowerCase()) || [...words].some((word) => isForm(word, value.toLowerCase()));
  }
  return new RegExp(`(?<!\\p{L})${spoken.join('[ _-]')}(?!\\p{L})`, 'iu').test(order);
}

/** Matches `cancelled` with `canceled`, and `completed` with `complete`; other word forms differ. */
function isForm(word: string, value: string): boolean {
  const plain = (each: string): string =>
    each
      .replace(/ll(?=ed$)/, 'l')
      .replace(/e?d$/, '')
      .replace(/e$/, '');
  return /ed$/.test(word) && plain(word) === plain(value);
}

/** Words that describe something: neither the verb, which is first, nor the noun at the end of a phrase. */
function wordsSaidOf(order: string, describes: boolean): ReadonlySet<string> {
  const tokens = order.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_-]*|[,.;:?!]/gu) ?? [];
  const isWord = (token: string | undefined): boolean =>
    token !== undefined && /^[\p{L}_]/u.test(token) && !(isFunctionWord(token) && token !== 'all');
  const isSaidAt = (at: number): boolean => {
    if (at === 0 || !isWord(tokens[at])) return false;
    if (/^(?:is|are|was|were|been|still|currently|marked|by|via|using|as)$/.test(tokens[at - 1] ?? '')) return true;
    if (!describes) return false;
    if (isWord(tokens[at + 1]) || tokens[at - 1] === 'in') return true;
    // For example `the open and closed issues`.
    return /^(?:and|or|,)$/.test(tokens[at + 1] ?? '') && isSaidAt(at + 2);
  };
  return new Set(tokens.filter((_, at) => isSaidAt(at)));
}
