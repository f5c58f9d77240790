// A contract line by line for people: what one may answer.
import { isJsonArray, isJsonObject } from '../base/json.ts';
import { type Schema, typesOf, valuesOf } from '../contract/schema.ts';
import { contractWords, fieldsOf, plain } from '../contract/words.ts';
import { type Line, span } from '../view/line.ts';

/** One line, or one for each property. */
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

/** Something that the contract would take, as one would write it on a command line; undefined when that is not plain. */
export function exampleOf(schema: Schema): string | undefined {
  const [value] = valuesOf(schema) ?? [];
  if (value !== undefined) return plain(value);
  if (isJsonArray(schema.examples) && schema.examples[0] !== undefined) return plain(schema.examples[0]);
  const [type = 'string'] = typesOf(schema);
  const examples: Readonly<Record<string, string>> = { boolean: 'yes', string: 'TEXT', integer: '1', number: '1' };
  return isJsonObject(schema.items) ? undefined : examples[type];
}
