// Describes a contract in words, so that people know what to answer.
import type { Json } from '../base/json.ts';
import { namesAt, numberAt, propertiesOf, type Schema, schemaOf, typesOf, unionsOf, valuesOf } from './schema.ts';

const nouns: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'yes or no',
  null: 'nothing',
  object: 'a JSON object',
};

/** `yes or no`, `one of red, green`, `a list of text`, `a whole number from 1 to 5` */
export function contractWords(schema: Schema): string {
  const values = valuesOf(schema);
  if (values !== undefined)
    return values.length === 1 ? plain(values[0] ?? null) : `one of ${values.map(plain).join(', ')}`;
  const [union] = unionsOf(schema);
  if (union !== undefined) return union.map(contractWords).join(', or ');
  const types = typesOf(schema);
  if (types.length === 0) return 'anything';
  return types.map((type) => typeWords(type, schema)).join(' or ');
}

function typeWords(type: string, schema: Schema): string {
  if (type === 'array') return `a list of ${contractWords(schemaOf(schema.items))}`;
  const [least, most] = [numberAt(schema, 'minimum'), numberAt(schema, 'maximum')];
  const from = least === undefined ? '' : ` from ${least}`;
  const to = most === undefined ? '' : ` to ${most}`;
  return `${nouns[type] ?? type}${type === 'integer' || type === 'number' ? from + to : ''}`;
}

/** A listed value as one types it on a command line. */
export function plain(value: Json): string {
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

export interface ContractField {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
}

/** Required properties without a default. */
export function neededOf(schema: Schema): readonly string[] {
  const properties = propertiesOf(schema);
  return namesAt(schema, 'required').filter((name) => schemaOf(properties[name]).default === undefined);
}

/** The properties to ask for one by one, required ones first; none when the contract is not a map. */
export function fieldsOf(schema: Schema): readonly ContractField[] {
  if (!typesOf(schema).includes('object')) return [];
  const needed = neededOf(schema);
  const fields = Object.entries(propertiesOf(schema)).map(
    ([name, each]): ContractField => ({ name, schema: schemaOf(each), required: needed.includes(name) }),
  );
  return [...fields.filter((field) => field.required), ...fields.filter((field) => !field.required)];
}

/** `{approved: yes or no, notes: text (may be left out)}`, or the words for another type. */
export function wholeWords(schema: Schema): string {
  const fields = fieldsOf(schema).map(
    ({ name, schema: each, required }) => `${name}: ${contractWords(each)}${required ? '' : ' (may be left out)'}`,
  );
  return fields.length === 0 ? contractWords(schema) : `{${fields.join(', ')}}`;
}
