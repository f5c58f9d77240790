// Prints a contract as a signature that `readSignature` reads: `(symbol, limit :int?) -> {price :number}`.
import { isJsonObject, type Json } from '../base/json.ts';
import { conjuncts, namesAt, propertiesOf, type Schema, schemaOf, typesOf, unionsOf, valuesOf } from './schema.ts';

export interface SignatureSides {
  /** Absent: any arguments. */
  readonly input?: Schema;
  /** Absent: any value. */
  readonly output?: Schema;
}

/** The deepest nesting of objects, lists and unions; a schema may refer to itself. */
const DEEPEST = 5;
/** The most characters of one side; a longer side shows less of its inner parts, and then fewer optional fields. */
const LONGEST_INPUT = 200;
const LONGEST_OUTPUT = 150;
const MOST_CHOICES = 20;
const LONGEST_CHOICES = 200;

/** The most alternatives; a union of more is `:any`. */
const MOST_ALTERNATIVES = 2;

/**
 * The signature names all required arguments and accepts every value of the named fields that the contract accepts. It drops
 * limits of numbers, lengths, patterns and formats, and the choices of results. Deep or long parts become `:map`, `:list` or
 * `:any`, and `...` stands for further fields.
 */
export function signatureText({ input, output }: SignatureSides): string {
  return `${inputText(input)} -> ${outputText(output)}`;
}

export function inputText(input: Schema | undefined): string {
  if (input === undefined) return '(...)';
  return shortest(
    input,
    LONGEST_INPUT,
    (depth, most) => `(${fieldsText([input], { root: input, depth, most, shows: 'choices' })})`,
  );
}

export function outputText(output: Schema | undefined): string {
  if (output === undefined) return ':any';
  return shortest(output, LONGEST_OUTPUT, (depth, most) =>
    typeText(output, { root: output, depth, most, shows: 'types' }),
  );
}

interface Printing {
  readonly root: Schema;
  /** The levels that are left. */
  readonly depth: number;
  /** The most optional fields of the outermost object. */
  readonly most?: number | undefined;
  /** Choices of text are shown as they are, or as their type. */
  readonly shows: 'choices' | 'types';
}

function shortest(schema: Schema, longest: number, print: (depth: number, most?: number) => string): string {
  for (let depth = DEEPEST; depth > 1; depth--) {
    const text = print(depth);
    if (text.length <= longest) return text;
  }
  for (let most = Object.keys(propertiesOf(schema)).length; most > 0; most = Math.floor(most / 2)) {
    const text = print(1, most);
    if (text.length <= longest) return text;
  }
  return print(1, 0);
}

interface Field {
  readonly name: string;
  readonly schema: Json;
  readonly isRequired: boolean;
}

/** Required fields first, otherwise in declaration order. */
function fieldsOf(parts: readonly Schema[]): readonly Field[] {
  const required = new Set(parts.flatMap((part) => namesAt(part, 'required')));
  const properties = new Map(parts.flatMap((part) => Object.entries(propertiesOf(part))));
  for (const name of required) if (!properties.has(name)) properties.set(name, {});
  const fields = [...properties].map(([name, schema]) => ({ name, schema, isRequired: required.has(name) }));
  return fields.toSorted((one, other) => Number(other.isRequired) - Number(one.isRequired));
}

function fieldsText(schemas: readonly Schema[], { most, ...printing }: Printing): string {
  const { root } = printing;
  const inner = { ...printing, depth: printing.depth - 1 };
  const parts = schemas.flatMap((each) => conjuncts(each, root));
  const fields = fieldsOf(parts);
  const needed = fields.filter(({ isRequired }) => isRequired).length;
  const shown = fields.slice(0, needed + (most ?? fields.length));
  const texts = shown.map(({ name, schema, isRequired }) => {
    const type = typeText(schemaOf(schema), inner);
    return `${nameText(name)}${type === ':string' ? '' : ` ${type}`}${isRequired ? '' : '?'}`;
  });
  const others = parts.map(({ additionalProperties }) => additionalProperties).find(isJsonObject);
  const other = others && typeText(others, inner);
  if (other !== undefined && other !== ':any') texts.push(`* ${other}`);
  else if (shown.length < fields.length || (fields.length === 0 && isOpen(parts))) texts.push('...');
  return texts.join(', ');
}

function isOpen(parts: readonly Schema[]): boolean {
  return parts.every(({ additionalProperties }) => additionalProperties !== false);
}

function nameText(name: string): string {
  return /^[A-Za-z_][\w-]*$/.test(name) ? name : quoted(name);
}

/** JSON that can neither end its line nor open or close a block of data. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/[<\p{C}\p{Zl}\p{Zp}]/gu, (each) => {
    return Array.from(
      { length: each.length },
      (_, at) => `\\u${each.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join('');
  });
}

const primitives: Readonly<Record<string, string>> = {
  string: ':string',
  integer: ':int',
  number: ':number',
  boolean: ':bool',
  null: ':null',
};

function typeText(schema: Schema, printing: Printing): string {
  const { root, depth } = printing;
  const inner = { ...printing, depth: depth - 1, most: undefined };
  const parts = conjuncts(schema, root);
  const values = parts.map(valuesOf).find((each) => each !== undefined);
  if (values !== undefined) return printing.shows === 'choices' ? choicesText(values) : typesText(values);
  const [branches] = parts.flatMap(unionsOf);
  if (branches !== undefined) return depth <= 0 ? ':any' : joined(branches.map((each) => typeText(each, inner)));
  const types = [...new Set(parts.flatMap(typesOf))];
  const named = types.length === 0 && parts.some(hasFields) ? ['object'] : types;
  if (named.length === 0) return ':any';
  const texts = named.map((type) => {
    if (type === 'object') return objectText(parts, printing);
    if (type !== 'array') return isInstant(type, parts) ? ':datetime' : (primitives[type] ?? ':any');
    const items = parts.map(({ items: each }) => each).find((each) => each !== undefined);
    const isTuple = parts.some(({ prefixItems }) => prefixItems !== undefined);
    return items === undefined || isTuple || depth <= 0 ? ':list' : `[${typeText(schemaOf(items), inner)}]`;
  });
  return joined(texts);
}

function isInstant(type: string, parts: readonly Schema[]): boolean {
  return type === 'string' && parts.some(({ format }) => format === 'date-time');
}

function hasFields({ properties }: Schema): boolean {
  return isJsonObject(properties);
}

function objectText(parts: readonly Schema[], printing: Printing): string {
  if (printing.depth <= 0) return ':map';
  const text = fieldsText(parts, printing);
  return text === '' || text === '...' ? ':map' : `{${text}}`;
}

function joined(texts: readonly string[], most: number = MOST_ALTERNATIVES): string {
  const distinct = [...new Set(texts)];
  return distinct.length === 0 || distinct.length > most || distinct.includes(':any') ? ':any' : distinct.join('|');
}

/** Choices of text as they are; other values by their type. */
function choicesText(values: readonly Json[]): string {
  const texts = values.map((value) =>
    typeof value === 'string' ? `:${quoted(value)}` : (typeOfValue(value) ?? ':any'),
  );
  const text = joined(texts, MOST_CHOICES);
  return text.length <= LONGEST_CHOICES && text !== ':any' ? text : typesText(values);
}

function typesText(values: readonly Json[]): string {
  return joined(values.map((value) => typeOfValue(value) ?? ':any'));
}

function typeOfValue(value: Json): string | undefined {
  if (value === null) return ':null';
  if (typeof value === 'number') return Number.isInteger(value) ? ':int' : ':number';
  return primitives[typeof value];
}
