// Makes a sample value for a contract, for display only.
import { isJsonArray, type Json } from '../base/json.ts';
import { namesAt, numberAt, propertiesOf, type Schema, schemaOf, typesOf, unionsOf, valuesOf } from './schema.ts';

const DEEPEST = 6;

/** Takes a default, an example or a listed value, else the simplest value of the type. Objects get their required properties. */
export function sampleOf(schema: Schema, name = '', depth = 0): Json {
  const [listed] = valuesOf(schema) ?? [];
  const [example] = isJsonArray(schema.examples) ? schema.examples : [];
  const known = schema.default ?? example ?? listed;
  if (known !== undefined) return known;
  const [branch] = unionsOf(schema).flat();
  if (branch !== undefined && depth < DEEPEST) return sampleOf(branch, name, depth + 1);
  switch (typesOf(schema)[0]) {
    case 'object':
      return depth < DEEPEST ? requiredOf(schema, depth) : {};
    case 'array':
      return schema.items === undefined || depth >= DEEPEST ? [] : [sampleOf(schemaOf(schema.items), name, depth + 1)];
    case 'integer':
    case 'number':
      return numberAt(schema, 'minimum') ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return name === '' ? 'text' : `<${name}>`;
  }
}

function requiredOf(schema: Schema, depth: number): Json {
  const properties = propertiesOf(schema);
  return Object.fromEntries(
    namesAt(schema, 'required').map((each) => [each, sampleOf(schemaOf(properties[each]), each, depth + 1)]),
  );
}
