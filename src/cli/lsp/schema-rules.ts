// The keys that a map must have or must not have, given its other keys: the conditions of its schema.
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';

export interface KeyRules {
  readonly required: ReadonlySet<string>;
  readonly forbidden: ReadonlySet<string>;
}

/** Reads the conditions that the key tables write: `if`, `then` and `else` over required keys and over words of keys. */
export function keyRules(schemas: readonly (JsonObject | undefined)[], value: Json): KeyRules {
  const required = new Set<string>();
  const forbidden = new Set<string>();
  const apply = (rule: Json | undefined): void => {
    for (const name of listIn(rule, 'required')) required.add(String(name));
    for (const [key, each] of Object.entries(mapIn(rule, 'properties'))) if (each === false) forbidden.add(key);
    for (const each of listIn(rule, 'allOf')) {
      if (!isJsonObject(each) || each.if === undefined) apply(each);
      else apply(holds(each.if, value) ? each.then : each.else);
    }
  };
  schemas.forEach(apply);
  return { required, forbidden };
}

function holds(test: Json, value: Json): boolean {
  const any = listIn(test, 'anyOf');
  return (
    (any.length === 0 || any.some((each) => holds(each, value))) &&
    listIn(test, 'required').every((key) => ownProperty(value, String(key)) !== undefined) &&
    Object.entries(mapIn(test, 'properties')).every(([key, each]) => {
      const found = ownProperty(value, key);
      if (found === undefined || !isJsonObject(each)) return true;
      const words = isJsonArray(each.enum) ? each.enum : each.const === undefined ? undefined : [each.const];
      return words === undefined || words.some((word) => word === found);
    })
  );
}

function listIn(value: Json | undefined, key: string): readonly Json[] {
  const found = ownProperty(value, key);
  return isJsonArray(found) ? found : [];
}

function mapIn(value: Json | undefined, key: string): JsonObject {
  const found = ownProperty(value, key);
  return isJsonObject(found) ? found : {};
}
