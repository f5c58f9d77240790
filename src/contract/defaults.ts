// Fills in the default values that a schema gives for missing properties.
import { isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';

/** Fills nested objects too, if they exist. Never changes the given value. */
export function withDefaults(schema: JsonObject, value: Json): Json {
  const properties = ownProperty(schema, 'properties');
  if (!isJsonObject(value) || !isJsonObject(properties)) return value;
  const filled = Object.entries(properties).flatMap(([name, property]): [string, Json][] => {
    if (!isJsonObject(property)) return [];
    const given = Object.hasOwn(value, name) ? value[name] : property.default;
    return given === undefined ? [] : [[name, withDefaults(property, given)]];
  });
  return { ...value, ...Object.fromEntries(filled) };
}
