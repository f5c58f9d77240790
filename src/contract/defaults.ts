// Fills in what a schema gives as the default of properties that a value leaves out.
import { isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';

/** Of objects within objects as well, where these are there; never over what is said, and the value itself stays as it is. */
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
