// The second stage of loading: checks a document against its schema, and reports each error once.
import { type Issue, issue, type PathPart } from '../base/issue.ts';
import { isJsonArray, isJsonObject, type Json, type JsonObject, nameOfKind, ownProperty } from '../base/json.ts';
import { didYouMean } from '../base/nearest.ts';
import { valueAt } from './references.ts';
import { fragment, include, scenarios, template } from './schema/generated-validators.js';
import { aliasesOf, type DocumentKind, schemaOfPath } from './schema/meaning.ts';
import type { SchemaError } from './schema/schema-error.ts';
import { mapHint, misplacedKeyHint, missingKeyHint, unknownKeyHint, wordsOf } from './shape/hints.ts';
import { prune } from './shape/prune.ts';

const validators = { template, include, fragment, scenarios };
const aliases = {
  template: aliasesIn('template'),
  include: aliasesIn('include'),
  fragment: aliasesIn('fragment'),
  scenarios: aliasesIn('scenarios'),
};

export interface ShapeCheck {
  /** The document without its invalid parts. */
  readonly value: Json;
  readonly issues: readonly Issue[];
}

export function checkShape(value: Json, kind: DocumentKind): ShapeCheck {
  const validate = validators[kind];
  const errors = validate(value) ? [] : (validate.errors ?? []);
  const issues: Issue[] = [];
  const wrong: (readonly PathPart[])[] = [];
  for (const error of errors) {
    const found = explain(error, value, kind);
    if (found === undefined) continue;
    issues.push(found);
    if (found.code !== 'SHAPE_MISSING_KEY') wrong.push(found.path);
  }
  for (const found of repeatedMeanings(value, kind)) {
    issues.push(found);
    wrong.push(found.path);
  }
  return { value: prune(value, wrong), issues: withoutEchoes(issues) };
}

function aliasesIn(kind: DocumentKind) {
  return { ofDocument: aliasesOf(schemaOfPath(kind, [])), ofStep: aliasesOf(schemaOfPath(kind, ['steps', 0])) };
}

function explain(error: SchemaError, document: Json, kind: DocumentKind): Issue | undefined {
  const path = pathOf(error.instancePath, document);
  const schema = schemaOfPath(kind, path);
  const { params } = error;
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownKey([...path, String(params.additionalProperty)], valueAtPath(document, path), schema);
    case 'required':
      // The error of the `anyOf` covers its alternatives.
      if (error.schemaPath.includes('/anyOf/')) return undefined;
      return missingKey(
        path,
        String(params.missingProperty),
        missingKeyHint(kind, [...path, String(params.missingProperty)]),
      );
    case 'anyOf':
      return missingKey(path, 'handler', 'name the capability that the task calls');
    case 'false schema':
      return misplacedKey(path, document);
    case 'type':
      return wrongType(path, schema, valueAtPath(document, path), params.type);
    case 'enum':
      return wrongWord(path, valueAtPath(document, path), params.allowedValues);
    case 'pattern':
    case 'minimum':
    case 'maximum':
      return wrongValue(path, schema, error);
    default:
      // An error of `if` only repeats the errors of its branches.
      return undefined;
  }
}

function unknownKey(path: readonly PathPart[], holder: Json | undefined, schema: JsonObject | undefined): Issue {
  const key = String(path.at(-1));
  const hint = unknownKeyHint(key, holder, schema);
  return issue('SHAPE_UNKNOWN_KEY', `"${key}" is not a key of ${nameOfHolder(path)}`, { path, hint });
}

function missingKey(path: readonly PathPart[], key: string, hint?: string): Issue {
  return issue('SHAPE_MISSING_KEY', `${nameOfHolder([...path, key])} has no "${key}"`, { path, hint });
}

function misplacedKey(path: readonly PathPart[], document: Json): Issue {
  const key = String(path.at(-1));
  const holder = valueAtPath(document, path.slice(0, -1));
  const teller = ['type', 'kind', 'policy'].find((each) => typeof ownProperty(holder, each) === 'string');
  const what =
    teller === undefined ? whichOf(path, holder) : `whose ${teller} is "${String(ownProperty(holder, teller))}"`;
  return issue('SHAPE_KEY_MISPLACED', `"${key}" has no meaning in ${nameOfHolder(path)} ${what}`, {
    path,
    hint: teller === undefined || teller === 'type' ? misplacedKeyHint(key, holder) : undefined,
  });
}

/** Describes the holder of a misplaced key: for an MCP server by its `command` or `url`. */
function whichOf(path: readonly PathPart[], holder: Json | undefined): string {
  if (path.at(-2) !== 'mcp') return 'of this type';
  return ownProperty(holder, 'url') === undefined ? 'that is started by a "command"' : 'that is reached by its "url"';
}

function wrongType(
  path: readonly PathPart[],
  schema: JsonObject | undefined,
  value: Json | undefined,
  type: unknown,
): Issue {
  const words = wordsOf(schema);
  const named = words.length === 0 ? typeText(type) : `one of ${words.join(', ')}`;
  const expected = typeof schema?.['x-expects'] === 'string' ? schema['x-expects'] : named;
  const found = kindNames[nameOfKind(value)] ?? nameOfKind(value);
  return issue('SHAPE_WRONG_TYPE', `${nameOfValue(path)} must be ${expected}, not ${found}`, {
    path,
    hint: type === 'object' ? mapHint(schema) : undefined,
  });
}

function wrongWord(path: readonly PathPart[], value: Json | undefined, allowed: unknown): Issue | undefined {
  const words = Array.isArray(allowed) ? allowed.map(String) : [];
  // An error of `type` reports values of a wrong type.
  if (typeof value === 'string' && words.every((word) => /^\d+$/.test(word))) return undefined;
  if (typeof value === 'object') return undefined;
  return issue(
    'SHAPE_WRONG_VALUE',
    `${nameOfValue(path)} must be ${words.length === 1 ? '' : 'one of '}${words.join(', ')}`,
    {
      path,
      hint: typeof value === 'string' ? didYouMean(value, words) : undefined,
    },
  );
}

function wrongValue(path: readonly PathPart[], schema: JsonObject | undefined, error: SchemaError): Issue {
  const expects = schema?.['x-expects'];
  const bound = error.keyword === 'minimum' ? 'at least' : 'at most';
  const expected =
    error.keyword === 'pattern' || error.params.limit === undefined
      ? (expects ?? 'another text')
      : `a number of ${bound} ${String(error.params.limit)}`;
  return issue('SHAPE_WRONG_VALUE', `${nameOfValue(path)} must be ${String(expected)}`, { path });
}

/** Reports a key and an alias of it in the same map, because it is unclear which of them counts. */
function repeatedMeanings(document: Json, kind: DocumentKind): readonly Issue[] {
  const { ofDocument, ofStep } = aliases[kind];
  const steps = ownProperty(document, 'steps');
  return [
    ...repeatedIn(document, [], ofDocument),
    ...(isJsonArray(steps) ? steps.flatMap((step, index) => repeatedInStep(step, ['steps', index], ofStep)) : []),
  ];
}

function repeatedInStep(step: Json, path: readonly PathPart[], aliases: ReadonlyMap<string, string>): readonly Issue[] {
  const inside = ownProperty(step, 'do');
  return [
    ...repeatedIn(step, path, aliases),
    ...(inside === undefined ? [] : repeatedInStep(inside, [...path, 'do'], aliases)),
  ];
}

function repeatedIn(map: Json, path: readonly PathPart[], aliases: ReadonlyMap<string, string>): readonly Issue[] {
  if (!isJsonObject(map)) return [];
  const meant = new Map<string, string>();
  return Object.keys(map).flatMap((key) => {
    const own = aliases.get(key) ?? key;
    const first = meant.get(own);
    meant.set(own, first ?? key);
    if (first === undefined) return [];
    return [
      issue('SHAPE_KEY_REPEATED', `"${key}" means the same as "${first}"`, {
        path: [...path, key],
        hint: 'keep one of them',
      }),
    ];
  });
}

/** Keeps one issue for each place. Drops missing keys that are only misspelled, and misplaced keys of a step with an invalid type. */
function withoutEchoes(issues: readonly Issue[]): readonly Issue[] {
  const wrongTypes = issues
    .filter((each) => each.path.at(-1) === 'type')
    .map((each) => JSON.stringify(each.path.slice(0, -1)));
  const slip = (holder: readonly PathPart[], hint: string | undefined): string => JSON.stringify([holder, hint]);
  const misspelt = new Set(
    issues.filter((each) => each.code === 'SHAPE_UNKNOWN_KEY').map((each) => slip(each.path.slice(0, -1), each.hint)),
  );
  const seen = new Set<string>();
  return issues.filter((each) => {
    const key = JSON.stringify([each.code === 'SHAPE_MISSING_KEY' ? each.message : '', each.path]);
    if (seen.has(key)) return false;
    seen.add(key);
    const missing = each.code === 'SHAPE_MISSING_KEY' ? /"([^"]*)"$/.exec(each.message)?.[1] : undefined;
    if (missing !== undefined && misspelt.has(slip(each.path, `did you mean "${missing}"?`))) return false;
    return each.code !== 'SHAPE_KEY_MISPLACED' || !wrongTypes.includes(JSON.stringify(each.path.slice(0, -1)));
  });
}

function nameOfHolder(path: readonly PathPart[]): string {
  const holder = path.slice(0, -1);
  if (holder.length === 0) return 'the document';
  const last = holder.at(-1);
  return typeof last === 'number' ? `a ${singular(String(holder.at(-2)))}` : `"${last}"`;
}

function nameOfValue(path: readonly PathPart[]): string {
  const last = path.at(-1);
  if (last === undefined) return 'the document';
  if (typeof last === 'string') return `"${last}"`;
  const holder = String(path.at(-2));
  return holder === 'steps' ? 'a step' : `an item of "${holder}"`;
}

function singular(word: string): string {
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/s$/, '');
}

function typeText(type: unknown): string {
  const types = Array.isArray(type) ? type : [type];
  return types.map((each) => kindNames[String(each)] ?? String(each)).join(' or ');
}

/** Words for kinds of values, by the names of JSON Schema and of this project. */
const kindNames: Readonly<Record<string, string>> = {
  object: 'a map',
  map: 'a map',
  array: 'a list',
  list: 'a list',
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  null: 'empty',
};

function pathOf(pointer: string, document: Json): readonly PathPart[] {
  let at: Json | undefined = document;
  return pointer
    .split('/')
    .slice(1)
    .map((text) => {
      const part = text.replaceAll('~1', '/').replaceAll('~0', '~');
      const listed = Array.isArray(at);
      at = valueAt(at, [part]);
      return listed ? Number(part) : part;
    });
}

function valueAtPath(document: Json, path: readonly PathPart[]): Json | undefined {
  return valueAt(document, path.map(String));
}
