// Prints a capability in one line for a model: `issues.list(repo, state?: open|closed, labels?: [string]): List issues`.
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';
import type { Declaration } from './declaration.ts';
import { conjuncts, namesAt, propertiesOf, type Schema, typesOf, unionsOf, valuesOf } from './schema.ts';

/** Shows at most this many required parameters, and optional ones while the line stays below `LONGEST`. */
const REQUIRED = 20;
const LONGEST = 200;
/** Names are never shortened, because a model must repeat them. MCP advises at most 128 characters. */
const LONGEST_NAME = 160;
const LONGEST_SENTENCE = 140;
const LONGEST_CHOICE = 24;
const CHOICES = 8;
const BRANCHES = 3;
const FIELDS = 5;
/** The deepest nesting of lists and unions; schemas that refer to themselves end here. */
const DEEPEST = 3;

/**
 * Prints name, parameters and first sentence in one line that is safe inside `<data>`: a server with line breaks, markup or
 * instructions in its declarations can neither end the line nor leave the block. Parameters without a type are strings.
 * Nothing parses this line; `readSignature` reads another notation.
 */
export function signatureLine({
  name,
  description,
  input,
}: Pick<Declaration, 'name' | 'description' | 'input'>): string {
  const says = firstSentence(description);
  return `${plainName(name)}${parametersText(input)}${says === '' ? '' : `: ${says}`}`;
}

/** The parameters alone: `(repo, state?: open|closed)`; `(…)` for a capability without an input contract. */
export function parametersText(input: JsonObject | undefined): string {
  if (input === undefined) return '(…)';
  const fields = fieldsOf(input, input);
  if (fields.length === 0) return isOpen(input) ? '(…)' : '()';
  const printed: string[] = [];
  let length = 0;
  for (const field of fields) {
    const text = fieldText(field, input, 0);
    const isShown = field.isRequired ? printed.length < REQUIRED : length + text.length <= LONGEST;
    if (!isShown) continue;
    printed.push(text);
    length += text.length;
  }
  const left = fields.length - printed.length;
  return `(${[...printed, ...(left === 0 ? [] : [`… ${left} more`])].join(', ')})`;
}

/** Removes line breaks, invisible characters, and characters that could open or close a block of data. */
export function plainText(text: string, longest: number): string {
  const line = text
    .replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/<(?=\s*\/?\s*data)/gi, '‹')
    .trim();
  const characters = [...line];
  return characters.length <= longest ? line : `${characters.slice(0, longest - 1).join('')}…`;
}

function firstSentence(description: string): string {
  const [first = ''] = description.trim().split(/(?<=[.!?])\s|\n/);
  return plainText(first, LONGEST_SENTENCE).replace(/[.:]$/, '');
}

interface LineField {
  readonly name: string;
  readonly schema: Json;
  readonly isRequired: boolean;
}

/** Required fields first, otherwise in declaration order. */
function fieldsOf(schema: Schema, root: Schema): readonly LineField[] {
  const parts = conjuncts(schema, root);
  const required = new Set(parts.flatMap((part) => namesAt(part, 'required')));
  const properties = new Map(parts.flatMap((part) => Object.entries(propertiesOf(part))));
  for (const name of required) if (!properties.has(name)) properties.set(name, {});
  const fields = [...properties].map(([name, each]) => ({ name, schema: each, isRequired: required.has(name) }));
  return fields.toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

function isOpen({ additionalProperties, type }: Schema): boolean {
  return additionalProperties !== false && !(type === 'object' && additionalProperties === undefined);
}

function fieldText({ name, schema, isRequired }: LineField, root: Schema, depth: number): string {
  const type = typeText(schema, root, depth);
  return `${plainName(name)}${isRequired ? '' : '?'}${type === 'string' ? '' : `: ${type}`}`;
}

function plainName(name: string): string {
  return plainText(/^[\p{L}\p{N}_$@.[\]-]+$/u.test(name) ? name : JSON.stringify(name), LONGEST_NAME);
}

function typeText(schema: Json, root: Schema, depth: number): string {
  if (!isJsonObject(schema) || depth > DEEPEST) return 'any';
  const parts = conjuncts(schema, root);
  const values = parts.map(valuesOf).find((each) => each !== undefined);
  if (values !== undefined) return choicesText(values);
  const [branches] = parts.flatMap(unionsOf);
  if (branches !== undefined) return unionText(branches, root, depth);
  const types = [...new Set(parts.flatMap(typesOf))];
  const [type, another] = types.filter((each) => each !== 'null');
  if (another !== undefined) return types.map((each) => shortType[each] ?? 'any').join('|');
  const text = type === undefined && parts.some(hasFields) ? 'object' : type;
  const named = simpleText(text, parts, root, depth);
  return types.includes('null') && type !== undefined ? `${named}|null` : named;
}

function simpleText(type: string | undefined, parts: readonly Schema[], root: Schema, depth: number): string {
  if (type === 'object') return objectText(parts, root, depth);
  if (type === 'array') {
    const items = parts.map(({ items: each }) => each).find((each) => each !== undefined);
    return items === undefined ? 'list' : `[${typeText(items, root, depth + 1)}]`;
  }
  const format = parts.map((each) => each.format).find((each) => each === 'date' || each === 'date-time');
  if (type === 'string' && typeof format === 'string') return format;
  return shortType[type ?? ''] ?? 'any';
}

const shortType: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'int',
  number: 'number',
  boolean: 'bool',
  null: 'null',
  array: 'list',
  object: 'object',
};

function hasFields({ properties }: Schema): boolean {
  return isJsonObject(properties);
}

/** Names the fields of a parameter's own object; deeper objects are printed as `object`. */
function objectText(parts: readonly Schema[], root: Schema, depth: number): string {
  const fields = depth > 0 ? [] : fieldsOf({ allOf: [...parts] }, root);
  if (fields.length === 0) return 'object';
  const shown = fields.slice(0, FIELDS).map((each) => fieldText(each, root, depth + 1));
  return `{${[...shown, ...(fields.length > FIELDS ? ['…'] : [])].join(', ')}}`;
}

function unionText(branches: readonly Schema[], root: Schema, depth: number): string {
  const texts = [...new Set(branches.map((each) => typeText(each, root, depth + 1)))];
  if (texts.length > BRANCHES) return `${texts.slice(0, BRANCHES).join('|')}|…`;
  return texts.length === 0 ? 'any' : texts.join('|');
}

function choicesText(values: readonly Json[]): string {
  const shown = values.slice(0, CHOICES).map((value) => {
    const isWord = typeof value === 'string' && /^[\p{L}\p{N}_.@/+-]+$/u.test(value);
    return plainText(isWord ? value : JSON.stringify(value), LONGEST_CHOICE);
  });
  return [...shown, ...(values.length > CHOICES ? ['…'] : [])].join('|');
}
