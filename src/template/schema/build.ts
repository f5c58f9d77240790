// The words in which our own JSON Schemas are written; only keywords that compile to code without imports are used.
import { defined, type Json, type JsonObject } from '../../base/json.ts';

export type Properties = Readonly<Record<string, JsonObject>>;

const described = (description: string, examples: readonly Json[]): JsonObject =>
  examples.length === 0 ? { description } : { description, examples };

export function text(description: string, ...examples: string[]): JsonObject {
  return { type: 'string', ...described(description, examples) };
}

export function flag(description: string, fallback: boolean): JsonObject {
  return { type: 'boolean', default: fallback, description };
}

export function count(description: string, least: number, fallback?: number): JsonObject {
  return { type: 'integer', minimum: least, ...defined({ default: fallback }), description };
}

export function choice(description: string, words: readonly string[], fallback?: string): JsonObject {
  return { type: 'string', enum: words, ...defined({ default: fallback }), description };
}

export function anything(description: string, ...examples: Json[]): JsonObject {
  return described(description, examples);
}

/** A map whose keys are its own affair. */
export function openMap(description: string, each?: JsonObject, ...examples: Json[]): JsonObject {
  return {
    type: 'object',
    ...defined({ additionalProperties: each }),
    ...described(description, examples),
  };
}

/** A map that knows all its keys. */
export function map(description: string, properties: Properties, required: readonly string[] = []): JsonObject {
  return { type: 'object', description, required, properties, additionalProperties: false };
}

export function list(description: string, items: JsonObject, ...examples: Json[]): JsonObject {
  return { type: 'array', items, ...described(description, examples) };
}

/** One word, or a list of them. */
export function words(description: string, ...examples: Json[]): JsonObject {
  return { type: ['array', 'string'], items: { type: 'string' }, ...described(description, examples) };
}

/** Results of earlier steps, or parts of them, that a planner asks to see. */
export function needs(description: string): JsonObject {
  const item = map(
    'A result, or a part of it.',
    {
      step: text("A step's id or name, or a glob over both.", 'ingest', 'plan_recon.1/*'),
      path: text('Where in the result; `*` stands for every item. All of it when absent.', 'files.*.path'),
      as: text('The name under which it is shown.', 'paths'),
      full: flag('Never shrunk.', false),
    },
    ['step'],
  );
  return {
    type: ['array', 'string'],
    items: {
      ...item,
      type: ['string', 'object'],
      'x-expects': 'a text such as ingest.files, or { step, path, as, full }',
    },
    maxItems: 20,
    ...described(description, [['ingest.files', { step: 'plan_recon.1/*', full: true }]]),
  };
}

/** An older spelling of another key. */
export function alias(of: string, meaning: JsonObject): JsonObject {
  return { ...meaning, description: `Older spelling of \`${of}\`.`, 'x-alias': of };
}

export function duration(description: string, fallback?: string): JsonObject {
  return {
    type: 'string',
    pattern: '^\\d+(\\.\\d+)?\\s*(ms|s|m|h|d)$',
    'x-expects': 'a duration such as 250ms, 30s, 30m or 2h',
    ...defined({ default: fallback }),
    ...described(description, ['30s', '30m']),
  };
}

export function money(description: string, fallback?: string): JsonObject {
  return {
    type: ['string', 'number'],
    minimum: 0,
    pattern: '^\\$?\\d+(\\.\\d{1,6})?$',
    'x-expects': 'an amount of US dollars such as $5.00',
    ...defined({ default: fallback }),
    ...described(description, ['$5.00']),
  };
}

export function size(description: string, fallback?: number | string): JsonObject {
  return {
    type: ['integer', 'string'],
    minimum: 0,
    pattern: '^\\d+(\\.\\d+)?\\s*[kKmMgG]?$',
    'x-expects': 'a size such as 4000, 200k or 1M',
    ...defined({ default: fallback }),
    ...described(description, [4000, '200k']),
  };
}

export function percent(description: string, fallback: string): JsonObject {
  return {
    type: 'string',
    pattern: '^(100|\\d{1,2})\\s*%$',
    'x-expects': 'a percentage such as 10%',
    default: fallback,
    ...described(description, ['10%']),
  };
}

/** Lisp: `!lisp (…)` in YAML, `{"$lisp": "(…)"}` in JSON, or the bare text. */
export function lisp(description: string, ...examples: string[]): JsonObject {
  return {
    type: ['string', 'object'],
    required: ['$lisp'],
    properties: { $lisp: { type: 'string', description: 'The expression.' } },
    additionalProperties: false,
    'x-expects': 'Lisp: !lisp (…) in YAML, {"$lisp": "(…)"} in JSON',
    ...described(description, examples),
  };
}

/** A JSON Schema, or a signature. */
export function contract(description: string): JsonObject {
  return {
    type: ['object', 'string'],
    'x-expects': 'a JSON Schema (a map) or a signature (text)',
    ...described(description, ['{columns [{name :string, type :string}], rows :int}', { type: 'object' }]),
  };
}

/** What holds of values that meet a condition, and of those that do not. */
export function condition(met: JsonObject, then: JsonObject, otherwise: JsonObject = {}): JsonObject {
  return { if: met, then, else: otherwise };
}

export function forbids(keys: readonly string[]): JsonObject {
  return { properties: Object.fromEntries(keys.map((key) => [key, false])) };
}
