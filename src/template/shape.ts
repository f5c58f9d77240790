// The second stage of loading: checks a document against its schema, and reports each error once.
import { type Issue, issue, type PathPart } from '../base/issue.ts';
import { isJsonObject, type Json, type JsonObject, nameOfKind, ownProperty } from '../base/json.ts';
import { didYouMean } from '../base/nearest.ts';
import { valueAt } from './references.ts';
import { fragment, include, scenarios, template } from './schema/generated-validators.js';
import { type DocumentKind, schemaOfPath } from './schema/meaning.ts';
import type { SchemaError } from './schema/schema-error.ts';
import { type FoundIssue, withoutEchoes } from './shape/echoes.ts';
import { foreignDocumentKey, foreignFile, foreignStepKey, foreignTypeHint } from './shape/foreign-keys.ts';
import {
  isStepKey,
  misplacedKeyHint,
  missingKeyHint,
  ownMissingKey,
  typeOfKey,
  unknownKeyHint,
  wordsOf,
  wrongTypeHint,
  wrongValueHint,
} from './shape/hints.ts';
import { isStepPath, kindNames, nameOfHolder, nameOfStep, nameOfValue, typeText } from './shape/names.ts';
import { prune } from './shape/prune.ts';
import { repeatedMeanings } from './shape/repeated-meanings.ts';
import { stepTypes } from './step-spec.ts';

const validators = { template, include, fragment, scenarios };

export interface ShapeCheck {
  /** The document without its invalid parts. */
  readonly value: Json;
  readonly issues: readonly Issue[];
  /** Parts that the issues explain: later stages have nothing to say about them. */
  readonly explained: readonly (readonly PathPart[])[];
}

export function checkShape(value: Json, kind: DocumentKind): ShapeCheck {
  const foreign = kind === 'template' ? foreignFile(value) : undefined;
  if (foreign !== undefined) return { value: {}, issues: [otherFile(foreign)], explained: [[]] };
  const validate = validators[kind];
  const errors = validate(value) ? [] : (validate.errors ?? []);
  const found: FoundIssue[] = [];
  for (const error of errors) {
    const explained = explain(error, value, kind);
    if (explained !== undefined) found.push('issue' in explained ? explained : { issue: explained });
  }
  found.push(...repeatedMeanings(value, kind).map((each) => ({ issue: each })));
  const wrong = found.flatMap(({ issue: each }) => (each.code === 'SHAPE_MISSING_KEY' ? [] : [each.path]));
  const told = withoutEchoes(found);
  const explained = told.flatMap(({ explains }) => (explains === undefined ? [] : [explains]));
  return { value: prune(value, wrong), issues: told.map((each) => each.issue), explained };
}

function otherFile(what: string): Issue {
  return issue('TEMPLATE_FOREIGN', `this is ${what}, not a template of reconverge`, {
    hint: 'begin a template with: reconverge init',
  });
}

function explain(error: SchemaError, document: Json, kind: DocumentKind): Issue | FoundIssue | undefined {
  const path = pathOf(error.instancePath, document);
  const schema = schemaOfPath(kind, path);
  const { params } = error;
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownKey([...path, String(params.additionalProperty)], document, kind);
    case 'required':
      // The error of the `anyOf` covers its alternatives.
      if (error.schemaPath.includes('/anyOf/')) return undefined;
      return missingKey(path, String(params.missingProperty), document, kind);
    case 'anyOf':
      return issue('SHAPE_MISSING_KEY', `${nameOfStep(valueAtPath(document, path))} has no "handler"`, {
        path,
        hint: 'write handler: with the name of the capability to call, or agent: to let a model do it',
      });
    case 'false schema':
      return misplacedKey(path, document, kind);
    case 'type':
      return wrongType(path, document, kind, params.type);
    case 'enum':
      return wrongWord(path, valueAtPath(document, path), params.allowedValues, kind);
    case 'pattern':
    case 'minimum':
    case 'maximum':
      return wrongValue(path, schema, error, document, kind);
    default:
      // An error of `if` only repeats the errors of its branches.
      return undefined;
  }
}

function unknownKey(path: readonly PathPart[], document: Json, kind: DocumentKind): FoundIssue {
  const key = String(path.at(-1));
  const at = path.slice(0, -1);
  const holder = valueAtPath(document, at);
  const told = (message: string, hint: string | undefined, more: Partial<FoundIssue> = {}): FoundIssue => ({
    issue: issue('SHAPE_UNKNOWN_KEY', message, { path, hint }),
    ...more,
  });
  const message = `"${key}" is not a key of ${nameOfHolder(path, kind)}`;
  const [, glued = '', rest = ''] = /^([\w-]+):(.+)$/.exec(key) ?? [];
  if (glued !== '') {
    const hint = `write ${glued}: ${rest}`;
    return told(`a space is missing after "${glued}:"`, hint, { means: glued });
  }
  // A key that should stand one level deeper follows a key without a value.
  const above = keyBefore(holder, key);
  if (above !== undefined && ownProperty(holder, above) === null) {
    return told(message, `indent it by two more spaces, to put it under "${above}"`, { explains: [...at, above] });
  }
  if (isStepPath(at)) {
    const foreign = foreignStepKey(key, holder);
    if (foreign !== undefined) return told(foreign.message ?? message, foreign.hint, foreign);
  } else if (at.length === 0 && (kind === 'template' || kind === 'include')) {
    if (isStepKey(key)) {
      return told(
        `"${key}" is a key of steps, not of ${nameOfHolder(path, kind)}`,
        'indent it, to put it under a step',
        {
          means: key,
        },
      );
    }
    const foreign = foreignDocumentKey(key, document);
    if (foreign !== undefined) return told(foreign.message ?? message, foreign.hint, foreign);
  }
  return told(message, unknownKeyHint(key, holder, schemaOfPath(kind, at)));
}

function keyBefore(holder: Json | undefined, key: string): string | undefined {
  const keys = isJsonObject(holder) ? Object.keys(holder) : [];
  return keys[keys.indexOf(key) - 1];
}

function missingKey(path: readonly PathPart[], key: string, document: Json, kind: DocumentKind): Issue {
  const holder = valueAtPath(document, path);
  const own = ownMissingKey(path, key, holder, kind);
  const message =
    own?.message ?? `${isStepPath(path) ? nameOfStep(holder) : nameOfHolder([...path, key], kind)} has no "${key}"`;
  return issue('SHAPE_MISSING_KEY', message, { path, hint: own?.hint ?? missingKeyHint(kind, [...path, key]) });
}

function misplacedKey(path: readonly PathPart[], document: Json, kind: DocumentKind): FoundIssue {
  const key = String(path.at(-1));
  const at = path.slice(0, -1);
  const holder = valueAtPath(document, at);
  const teller = ['type', 'kind', 'policy'].find((each) => typeof ownProperty(holder, each) === 'string');
  const told = (message: string, hint: string | undefined, more: Partial<FoundIssue> = {}): FoundIssue => ({
    issue: issue('SHAPE_KEY_MISPLACED', message, { path, hint }),
    ...more,
  });
  if (isStepPath(at) && teller === undefined) {
    const type = typeOfKey(key);
    const isUntyped = !['handler', 'capability', 'tool', 'agent'].some(
      (each) => ownProperty(holder, each) !== undefined,
    );
    // `needs` is a key of planning steps, and means something else in GitHub Actions.
    const foreign = key === 'needs' ? foreignStepKey(key, holder) : undefined;
    if (foreign !== undefined) return told(foreign.message ?? '', foreign.hint);
    if (type !== undefined && isUntyped) {
      return told(`${nameOfStep(holder)} has "${key}" but no type`, `add type: ${type}`, {
        means: 'handler',
        once: at,
      });
    }
    if (type !== undefined) {
      const isForModel = key === 'prompt' && ownProperty(holder, 'agent') !== undefined;
      const hint = isForModel
        ? 'write description: in place of "prompt"'
        : `remove it, or write type: ${type} in place of the handler`;
      return told(`"${key}" is a key of ${type} steps, and ${nameOfStep(holder)} is a task`, hint);
    }
  }
  const what =
    teller === undefined ? whichOf(path, holder) : `whose ${teller} is "${String(ownProperty(holder, teller))}"`;
  const hint = teller === undefined || teller === 'type' ? misplacedKeyHint(key, holder) : undefined;
  return told(`"${key}" has no meaning in ${nameOfHolder(path, kind)} ${what}`, hint);
}

/** Describes the holder of a misplaced key: for an MCP server by its `command` or `url`. */
function whichOf(path: readonly PathPart[], holder: Json | undefined): string {
  if (path.at(-2) !== 'mcp') return 'of this type';
  return ownProperty(holder, 'url') === undefined ? 'that is started by a "command"' : 'that is reached by its "url"';
}

function wrongType(path: readonly PathPart[], document: Json, kind: DocumentKind, type: unknown): Issue {
  const schema = schemaOfPath(kind, path);
  const value = valueAtPath(document, path);
  const words = wordsOf(schema);
  if (path.length === 1 && path[0] === 'reconverge') return unknownVersion(path, value, words);
  const named = words.length === 0 ? typeText(type) : `one of ${words.join(', ')}`;
  const expected = typeof schema?.['x-expects'] === 'string' ? schema['x-expects'] : named;
  const found = kindNames[nameOfKind(value)] ?? nameOfKind(value);
  return issue('SHAPE_WRONG_TYPE', `${nameOfValue(path, kind)} must be ${expected}, not ${found}`, {
    path,
    hint: wrongTypeHint(path, value, type, schema),
  });
}

function wrongWord(
  path: readonly PathPart[],
  value: Json | undefined,
  allowed: unknown,
  kind: DocumentKind,
): Issue | undefined {
  const words = Array.isArray(allowed) ? allowed.map(String) : [];
  // An error of `type` reports values of a wrong type.
  if (typeof value === 'string' && words.every((word) => /^\d+$/.test(word))) return undefined;
  if (typeof value === 'object') return undefined;
  if (path.length === 1 && path[0] === 'reconverge') {
    return unknownVersion(path, value, words);
  }
  if (path.at(-1) === 'type' && isStepPath(path.slice(0, -1))) return unknownType(path, String(value));
  return issue(
    'SHAPE_WRONG_VALUE',
    `${nameOfValue(path, kind)} must be ${words.length === 1 ? '' : 'one of '}${words.join(', ')}`,
    {
      path,
      hint: typeof value === 'string' ? (didYouMean(value, words) ?? `write ${words.join(' or ')}`) : undefined,
    },
  );
}

function unknownVersion(path: readonly PathPart[], value: Json | undefined, known: readonly string[]): Issue {
  const message = `there is no version "${String(value)}" of the template language`;
  return issue('SHAPE_WRONG_VALUE', message, { path, hint: `write reconverge: ${known.join(' or ')}` });
}

function unknownType(path: readonly PathPart[], type: string): Issue {
  const all = `types: ${stepTypes.join(', ')}`;
  const near = didYouMean(type, stepTypes);
  const foreign = foreignTypeHint(type);
  const hint = near ?? (foreign === undefined ? `choose one of the ${all}` : `${foreign}; ${all}`);
  return issue('SHAPE_WRONG_VALUE', `there is no step type "${type}"`, { path, hint });
}

function wrongValue(
  path: readonly PathPart[],
  schema: JsonObject | undefined,
  error: SchemaError,
  document: Json,
  kind: DocumentKind,
): Issue {
  const expects = schema?.['x-expects'];
  const bound = error.keyword === 'minimum' ? 'at least' : 'at most';
  const expected =
    error.keyword === 'pattern' || error.params.limit === undefined
      ? (expects ?? 'another text')
      : `a number of ${bound} ${String(error.params.limit)}`;
  return issue('SHAPE_WRONG_VALUE', `${nameOfValue(path, kind)} must be ${String(expected)}`, {
    path,
    hint: wrongValueHint(path, valueAtPath(document, path), String(expected)),
  });
}

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
