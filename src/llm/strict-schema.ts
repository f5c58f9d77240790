// Tells whether a JSON Schema fits the strict mode of structured answers.
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';

/** Keywords of strict mode. Any other keyword makes the server refuse the whole request. */
const strictWords = new Set(
  '$defs $ref additionalProperties anyOf const description enum exclusiveMaximum exclusiveMinimum items maxItems maximum minItems minimum multipleOf pattern properties required title type'.split(
    ' ',
  ),
);

/** True when a schema fits strict mode: closed maps in which every key is required. */
export function isStrict(schema: Json): boolean {
  if (!isJsonObject(schema)) return false;
  if (!Object.keys(schema).every((word) => strictWords.has(word))) return false;
  const properties = ownProperty(schema, 'properties');
  const isMap = schema.type === 'object' || properties !== undefined;
  if (isMap && !isClosed(schema, isJsonObject(properties) ? Object.keys(properties) : [])) return false;
  return partsOf(schema).every(isStrict);
}

function isClosed(schema: JsonObject, keys: readonly string[]): boolean {
  const required = ownProperty(schema, 'required');
  const named = isJsonArray(required) ? required : [];
  return schema.additionalProperties === false && keys.every((key) => named.includes(key));
}

function partsOf(schema: JsonObject): readonly Json[] {
  const maps = [schema.properties, schema.$defs].flatMap((each) => (isJsonObject(each) ? Object.values(each) : []));
  const items = schema.items;
  const anyOf = schema.anyOf;
  return [...maps, ...(items === undefined ? [] : [items]), ...(isJsonArray(anyOf) ? anyOf : [])];
}
