// What an order says beside its verb and object that is a parameter of its call: `the open issues, newest first, first 5`.
import type { Json, JsonObject } from '../../base/json.ts';
import { namesAt, propertiesOf, type Schema, schemaOf, valuesOf } from '../../contract/schema.ts';
import { fitTo } from './fit-to.ts';
import { isOrdering, parametersOf } from './fold.ts';
import { propertyFor } from './property-name.ts';
import { type Refinement, refinementsIn } from './refinement.ts';

interface Within {
  readonly input: JsonObject;
  /** Of those phrases, whether the contract takes them or not: they number nothing else. */
  readonly numbers: readonly number[];
  /** What is said and the contract has no property for. */
  readonly left: readonly string[];
}

/**
 * Only what has no value yet. Of a call that changes something only what it requires and what is named: it is not to change
 * more than was said.
 */
export function parametersWithin(
  order: string,
  contract: Schema,
  taken: ReadonlySet<string>,
  changes: boolean,
): Within {
  const bare = order.replaceAll(/(["'`])(?:(?!\1).)*\1/g, (quoted) => ' '.repeat(quoted.length));
  const found = new Map<string, Json>();
  const add = (input: JsonObject): void => {
    for (const [name, value] of Object.entries(input)) if (!taken.has(name) && !found.has(name)) found.set(name, value);
  };
  if (changes) {
    const required = namesAt(contract, 'required');
    add(Object.fromEntries(Object.entries(namedIn(order, contract)).filter(([name]) => required.includes(name))));
    return { input: Object.fromEntries(found), numbers: [], left: [] };
  }
  const left: string[] = [];
  const phrases = phrasesIn(bare);
  for (const { says, refinement } of phrases) {
    const input = parametersOf(refinement, contract);
    if (input === undefined) left.push(says);
    else add(input);
  }
  add(namedIn(order, contract));
  add(listedIn(withoutPhrases(bare, phrases), contract));
  return { input: Object.fromEntries(found), numbers: phrases.flatMap(({ numbers }) => numbers), left };
}

interface Phrase {
  readonly says: string;
  readonly refinement: Refinement;
  readonly numbers: readonly number[];
}

const ENDS = '(?=\\s*(?:[,.;)]|$|\\band\\b|\\bwith\\b|\\bin\\b|\\bfrom\\b|\\bfor\\b|\\bon\\b))';
const ORDERS = '(?:newest|latest|most recent|oldest|largest|biggest|smallest|highest|lowest) first';

/** As they stand in an order; what each says is read as an order of its own would be. */
const PHRASES: readonly RegExp[] = [
  /\b(?:first|top) \d+\b/giu,
  /\b\d+ (?:per|on each|on a) page\b/giu,
  /\bpage size(?: of)? \d+\b/giu,
  /\bpage \d+\b/giu,
  /\bat most \d+\b/giu,
  new RegExp(
    `\\b(?:sorted|ordered|ranked|arranged) by (?:their |its |the )?[\\p{L}_-]+(?: [\\p{L}_-]+){0,2}?(?:,? (?:${ORDERS}|(?:in )?(?:asc|desc)(?:ending)?(?: order)?))?${ENDS}`,
    'giu',
  ),
  new RegExp(`\\b${ORDERS}\\b`, 'giu'),
];

const VERB: Readonly<Record<string, string>> = {
  sorted: 'sort',
  ordered: 'order',
  ranked: 'rank',
  arranged: 'arrange',
};

/** Without those that stand within others. */
function phrasesIn(order: string): readonly Phrase[] {
  const spans = PHRASES.flatMap((pattern) =>
    [...order.matchAll(pattern)].map(({ 0: says, index }) => ({ says, index })),
  );
  const outer = spans.filter(
    (one) =>
      !spans.some(
        (other) =>
          other.says.length > one.says.length &&
          other.index <= one.index &&
          one.index + one.says.length <= other.index + other.says.length,
      ),
  );
  return [
    ...outer.flatMap(({ says }) => {
      const asked = says
        .replace(/^at most/iu, 'take at most')
        .replace(/^\p{L}+(?= by )/iu, (word) => VERB[word.toLowerCase()] ?? word);
      return refinementsIn(asked).map((refinement) => ({ says, refinement, numbers: numbersOf(refinement) }));
    }),
    ...counted(order),
  ];
}

/** `list 10 issues`, `show me the 5 newest`: so many of them. */
const COUNTED =
  /^(?:please )?(?:list|show|get|fetch|find|return|give|retrieve|search|look up)(?: me)?(?: the)? (\d+)(?: (newest|latest|most recent|oldest|largest|biggest|smallest|highest|lowest))?(?= \p{L}+)/iu;

function counted(order: string): readonly Phrase[] {
  const [says = '', many, which] = COUNTED.exec(order) ?? [];
  if (many === undefined) return [];
  const limit = Number(many);
  const sorts = which === undefined ? [] : refinementsIn(`${which} first`);
  return [
    { says: `${limit}`, refinement: { kind: 'page', limit }, numbers: [limit] },
    ...sorts.map((refinement) => ({ says, refinement, numbers: [] })),
  ];
}

function numbersOf(refinement: Refinement): readonly number[] {
  if (refinement.kind !== 'page') return [];
  return [refinement.limit, refinement.page].filter((each) => each !== undefined);
}

function withoutPhrases(order: string, phrases: readonly Phrase[]): string {
  return phrases.reduce((text, { says }) => text.replace(says, ' '), order);
}

const NAMED =
  /\b(?:with|by|in|of|for|from|whose|having)\s+(?:the |a |an )?([\p{L}_][\p{L}\p{N}_-]*)(?:\s+(?:is|=|equal to))?\s+("[^"]+"|'[^']+'|`[^`]+`|[\p{L}\p{N}_./@#-]*[\p{L}\p{N}])(?=\s*(?:[,;)]|\.?$|\.\s|\b(?:and|or|with|by|in|of|for|from|on|to|at|as|sorted|ordered|that|which)\b))/giu;

/** `with label bug`, `in repo acme/site`: a property by its name, and behind it a value that it takes. */
function namedIn(order: string, contract: Schema): JsonObject {
  const properties = propertiesOf(contract);
  const said = [...order.matchAll(NAMED)].flatMap(([, name = '', value = '']) => {
    const property = propertyFor(name, Object.keys(properties));
    const plain = /^(["'`])(.*)\1$/u.exec(value)?.[2] ?? value;
    const fitted = property === undefined ? undefined : fitTo(plain, schemaOf(properties[property]), contract);
    return property !== undefined && fitted?.ok === true ? [[property, fitted.value] as const] : [];
  });
  return Object.fromEntries(said);
}

/** A word before what is listed, or said of it, that one property lists as a value: `open issues`, `issues that are open`. */
function listedIn(order: string, contract: Schema): JsonObject {
  const words = wordsSaidOf(order);
  const said = Object.entries(propertiesOf(contract)).flatMap(([name, schema]) => {
    const values = isOrdering(name) ? undefined : valuesOf(schemaOf(schema));
    const meant = (values ?? []).filter((value) => typeof value === 'string' && words.has(value.toLowerCase()));
    // Of `all open issues` those are meant that are open.
    const [only, another] = meant.length > 1 ? meant.filter((value) => value !== 'all') : meant;
    return only === undefined || another !== undefined ? [] : [{ name, value: only }];
  });
  const alone = said.filter(({ value }) => said.filter((other) => other.value === value).length === 1);
  return Object.fromEntries(alone.map(({ name, value }) => [name, value] as const));
}

const LINKING = /^(?:in|on|of|from|for|to|with|and|or|by|at|as|that|which|is|are|sorted|ordered|then|it|them)$/;

/** The first word is the verb, and the last one of a phrase what it is about. */
function wordsSaidOf(order: string): ReadonlySet<string> {
  const tokens = order.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_-]*|[,.;:?!]/gu) ?? [];
  const isWord = (token: string | undefined): boolean =>
    token !== undefined && /^[\p{L}_]/u.test(token) && !LINKING.test(token);
  return new Set(
    tokens.filter((token, at) => {
      if (at === 0 || !isWord(token)) return false;
      const isSaidOf = /^(?:is|are|still|currently|marked)$/.test(tokens[at - 1] ?? '');
      return isSaidOf || isWord(tokens[at + 1]);
    }),
  );
}
