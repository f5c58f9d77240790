// Writes a schema of an older dialect in the one of contracts, where that says the same; tells what it had to leave out.

import { type PathPart, pathText } from '../../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';

interface Translated {
  readonly schema: JsonObject;
  readonly leftOut: readonly string[];
}

/** They say where a schema lives, and would be looked up there. */
const addresses: ReadonlySet<string> = new Set(['$schema', '$id', 'id', '$anchor', '$vocabulary']);

/** Draft 4 to 2020-12. `definitions` become `$defs`, a list of `items` becomes `prefixItems`. */
export function translate(given: JsonObject): Translated {
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
        // Names that fit a pattern are additional to a contract, which knows no patterns of names.
        return holder.patternProperties === undefined ? [[keyword, schema(value, at)]] : [];
      case 'exclusiveMinimum':
      case 'exclusiveMaximum':
        return typeof value === 'boolean' ? left(at, value) : [[keyword, value]];
      case 'oneOf':
        // What is left out of one alternative may let a value fit two of them.
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
