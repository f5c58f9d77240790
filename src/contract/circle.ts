// A schema that refers back to itself without going into the value: judging with it would never end.
import { isJsonObject } from '../base/json.ts';
import { referred, type Schema, schemaOf, schemasOf, unionsOf } from './schema.ts';

/** The schemas judged on the same value as `schema`. */
function beside(schema: Schema, root: Schema): readonly Schema[] {
  const target = typeof schema.$ref === 'string' ? referred(schema.$ref, root) : undefined;
  return [
    ...(target === undefined ? [] : [target]),
    ...schemasOf(schema.allOf),
    ...unionsOf(schema).flat(),
    ...(isJsonObject(schema.not) ? [schema.not] : []),
  ];
}

/** Every circle passes through the target of a reference, so only the root and its `$defs` need asking. */
export function refersInCircles(root: Schema): boolean {
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
