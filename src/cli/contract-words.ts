// Describes a contract to people, line by line.
import { isJsonArray, isJsonObject } from '../base/json.ts';
import { contractWords, fieldsOf, plain } from '../contract/describe-contract.ts';
import { type Schema, typesOf, valuesOf } from '../contract/schema.ts';
import { type Line, span } from '../view/line.ts';

/** One line, or one line for each property. */
export function contractLines(schema: Schema): readonly Line[] {
  const fields = fieldsOf(schema);
  if (fields.length === 0) return [[span(contractWords(schema)), span(descriptionOf(schema), 'dim')]];
  const width = Math.max(...fields.map(({ name }) => name.length));
  return fields.map(({ name, schema: field, required }) => [
    span(name.padEnd(width), 'strong'),
    span(`  ${contractWords(field)}${required ? '' : ' (may be left out)'}`),
    span(descriptionOf(field), 'dim'),
  ]);
}

function descriptionOf({ description }: Schema): string {
  return typeof description === 'string' ? `  ${description}` : '';
}

/** An example value that fits the contract, as typed on a command line; undefined when there is no obvious example. */
export function exampleOf(schema: Schema): string | undefined {
  const [value] = valuesOf(schema) ?? [];
  if (value !== undefined) return plain(value);
  if (isJsonArray(schema.examples) && schema.examples[0] !== undefined) return plain(schema.examples[0]);
  const [type = 'string'] = typesOf(schema);
  const examples: Readonly<Record<string, string>> = { boolean: 'yes', string: 'TEXT', integer: '1', number: '1' };
  return isJsonObject(schema.items) ? undefined : examples[type];
}
