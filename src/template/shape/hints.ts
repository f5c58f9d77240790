// Hints for missing, misplaced and unknown keys.
import type { PathPart } from '../../base/issue.ts';
import { isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { keysOfTypes, stepProperties, typeAliases } from '../keys/step.ts';
import { type DocumentKind, knownKeys, schemaOfPath } from '../schema/meaning.ts';
import { stepTypes } from '../step-spec.ts';
import { stepName } from './foreign-keys.ts';
import { isStepPath } from './names.ts';

/** The most keys that a hint lists. */
const FEW = 12;

export function unknownKeyHint(
  key: string,
  holder: Json | undefined,
  schema: JsonObject | undefined,
): string | undefined {
  const known = knownKeys(schema);
  const isStep = known.includes('type');
  if (isStep && stepTypes.some((type) => type === key))
    return `write "type: ${key}", and the keys of "${key}" beside it`;
  const near = didYouMean(key, known);
  if (near !== undefined) return near;
  if (known.includes('planner') && known.includes('retry') && !isStep && Object.hasOwn(stepProperties, key)) {
    return 'change settings only: an environment cannot change the dependencies or targets of a step';
  }
  if (known.length <= FEW) return `use one of ${known.join(', ')}`;
  const type = isStep ? typeOf(holder) : undefined;
  const own = Object.entries(keysOfTypes).find(([each]) => each === type)?.[1];
  return own === undefined ? undefined : `use a key of every step, or a key of ${type} steps: ${own.join(', ')}`;
}

/** The message and hint for missing keys that every author forgets once. */
export function ownMissingKey(
  path: readonly PathPart[],
  key: string,
  holder: Json | undefined,
  kind: DocumentKind,
): { readonly message: string; readonly hint: string } | undefined {
  if (path.length === 0 && kind === 'template') {
    if (key === 'reconverge') {
      return {
        message: 'the file does not say which version of the template language it uses',
        hint: 'add reconverge: 1 as its first line',
      };
    }
    if (key === 'name') return { message: 'the template has no name', hint: 'add name: my_template' };
    if (key === 'steps')
      return { message: 'the template has no steps', hint: 'add steps:, with a list of - name: … and handler: …' };
  }
  if (key === 'min' && ownProperty(holder, 'policy') === 'quorum') {
    return { message: 'a quorum needs "min": how many branches must succeed', hint: 'write min: 2, or min: 60%' };
  }
  if (key === 'name' && isStepPath(path)) {
    return {
      message: 'a step has no name',
      hint: 'write - name: and a word in lower case, such as - name: read_orders',
    };
  }
  return undefined;
}

/** The description of the missing key, or an own hint for it. */
export function missingKeyHint(kind: DocumentKind, path: readonly PathPart[]): string | undefined {
  const key = String(path.at(-1));
  if (key === 'expires_in') return 'add the time limit, for example expires_in: 24h';
  if (key === 'command') return 'add the program that runs the server, or the "url" of a running server';
  const description = schemaOfPath(kind, path)?.description;
  if (typeof description !== 'string') return undefined;
  const text = description.replace(/\.$/, '');
  return `add ${key}: ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

export function isStepKey(key: string): boolean {
  return Object.hasOwn(stepProperties, key);
}

/** The only type of steps that has the key. */
export function typeOfKey(key: string): string | undefined {
  return Object.entries(keysOfTypes).find(([, keys]) => keys.some((each) => each === key))?.[0];
}

/** A list or a map in the place of the other, or of a text. */
export function wrongTypeHint(
  path: readonly PathPart[],
  value: Json | undefined,
  type: unknown,
  schema: JsonObject | undefined,
): string | undefined {
  if (path.length === 0) return 'begin a template with: reconverge init';
  if (path.length === 1 && path[0] === 'steps' && value === null) {
    return 'add a step below it: - { name: look, handler: files.list, input: { folder: data } }';
  }
  if (path.at(-1) === 'convergence' && (typeof value === 'string' || value === null)) {
    const policy = value === 'all_success' ? value : 'all_settled';
    return `write convergence: { policy: ${policy} }`;
  }
  const isDuration = String(schema?.['x-expects'] ?? '').startsWith('a duration');
  if (isDuration && typeof value === 'number') return `write ${value}s for seconds, or ${value}m for minutes`;
  if (path.length === 1 && path[0] === 'steps' && isJsonObject(value)) {
    const [first, inside] = Object.entries(value)[0] ?? ['name', null];
    if (isStepKey(first) && !isJsonObject(inside))
      return `begin each step with "- ", such as - ${first}: ${String(inside)}`;
    return `write each step as an item of a list: - name: ${stepName(first)}`;
  }
  if (type === 'boolean' && typeof value === 'string') {
    if (/^(?:yes|on|true|y)$/i.test(value)) return 'write true';
    if (/^(?:no|off|false|n)$/i.test(value)) return 'write false';
  }
  if (type === 'array' && typeof value === 'string' && value !== '') return `write [${value}]`;
  if ((type === 'integer' || type === 'number') && typeof value === 'string' && /^-?\d+(?:\.\d+)?$/.test(value))
    return `write ${value} without quotes`;
  return type === 'object' ? mapHint(schema) : undefined;
}

/** `5 minutes` → `5m`, `30 secs` → `30s`, `5 dollars` → `$5.00` */
function meantQuantity(value: Json | undefined, expected: string): string | undefined {
  const [, count, word = ''] = /^[$€]?\s*(\d+(?:\.\d+)?)\s*([a-z]*)[$€]?$/i.exec(String(value)) ?? [];
  if (count === undefined) return undefined;
  if (expected.startsWith('an amount of US dollars')) return `write $${Number(count).toFixed(2)}`;
  const unit = /^(?:(ms|milli\w*)|(s|secs?|seconds?)|(m|mins?|minutes?)|(h|hrs?|hours?)|(d|days?))$/i.exec(word);
  if (!expected.startsWith('a duration') || unit === null || count.includes('.')) return undefined;
  if (unit[5] !== undefined) return `write ${Number(count) * 24}h`;
  const short = ['ms', 's', 'm', 'h'].find((_, index) => unit[index + 1] !== undefined);
  return `write ${count}${short}`;
}

export function wrongValueHint(path: readonly PathPart[], value: Json | undefined, expected = ''): string | undefined {
  const quantity = meantQuantity(value, expected);
  if (quantity !== undefined) return quantity;
  if (path.at(-1) !== 'name' || typeof value !== 'string' || !isStepPath(path.slice(0, -1))) return undefined;
  const name = stepName(value);
  return name === value ? undefined : `write name: ${name}${/\s/.test(value) ? `, and description: ${value}` : ''}`;
}

export function misplacedKeyHint(key: string, holder: Json | undefined): string | undefined {
  if (typeOf(holder) === 'fan_out') return `put the step that runs for each item under "do"`;
  const value = ownProperty(holder, key);
  if (typeOf(holder) === 'planning' && ['capability', 'handler', 'tool', 'capabilities', 'tools'].includes(key)) {
    const names = (Array.isArray(value) ? value : [value]).filter((each) => typeof each === 'string');
    return `write allow: [${names.join(', ') || 'NAME'}] for the capabilities that its plans may call`;
  }
  const type = typeOfKey(key);
  return type === undefined ? undefined : `move it to a step with "type: ${type}"`;
}

/** The words that a schema allows; none when it allows any value. */
export function wordsOf(schema: JsonObject | undefined): readonly string[] {
  const words = ownProperty(schema, 'enum');
  return Array.isArray(words) ? words.map(String) : [];
}

/** Lists the keys of a map if it has few. */
function mapHint(schema: JsonObject | undefined): string | undefined {
  const known = knownKeys(schema);
  return known.length === 0 || known.length > FEW ? undefined : `use the keys ${known.join(', ')}`;
}

function typeOf(holder: Json | undefined): string | undefined {
  const type = ownProperty(holder, 'type');
  if (typeof type !== 'string') return undefined;
  return Object.entries(typeAliases).find(([alias]) => alias === type)?.[1] ?? type;
}
