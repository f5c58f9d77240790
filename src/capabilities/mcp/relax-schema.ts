// Converts the JSON Schema of a server into a contract, without the keywords that contracts do not support. The contract accepts at least what the schema accepts.
import { Fault } from '../../base/fault.ts';
import { type PathPart, pathText } from '../../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { contractOf } from '../../contract/contract.ts';
import { schemaIssues } from '../../contract/keywords.ts';

export interface RelaxedSchema {
  readonly schema: JsonObject;
  /** Paths of the removed keywords. The server still checks them at each call. */
  readonly leftOut: readonly string[];
}

/** Characters. Larger schemas are replaced as a whole: no planner could read them. */
const LARGEST = 200_000;
const MOST_PASSES = 50;

/** @param otherwise the contract when the schema cannot be converted */
export function relaxSchema(given: Json, otherwise: JsonObject): RelaxedSchema {
  const whole: RelaxedSchema = { schema: otherwise, leftOut: ['all of it'] };
  if (!isJsonObject(given) || JSON.stringify(given).length > LARGEST) return whole;
  let { schema, leftOut }: RelaxedSchema = translate(given);
  for (let pass = 0; pass < MOST_PASSES; pass += 1) {
    const cuts = schemaIssues(schema)
      .filter(({ severity }) => severity === 'error')
      .map(({ path }) => cutFor(path));
    if (cuts.length === 0) return canBeJudged(schema) ? { schema, leftOut } : whole;
    if (cuts.some((path) => path.length === 0)) return whole;
    schema = cuts.reduce(without, schema);
    leftOut = [...new Set([...leftOut, ...cuts.map(pathText)])];
  }
  return whole;
}

/** Compiles the contract: the compiler refuses more than the keyword check can foresee. */
function canBeJudged(schema: JsonObject): boolean {
  try {
    contractOf(schema).check(null);
    return true;
  } catch (thrown) {
    if (thrown instanceof Fault) return false;
    throw thrown;
  }
}

const schemaMaps: ReadonlySet<PathPart> = new Set(['properties', '$defs']);
const schemaLists: ReadonlySet<PathPart> = new Set(['anyOf', 'allOf', 'prefixItems']);
/** A looser schema inside of these keywords would make the whole stricter. */
const inverting: ReadonlySet<PathPart> = new Set(['not', 'oneOf']);
const schemaHolders: ReadonlySet<PathPart> = new Set(['items', 'additionalProperties', 'propertyNames']);

/** The keyword to remove, so that the error at the path disappears and the whole schema gets looser. */
function cutFor(path: readonly PathPart[]): readonly PathPart[] {
  let at = 0;
  while (at < path.length) {
    const keyword = path[at] ?? '';
    const inner = schemaMaps.has(keyword) || schemaLists.has(keyword) ? 2 : schemaHolders.has(keyword) ? 1 : 0;
    const leaves = inner === 0 || at + inner >= path.length;
    if (leaves || inverting.has(keyword)) {
      // A single property can be removed alone; a single alternative of a list cannot.
      const named = schemaMaps.has(keyword) && at + 1 < path.length;
      return path.slice(0, at + (named ? 2 : 1));
    }
    at += inner;
  }
  return path;
}

/** Replaces a named schema by `true`, because other parts may refer to its name. Removes keywords that depend on the removed one. */
function without(value: JsonObject, [head, ...rest]: readonly PathPart[]): JsonObject {
  const key = String(head);
  const [next, ...deeper] = rest;
  const inner = value[key];
  if (next === undefined) {
    const gone = new Set([key, ...(dependents[key] ?? [])]);
    return Object.fromEntries(Object.entries(value).filter(([keyword]) => !gone.has(keyword)));
  }
  if (isJsonObject(inner)) {
    const opened = schemaMaps.has(key) && deeper.length === 0;
    return { ...value, [key]: opened ? { ...inner, [next]: true } : without(inner, rest) };
  }
  if (!isJsonArray(inner)) return value;
  const parts = inner.map((each, index) => (index === next && isJsonObject(each) ? without(each, deeper) : each));
  return { ...value, [key]: parts };
}

/** Keywords that depend on another one, and would be stricter without it. */
const dependents: Readonly<Record<string, readonly string[]>> = {
  properties: ['additionalProperties'],
  prefixItems: ['items'],
};

interface TranslatedSchema {
  readonly schema: JsonObject;
  readonly leftOut: readonly string[];
}

/** These keywords identify a schema; the compiler would try to look them up. */
const addresses: ReadonlySet<string> = new Set(['$schema', '$id', 'id', '$anchor', '$vocabulary']);

/** Converts draft 4 to 2020-12: `definitions` become `$defs`, a list of `items` becomes `prefixItems`. */
function translate(given: JsonObject): TranslatedSchema {
  const leftOut: string[] = [];

  function schema(value: Json, path: readonly PathPart[]): Json {
    if (!isJsonObject(value)) return value;
    const entries = Object.entries(value)
      .filter(([keyword, inner]) => !addresses.has(keyword) || isJsonObject(inner))
      .flatMap(([keyword, inner]) => keywordOf(value, keyword, inner, path));
    return Object.fromEntries(entries);
  }

  function keywordOf(holder: JsonObject, keyword: string, value: Json, path: readonly PathPart[]): [string, Json][] {
    const at = [...path, keyword];
    switch (keyword) {
      case 'definitions':
      case '$defs':
        return [['$defs', schemaMap({ ...mapOf(holder.$defs), ...mapOf(holder.definitions) }, at)]];
      case 'properties':
        return [[keyword, isJsonObject(value) ? schemaMap(value, at) : value]];
      case '$ref':
        return [[keyword, typeof value === 'string' ? value.replace(/^#\/definitions\//, '#/$defs/') : value]];
      case 'items':
        return isJsonArray(value) ? [['prefixItems', schemas(value, at)]] : [[keyword, schema(value, at)]];
      case 'additionalItems':
        return isJsonArray(holder.items) ? [['items', schema(value, at)]] : [];
      case 'additionalProperties':
        // Contracts do not support `patternProperties`: such properties count as additional.
        return holder.patternProperties === undefined ? [[keyword, schema(value, at)]] : [];
      case 'exclusiveMinimum':
      case 'exclusiveMaximum':
        return typeof value === 'boolean' ? left(at, value) : [[keyword, value]];
      case 'oneOf':
        // `anyOf`, because after a removed keyword a value may fit two alternatives.
        return [[holder.anyOf === undefined ? 'anyOf' : keyword, isJsonArray(value) ? schemas(value, at) : value]];
      case 'anyOf':
      case 'allOf':
      case 'prefixItems':
        return [[keyword, isJsonArray(value) ? schemas(value, at) : value]];
      case 'not':
      case 'propertyNames':
        return [[keyword, schema(value, at)]];
      default:
        return [[keyword, value]];
    }
  }

  function left(path: readonly PathPart[], value: boolean): [] {
    if (value) leftOut.push(pathText(path));
    return [];
  }

  const schemas = (values: readonly Json[], path: readonly PathPart[]): Json =>
    values.map((each, index) => schema(each, [...path, index]));
  const schemaMap = (values: JsonObject, path: readonly PathPart[]): Json =>
    Object.fromEntries(Object.entries(values).map(([name, each]) => [name, schema(each, [...path, name])]));

  const translated = schema(given, []);
  return { schema: isJsonObject(translated) ? translated : {}, leftOut };
}

function mapOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}
