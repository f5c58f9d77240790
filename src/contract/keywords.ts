// Checks the keywords of a schema: which ones a contract may use, and which values they may have.
import { RE2JS } from 're2js';
import { hasErrors, type Issue, issue, type PathPart } from '../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, nameOfKind } from '../base/json.ts';
import { didYouMean } from '../base/nearest.ts';
import type { Place } from '../base/place.ts';
import { annotationRules } from './annotations.ts';
import { formatNames } from './formats.ts';
import { numberAt, referred, type Schema, schemaOf, schemasOf, unionsOf } from './schema.ts';

/** A place in a schema: the root, the path, and the depth. */
interface SchemaPlace {
  readonly root: Schema;
  readonly path: readonly PathPart[];
  readonly depth: number;
  readonly place: Place | undefined;
}

type KeywordCheck = (value: Json, spot: SchemaPlace) => readonly Issue[];

/** The deepest nesting of keywords and names; far more than contracts for people need. */
const MAX_DEPTH = 128;
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const typeNames = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'];

function wrong(code: string, message: string, spot: SchemaPlace, hint?: string): readonly Issue[] {
  return [issue(code, message, { path: spot.path, place: spot.place, hint })];
}

function holds(expected: string, fits: (value: Json) => boolean): KeywordCheck {
  return (value, spot) =>
    fits(value)
      ? []
      : wrong(
          'CONTRACT_KEYWORD_INVALID',
          `"${spot.path.at(-1)}" is a ${nameOfKind(value)} that does not fit`,
          spot,
          `write ${expected}`,
        );
}

const below = (spot: SchemaPlace, part: PathPart): SchemaPlace => ({
  ...spot,
  path: [...spot.path, part],
  depth: spot.depth + 1,
});
const anything: KeywordCheck = () => [];
const text = holds('a string', (value) => typeof value === 'string');
const flag = holds('true or false', (value) => typeof value === 'boolean');
const number = holds('a number', (value) => typeof value === 'number');
const count = holds(
  'a whole number, 0 or more',
  (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
);
const divisor = holds('a number above 0', (value) => typeof value === 'number' && value > 0);
const values = holds('a list of at least one value', (value) => isJsonArray(value) && value.length > 0);
const list = holds('a list', isJsonArray);
const names = holds(
  'a list of names, each once',
  (value) =>
    isJsonArray(value) && value.every((name) => typeof name === 'string') && new Set(value).size === value.length,
);

const schema: KeywordCheck = (value, spot) => {
  if (typeof value === 'boolean') return [];
  if (isJsonObject(value)) return readKeywords(value, spot);
  return wrong(
    'CONTRACT_KEYWORD_INVALID',
    `a ${nameOfKind(value)} stands where a schema must`,
    spot,
    'write a schema, true or false',
  );
};

const schemas: KeywordCheck = (value, spot) => {
  if (!isJsonArray(value) || value.length === 0)
    return holds('a list of at least one schema', () => false)(value, spot);
  return value.flatMap((each, index) => schema(each, below(spot, index)));
};

const schemaMap: KeywordCheck = (value, spot) => {
  if (!isJsonObject(value)) return holds('a map from names to schemas', () => false)(value, spot);
  return Object.entries(value).flatMap(([name, each]) => schema(each, below(spot, name)));
};

const type: KeywordCheck = (value, spot) => {
  const given = isJsonArray(value) ? value : [value];
  const unknown = given.find((each) => typeof each !== 'string' || !typeNames.includes(each));
  if (unknown === undefined && given.length > 0 && new Set(given).size === given.length) return [];
  const near = typeof unknown === 'string' ? didYouMean(unknown, typeNames) : undefined;
  return wrong(
    'CONTRACT_KEYWORD_INVALID',
    '"type" does not name a JSON type',
    spot,
    near ?? `write one or more of ${typeNames.join(', ')}`,
  );
};

const pattern: KeywordCheck = (value, spot) => {
  if (typeof value !== 'string') return text(value, spot);
  try {
    RE2JS.compile(value);
    return [];
  } catch {
    const hint = 'write RE2 syntax, which has no lookaround and no backreferences, so that matching takes linear time';
    return wrong('CONTRACT_PATTERN_INVALID', 'the pattern is not a regular expression', spot, hint);
  }
};

const format: KeywordCheck = (value, spot) => {
  if (typeof value !== 'string') return text(value, spot);
  if (formatNames.includes(value)) return [];
  const hint = didYouMean(value, formatNames) ?? `choose from ${formatNames.join(', ')}`;
  return wrong('CONTRACT_FORMAT_UNKNOWN', `format "${value}" is not known`, spot, hint);
};

const reference: KeywordCheck = (value, spot) => {
  if (typeof value !== 'string') return text(value, spot);
  if (referred(value, spot.root) !== undefined) return [];
  const message = `"${value}" has no target in this contract`;
  return wrong('CONTRACT_REFERENCE_UNKNOWN', message, spot, 'refer to "#" or to "#/$defs/NAME" of the same schema');
};

const dialect: KeywordCheck = (value, spot) => {
  if (value === DIALECT || value === `${DIALECT}#`) return [];
  return wrong(
    'CONTRACT_DIALECT_UNSUPPORTED',
    'the schema is written in another dialect',
    spot,
    `write it in ${DIALECT}`,
  );
};

/** The subset of JSON Schema 2020-12 that contracts support. */
const readers: Readonly<Record<string, KeywordCheck>> = {
  $schema: dialect,
  $id: text,
  $comment: text,
  $defs: schemaMap,
  $ref: reference,
  title: text,
  description: text,
  default: anything,
  examples: list,
  deprecated: flag,
  readOnly: flag,
  writeOnly: flag,
  contentEncoding: text,
  contentMediaType: text,
  type,
  enum: values,
  const: anything,
  anyOf: schemas,
  oneOf: schemas,
  allOf: schemas,
  not: schema,
  properties: schemaMap,
  required: names,
  additionalProperties: schema,
  propertyNames: schema,
  minProperties: count,
  maxProperties: count,
  items: schema,
  prefixItems: schemas,
  minItems: count,
  maxItems: count,
  uniqueItems: flag,
  minLength: count,
  maxLength: count,
  pattern,
  format,
  minimum: number,
  maximum: number,
  exclusiveMinimum: number,
  exclusiveMaximum: number,
  multipleOf: divisor,
};

function readKeyword(keyword: string, value: Json, spot: SchemaPlace): readonly Issue[] {
  if (Object.hasOwn(readers, keyword)) return readers[keyword]?.(value, spot) ?? [];
  const rule = Object.hasOwn(annotationRules, keyword) ? annotationRules[keyword] : undefined;
  if (rule !== undefined) {
    if (rule.fits(value)) return [];
    return wrong(
      'CONTRACT_ANNOTATION_INVALID',
      `"${keyword}" is a ${nameOfKind(value)} that does not fit`,
      spot,
      `write ${rule.expected}`,
    );
  }
  const near = didYouMean(keyword, keyword.startsWith('x-') ? Object.keys(annotationRules) : Object.keys(readers));
  if (keyword.startsWith('x-') && near === undefined) return [];
  const property = `properties stand under "properties": { properties: { ${keyword}: … } }, or in a signature: "{${keyword} :type}"`;
  const hint =
    near ?? (isLikeSchema(value) ? property : `use only ${Object.keys(readers).join(', ')} and x- annotations`);
  return wrong('CONTRACT_KEYWORD_UNSUPPORTED', `contracts cannot use the keyword "${keyword}"`, spot, hint);
}

/** True for a type name or a schema with a type: such an unknown keyword was meant as a property. */
function isLikeSchema(value: Json): boolean {
  return typeof value === 'string' ? typeNames.includes(value) : isJsonObject(value) && 'type' in value;
}

function readKeywords(given: Schema, spot: SchemaPlace): readonly Issue[] {
  if (spot.depth > MAX_DEPTH)
    return wrong(
      'CONTRACT_TOO_DEEP',
      `the schema nests deeper than ${MAX_DEPTH} levels`,
      spot,
      'name its inner parts under "$defs" and refer to them',
    );
  return [
    ...Object.entries(given).flatMap(([keyword, value]) => readKeyword(keyword, value, below(spot, keyword))),
    ...ranges.flatMap(([least, most]) => emptyRange(given, least, most, spot)),
  ];
}

const ranges: readonly (readonly [least: string, most: string])[] = [
  ['minimum', 'maximum'],
  ['minLength', 'maxLength'],
  ['minItems', 'maxItems'],
  ['minProperties', 'maxProperties'],
];

function emptyRange(given: Schema, least: string, most: string, spot: SchemaPlace): readonly Issue[] {
  const [from, to] = [numberAt(given, least), numberAt(given, most)];
  if (from === undefined || to === undefined || from <= to) return [];
  const message = `no value has at least ${from} (${least}) and at most ${to} (${most})`;
  return wrong('CONTRACT_RANGE_EMPTY', message, below(spot, least), 'swap the two, or remove one');
}

/** Reports unsupported keywords, invalid values, references without a target, and circular references. */
export function schemaIssues(root: Schema, path: readonly PathPart[] = [], place?: Place): readonly Issue[] {
  const spot: SchemaPlace = { root, path, depth: 0, place };
  const found = readKeywords(root, spot);
  if (hasErrors(found) || !refersInCircles(root)) return found;
  const hint = 'move the reference under "properties", "items" or "additionalProperties"';
  return [
    ...found,
    ...wrong(
      'CONTRACT_REFERENCE_LOOP',
      'the schema refers to itself without a property or an item in between',
      spot,
      hint,
    ),
  ];
}

/** The schemas that apply to the same value as `schema`. */
function beside(schema: Schema, root: Schema): readonly Schema[] {
  const target = typeof schema.$ref === 'string' ? referred(schema.$ref, root) : undefined;
  return [
    ...(target === undefined ? [] : [target]),
    ...schemasOf(schema.allOf),
    ...unionsOf(schema).flat(),
    ...(isJsonObject(schema.not) ? [schema.not] : []),
  ];
}

/** Every circle passes through the target of a reference, so checking the root and its `$defs` is enough. */
function refersInCircles(root: Schema): boolean {
  const done = new Set<Schema>();
  const onTheWay = new Set<Schema>();
  const visit = (schema: Schema): boolean => {
    if (onTheWay.has(schema)) return true;
    if (done.has(schema)) return false;
    onTheWay.add(schema);
    const found = beside(schema, root).some(visit);
    onTheWay.delete(schema);
    done.add(schema);
    return found;
  };
  const named = isJsonObject(root.$defs) ? Object.values(root.$defs).map(schemaOf) : [];
  return [root, ...named].some(visit);
}
