// Words for values of the wrong kind, and how to convert them.
import { isJsonArray, isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { type Reference, referenceText } from '../references.ts';

const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map',
  null: 'empty',
};

/** `a number or text`; undefined for a contract that demands more than a kind. */
export function kindText({ type }: JsonObject): string | undefined {
  const types = isJsonArray(type) ? type : [type];
  const texts = types.map((each) => (typeof each === 'string' ? KINDS[each] : undefined));
  return texts.every((each) => each !== undefined) ? texts.join(' or ') : undefined;
}

export function nameOfType(value: Json): string {
  if (value === null) return 'null';
  if (isJsonArray(value)) return 'array';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  return isJsonObject(value) ? 'object' : typeof value;
}

/** `step "a"` for a whole result; `{{ results.a.rows }}` for a part of it. */
export function sourceName(reference: Reference): string {
  const [step, ...inside] = reference.path;
  return reference.root === 'results' && inside.length === 0 ? `step "${step}"` : referenceText(reference);
}

const CONVERSIONS: Readonly<Record<string, string>> = {
  'text>a number': 'parse-double',
  'text>a whole number': 'parse-long',
  'a number>text': 'str',
  'a whole number>text': 'str',
};

export function conversionHint(reference: Reference, is: string, must: string): string {
  const source = sourceName(reference);
  const isPart = reference.root === 'results' && reference.path.length > 1;
  const ofStep = isPart
    ? `take another part of the result of step "${reference.path[0]}"`
    : `change the output of ${source}`;
  const change = reference.root === 'input' ? 'change it under input:' : ofStep;
  if (must === 'a list') return `write it in a list: ["${referenceText(reference)}"], or ${change}`;
  const convert = CONVERSIONS[`${is}>${must}`];
  const isPlain = reference.path.every((part) => /^[A-Za-z_][\w-]*$/.test(part));
  if (convert === undefined || !isPlain || !['results', 'input'].includes(reference.root)) return change;
  const value = reference.path.reduce((inner, part) => `(:${part} ${inner})`, `data/${reference.root}`);
  return `convert it: !lisp "(${convert} ${value})", or ${change}`;
}

/** A literal that only lacks or has quotes or brackets. */
export function literalHint(value: Json, { type }: JsonObject): string | undefined {
  const wanted = isJsonArray(type) ? type : [type];
  const isShort = value !== null && typeof value !== 'object' && String(value).length <= 40;
  if (wanted.includes('array') && isShort) return `write [${String(value)}]`;
  if (wanted.includes('string') && (typeof value === 'number' || typeof value === 'boolean'))
    return `write "${String(value)}"`;
  const isNumber = typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value);
  if ((wanted.includes('number') || wanted.includes('integer')) && isNumber) return `write ${value} without quotes`;
  return undefined;
}
