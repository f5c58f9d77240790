// Completes keys: those of the schema with their documentation and a value to fill in, and the parameters of called capabilities.
import type { PathPart } from '../../../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../../base/json.ts';
import { schemaAt as contractAt, namesIn } from '../../../contract/path.ts';
import { keysOfTypes, stepSchema, typeAliases } from '../../../template/keys/step.ts';
import { nodeAtPath, outlineValue } from '../../../template/parse/outline.ts';
import type { DocumentKind } from '../../../template/schema/meaning.ts';
import { schemaAt } from '../../../template/step-occurrences.ts';
import type { AnalyzedDocument } from '../analyzed-document.ts';
import { isInput, type KeyCursor } from '../cursor.ts';
import { keyText, parameterHelp, plainText, typeText, wordsOf } from '../markdown.ts';
import { keyRules } from '../schema-rules.ts';
import { calledAt, capabilityNamed, stepNames, textAt } from '../study.ts';
import { escapedSnippet, type Suggestion } from './item.ts';

export function keySuggestions(document: AnalyzedDocument, cursor: KeyCursor): readonly Suggestion[] {
  const { path, siblings } = cursor;
  const own = isInput(path) ? parameters(document, cursor) : schemaKeys(document, cursor);
  return own.filter(({ label }) => !siblings.includes(label));
}

function schemaKeys(document: AnalyzedDocument, cursor: KeyCursor): readonly Suggestion[] {
  const { path, siblings } = cursor;
  const schema = schemaAt(path, document.kind);
  const properties = ownProperty(schema, 'properties');
  if (!isJsonObject(properties)) return mapNames(document, path);
  const node = nodeAtPath(document.outline, path);
  const rules = isJsonObject(schema) && isStep(properties) ? [schema, stepSchema] : [schema];
  const { required, forbidden } = keyRules(rules, node === undefined ? null : outlineValue(node));
  const typed = isStepWithoutType(document, path, properties);
  return Object.keys(properties).flatMap((key): Suggestion[] => {
    const each = schemaAt([...path, key], document.kind);
    if (each === undefined || 'x-alias' in each || (path.at(-1) === 'do' && key === 'dependencies')) return [];
    // A key and its older spelling mean the same.
    const isSpelled = siblings.some((other) => ownProperty(properties[other], 'x-alias') === key);
    if (isSpelled) return [];
    const suggested = suggestedKey(key, each, cursor);
    if (!forbidden.has(key)) return [{ ...suggested, rank: required.has(key) ? 1 : isCommon(path, key) ? 2 : 4 }];
    const type = typed ? Object.entries(keysOfTypes).find(([, keys]) => keys.includes(key))?.[0] : undefined;
    return type === undefined ? [] : [withType(type, suggested, cursor)];
  });
}

/** A step without a type may still become one of another type. */
function isStepWithoutType(document: AnalyzedDocument, path: readonly PathPart[], properties: JsonObject): boolean {
  return isStep(properties) && textAt(document, [...path, 'type']) === undefined;
}

function isStep(properties: JsonObject): boolean {
  return 'dependencies' in properties && 'expr' in properties;
}

/** A key of another type of steps, with that type. */
function withType(type: string, suggested: Suggestion, { column, isFlow, isWhole }: KeyCursor): Suggestion {
  const { insert = '', label, detail } = suggested;
  const before = isFlow ? `type: ${type}, ` : `type: ${type}\n${' '.repeat(column)}`;
  return {
    ...suggested,
    rank: 5,
    detail: `${type}: ${detail ?? label}`,
    insert: isWhole ? insert : `${before}${insert}`,
  };
}

/** Keys that most steps have. */
const COMMON = [
  'name',
  'type',
  'handler',
  'dependencies',
  'input',
  'expr',
  'planner',
  'goal',
  'capabilities',
  'budget',
  'steps',
];

function isCommon(path: readonly PathPart[], key: string): boolean {
  return (path.length === 0 || typeof path.at(-1) === 'number' || path.at(-1) === 'do') && COMMON.includes(key);
}

/** The names of steps as keys of `environments.NAME.steps`. */
function mapNames(document: AnalyzedDocument, path: readonly PathPart[]): readonly Suggestion[] {
  if (path[0] !== 'environments' || path.at(-1) !== 'steps') return [];
  return stepNames(document).map((name) => ({ label: name, kind: 'step' }));
}

function suggestedKey(key: string, schema: JsonObject, cursor: KeyCursor): Suggestion {
  const value = cursor.isWhole ? undefined : valueSnippet(key, schema, cursor);
  return {
    label: key,
    kind: 'key',
    help: keyText(key, schema),
    detail: firstSentence(schema.description),
    insert: value === undefined ? key : `${key}:${value}`,
    isSnippet: value !== undefined,
  };
}

function firstSentence(description: Json | undefined): string | undefined {
  return typeof description === 'string' ? /^[^.]*(?:\.\S[^.]*)*/.exec(description)?.[0] : undefined;
}

const LISTS = ['dependencies', 'branches', 'needs', 'allow', 'deny', 'capabilities', 'effects', 'roots', 'include'];

/** The words without older names of step types. */
export function currentWords(words: readonly string[]): readonly string[] {
  return words.includes('synthesis_gate') ? words.filter((word) => !Object.hasOwn(typeAliases, word)) : words;
}

/** The value that follows an inserted key, with its places to fill in. */
function valueSnippet(key: string, schema: JsonObject, { isFlow, column }: KeyCursor): string {
  const { type, properties, examples, default: fallback } = schema;
  const types = isJsonArray(type) ? type : [type];
  const below = `\n${' '.repeat(column + 2)}`;
  const words = currentWords(wordsOf(schema));
  const [example] = isJsonArray(examples) ? examples : [];
  if (key === 'steps' && !isFlow && schema.type === 'array') return `${below}- name: \${1:first}${below}  $0`;
  if (String(schema['x-expects'] ?? '').startsWith('Lisp')) return isFlow ? ' $1' : ' !lisp ($1)';
  if (LISTS.includes(key) || types.includes('array')) return ' [$1]';
  if (words.length > 0 && words.length <= 20) return ` \${1|${ordered(words, fallback).join(',')}|}`;
  if (key === 'input' || (types.includes('object') && types.length === 1)) {
    return isFlow ? ' { $1 }' : `${below}$1`;
  }
  if (isJsonObject(properties) || schema.$ref !== undefined) return ' $1';
  const shown = typeof example === 'string' || typeof example === 'number' ? example : fallback;
  // A sentence is no help: its author would delete it.
  if (!/^[\w.$%-]+$/.test(String(shown ?? ''))) return ' $1';
  return ` \${1:${escapedSnippet(String(shown))}}`;
}

/** Puts the default last, since nobody has to write it. */
function ordered(words: readonly string[], fallback: Json | undefined): readonly string[] {
  return words.toSorted((one, other) => Number(one === String(fallback)) - Number(other === String(fallback)));
}

/** The parameters of the capability that a step calls, or the keys of a map among them. */
function parameters(document: AnalyzedDocument, cursor: KeyCursor): readonly Suggestion[] {
  const { path, isWhole, column, isFlow } = cursor;
  const capability = calledAt(document, path);
  const contract = capability === undefined ? undefined : capabilityNamed(document, capability)?.input;
  if (capability === undefined || contract === undefined) return [];
  const holder = contractAt(contract, path.slice(path.indexOf('input') + 1));
  if (typeof holder === 'string') return [];
  const required = ownProperty(holder, 'required');
  return namesIn(holder).map((name) => {
    const found = contractAt(holder, [name]);
    const schema = typeof found === 'string' ? {} : found;
    const isRequired = isJsonArray(required) && required.includes(name);
    const value = isWhole ? undefined : parameterValue(schema, isFlow, column);
    return {
      label: name,
      kind: 'field',
      detail: `${typeText(schema)}${isRequired ? ', required' : ''}`,
      help: parameterHelp(name, schema, capability),
      insert: value === undefined ? name : `${name}: ${value}`,
      isSnippet: value !== undefined,
      rank: isRequired ? 1 : 2,
    };
  });
}

function parameterValue(schema: JsonObject, isFlow: boolean, column: number): string {
  const words = wordsOf(schema);
  if (words.length > 0 && words.length <= 20) return `\${1|${ordered(words, schema.default).join(',')}|}`;
  if (schema.type === 'array') return '[$1]';
  if (schema.type === 'object') return isFlow ? '{ $1 }' : `\n${' '.repeat(column + 2)}$1`;
  return schema.default === undefined || typeof schema.default === 'object'
    ? '$1'
    : `\${1:${escapedSnippet(plainText(schema.default))}}`;
}

/** The required parameters of a capability, as they follow its name in a step without an input. */
export function inputSnippet(input: JsonObject | undefined, column: number): string {
  const required = ownProperty(input, 'required');
  const names = isJsonArray(required) ? required.map(String) : [];
  if (names.length === 0) return '';
  const indent = `\n${' '.repeat(column)}`;
  return `${indent}input:${names.map((name, nth) => `${indent}  ${name}: $${nth + 1}`).join('')}`;
}

/** A whole step for a list of steps, for each type. */
export function stepSnippets(kind: DocumentKind, column: number): readonly Suggestion[] {
  if (kind === 'scenarios') return [];
  const indent = `\n${' '.repeat(column)}`;
  const bodies: readonly (readonly [label: string, detail: string, lines: readonly string[]])[] = [
    ['task step', 'A step that calls a capability', ['handler: $2']],
    ['compute step', 'A step that computes its result with Lisp', ['type: compute', 'expr: !lisp ($2)']],
    [
      'planning step',
      'A step that plans further steps',
      ['type: planning', 'planner: { kind: ${2|llm,lisp,pattern,hybrid,fixed|} }', 'goal: $3'],
    ],
    ['decision step', 'A step that chooses branches', ['type: decision', 'branches: [$2]', 'choose: !lisp ($3)']],
    [
      'fan_out step',
      'A step for each item of a list',
      ['type: fan_out', 'for_each: "{{ $2 }}"', 'max_width: ${3:20}', 'do:', '  handler: $4'],
    ],
    ['human_review step', 'A question to a person', ['type: human_review', 'prompt: $2', 'expires_in: ${3:24h}']],
    [
      'synthesis_gate step',
      'A step that brings results together',
      ['type: synthesis_gate', 'dependencies: [$2]', 'handler: $3'],
    ],
  ];
  return bodies.map(([label, detail, lines]) => ({
    label,
    kind: 'snippet',
    detail,
    insert: ['name: ${1:step}', ...lines].join(indent),
    isSnippet: true,
    rank: 2,
  }));
}
