// Hints for missing, misplaced and unknown keys.
import type { PathPart } from '../../base/issue.ts';
import { type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { keysOfTypes, stepProperties, typeAliases } from '../keys/step.ts';
import { type DocumentKind, knownKeys, schemaOfPath } from '../schema/meaning.ts';
import { stepTypes } from '../step-spec.ts';

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

/** The description of the missing key, or an own hint for it. */
export function missingKeyHint(kind: DocumentKind, path: readonly PathPart[]): string | undefined {
  const key = String(path.at(-1));
  if (key === 'expires_in') return 'add the time limit, for example expires_in: 24h';
  if (key === 'command') return 'add the program that runs the server, or the "url" of a running server';
  const description = schemaOfPath(kind, path)?.description;
  return typeof description === 'string' ? `${key}: ${description.replace(/\.$/, '')}` : undefined;
}

export function misplacedKeyHint(key: string, holder: Json | undefined): string | undefined {
  if (typeOf(holder) === 'fan_out') return `put the step that runs for each item under "do"`;
  const type = Object.entries(keysOfTypes).find(([, keys]) => keys.some((each) => each === key))?.[0];
  return type === undefined ? undefined : `move it to a step with "type: ${type}"`;
}

/** The words that a schema allows; none when it allows any value. */
export function wordsOf(schema: JsonObject | undefined): readonly string[] {
  const words = ownProperty(schema, 'enum');
  return Array.isArray(words) ? words.map(String) : [];
}

/** Lists the keys of a map if it has few. */
export function mapHint(schema: JsonObject | undefined): string | undefined {
  const known = knownKeys(schema);
  return known.length === 0 || known.length > FEW ? undefined : `use the keys ${known.join(', ')}`;
}

function typeOf(holder: Json | undefined): string | undefined {
  const type = ownProperty(holder, 'type');
  if (typeof type !== 'string') return undefined;
  return Object.entries(typeAliases).find(([alias]) => alias === type)?.[1] ?? type;
}
