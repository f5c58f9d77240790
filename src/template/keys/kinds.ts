// The kinds of keys: the schema and the reader of each kind. Schemas use only keywords that compile to code without imports.
import { hasErrors } from '../../base/issue.ts';
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { readDuration, readMoney, readPercent, readSize } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { schemaIssues } from '../../contract/keywords.ts';
import { readTypeSignature } from '../../contract/signature.ts';
import { type Expression, isLisp } from '../references.ts';
import { type Key, type Keys, type KeyValues, keyOf, readAt, readKeys, schemasOf } from './key.ts';

const described = (description: string, examples: readonly Json[]): JsonObject =>
  examples.length === 0 ? { description } : { description, examples };

const textOf = (written: Json | undefined) => (typeof written === 'string' ? written : undefined);
const numberOf = (written: Json | undefined) => (typeof written === 'number' ? written : undefined);
const mapOf = (written: Json | undefined) => (isJsonObject(written) ? written : undefined);

export function text(description: string, ...examples: string[]) {
  return keyOf({ type: 'string', ...described(description, examples) }, textOf);
}

/** A text that matches the pattern; `expects` describes the pattern in words. */
export function textLike(pattern: string, expects: string, description: string, ...examples: string[]) {
  return text(description, ...examples).with({ pattern, 'x-expects': expects });
}

export function flag(description: string) {
  return keyOf({ type: 'boolean', description }, (written) => (typeof written === 'boolean' ? written : undefined));
}

export function count(description: string, least: number) {
  return keyOf({ type: 'integer', minimum: least, description }, numberOf);
}

export function number(description: string, minimum: number, maximum?: number) {
  return keyOf({ type: 'number', minimum, ...defined({ maximum }), description }, numberOf);
}

export function choice<const Word extends string>(description: string, words: readonly Word[]) {
  return keyOf({ type: 'string', enum: words, description }, (written) => words.find((word) => word === written));
}

export function anything(description: string, ...examples: Json[]) {
  return keyOf<Json>(described(description, examples), (written) => written);
}

/** A map with declared keys only. */
export function map<K extends Keys>(description: string, keys: K, required: readonly (string & keyof K)[] = []) {
  const schema: JsonObject = {
    type: 'object',
    description,
    ...defined({ required: required.length === 0 ? undefined : required }),
    properties: schemasOf(keys),
    additionalProperties: false,
  };
  return keyOf<KeyValues<K>>(schema, (written, issues) =>
    isJsonObject(written) ? readKeys(keys, written, issues) : undefined,
  );
}

/** A map with any keys; its values are not read. */
export function openMap(description: string, ...examples: Json[]) {
  return keyOf({ type: 'object', ...described(description, examples) }, mapOf);
}

/** A map from names to values of one kind. */
export function mapByName<V>(description: string, each: Key<V>, ...examples: Json[]) {
  const schema = { type: 'object', additionalProperties: each.schema, ...described(description, examples) };
  return keyOf<Readonly<Record<string, V>>>(schema, (written, issues) => {
    if (!isJsonObject(written)) return undefined;
    const entries = Object.entries(written).flatMap(([name, value]) => {
      const read = readAt(name, each, value, issues);
      return read === undefined ? [] : [[name, read] as const];
    });
    return Object.fromEntries(entries);
  });
}

export function list<V>(description: string, each: Key<V>, ...examples: Json[]) {
  const schema = { type: 'array', items: each.schema, ...described(description, examples) };
  return keyOf<readonly V[]>(schema, (written, issues) =>
    isJsonArray(written) ? written.flatMap((one, index) => readAt(index, each, one, issues) ?? []) : undefined,
  );
}

/** One value, or a list of them. */
export function oneOrMore<V>(type: readonly string[], each: Key<V>, description: string, ...examples: Json[]) {
  const schema = { type, items: each.schema, ...described(description, examples) };
  return keyOf<readonly V[]>(schema, (written, issues) => {
    if (written === undefined || written === null) return undefined;
    if (!isJsonArray(written)) {
      const only = each.read(written, issues);
      return only === undefined ? [] : [only];
    }
    return written.flatMap((one, index) => readAt(index, each, one, issues) ?? []);
  });
}

/** One word, or a list of them. */
export function words(description: string, ...examples: Json[]) {
  return oneOrMore(['array', 'string'], keyOf({ type: 'string' }, textOf), description, ...examples);
}

/** One of the allowed words, or a list of them; repeated words count once. */
export function choices<const Word extends string>(description: string, allowed: readonly Word[], ...examples: Json[]) {
  return words(description, ...examples)
    .with({
      items: { type: 'string', enum: allowed },
      pattern: `^(${allowed.join('|')})$`,
      'x-expects': `one or several of ${allowed.join(', ')}`,
    })
    .to((written) => [...new Set(written)].flatMap((word) => allowed.filter((each) => each === word)));
}

function quantity(schema: JsonObject, expects: string, read: (written: string | number) => Result<number, string>) {
  return keyOf<number>({ ...schema, 'x-expects': expects }, (written) => {
    if (typeof written !== 'string' && typeof written !== 'number') return undefined;
    const reading = read(written);
    return reading.ok ? reading.value : undefined;
  });
}

/** Read as a `Duration`, in milliseconds. */
export function duration(description: string) {
  const pattern = '^\\d+(\\.\\d+)?\\s*(ms|s|m|h|d)$';
  const schema = { type: 'string', pattern, ...described(description, ['30s', '30m']) };
  return quantity(schema, 'a duration such as 250ms, 30s, 30m or 2h', readDuration);
}

/** Read as `MicroDollars`. */
export function money(description: string) {
  const pattern = '^\\$?\\d+(\\.\\d{1,6})?$';
  const schema = { type: ['string', 'number'], minimum: 0, pattern, ...described(description, ['$5.00']) };
  return quantity(schema, 'an amount of US dollars such as $5.00', readMoney);
}

/** Read as a whole number: 200k is 200,000. */
export function size(description: string) {
  const pattern = '^\\d+(\\.\\d+)?\\s*[kKmMgG]?$';
  const schema = { type: ['integer', 'string'], minimum: 0, pattern, ...described(description, [4000, '200k']) };
  return quantity(schema, 'a size such as 4000, 200k or 1M', readSize);
}

/** Read as a number from 0 to 100. */
export function percent(description: string) {
  const schema = { type: 'string', pattern: '^(100|\\d{1,2})\\s*%$', ...described(description, ['10%']) };
  return quantity(schema, 'a percentage such as 10%', readPercent);
}

/** Lisp: `!lisp (…)` in YAML, `{"$lisp": "(…)"}` in JSON, or the bare text. */
export function lisp(description: string, ...examples: string[]) {
  const schema: JsonObject = {
    type: ['string', 'object'],
    required: ['$lisp'],
    properties: { $lisp: { type: 'string', description: 'The expression.' } },
    additionalProperties: false,
    'x-expects': 'Lisp: !lisp (…) in YAML, {"$lisp": "(…)"} in JSON',
    ...described(description, examples),
  };
  return keyOf<Expression>(schema, (written) => {
    if (typeof written === 'string') return { $lisp: written };
    return isLisp(written) ? { $lisp: written.$lisp } : undefined;
  });
}

/** A JSON Schema or a signature, read as a JSON Schema. */
export function contract(description: string) {
  const schema: JsonObject = {
    type: ['object', 'string'],
    'x-expects': 'a JSON Schema (a map) or a signature (text)',
    ...described(description, ['{columns [{name :string, type :string}], rows :int}', { type: 'object' }]),
  };
  return keyOf<JsonObject>(schema, (written, issues) => {
    if (written === undefined) return undefined;
    const read = readSchema(written);
    if (read.ok) return read.value;
    issues.push(...read.error);
    return undefined;
  });
}

/** Compiles no validator, so that templates load fast. A value of another type becomes a contract that accepts anything. */
export function readSchema(source: Json): Result<JsonObject> {
  if (typeof source === 'string') return readTypeSignature(source);
  if (!isJsonObject(source)) return good({});
  const issues = schemaIssues(source);
  return hasErrors(issues) ? bad(issues) : good(source, issues);
}

/** Applies a schema to values that meet a condition, and another to those that do not. */
export function condition(met: JsonObject, then: JsonObject, otherwise: JsonObject = {}): JsonObject {
  return { if: met, then, else: otherwise };
}

export function forbids(keys: readonly string[]): JsonObject {
  return { properties: Object.fromEntries(keys.map((key) => [key, false])) };
}
