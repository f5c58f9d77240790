// How to mend a key that is missing, that stands where it has no meaning, or that nobody knows.
import type { PathPart } from '../../base/issue.ts';
import { type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { keysOfTypes, stepProperties, typeAliases } from '../keys/step.ts';
import { type DocumentKind, knownKeys, schemaOfPath } from '../schema/meaning.ts';
import { stepTypes } from '../step-spec.ts';

/** A map with more keys than this is not told by listing them. */
const FEW = 12;

export function unknownKeyHint(
  key: string,
  holder: Json | undefined,
  schema: JsonObject | undefined,
): string | undefined {
  const known = knownKeys(schema);
  const isStep = known.includes('type');
  if (isStep && stepTypes.some((type) => type === key)) return `say "type: ${key}", and what stands in it beside that`;
  const near = didYouMean(key, known);
  if (near !== undefined) return near;
  if (known.includes('planner') && known.includes('retry') && !isStep && Object.hasOwn(stepProperties, key)) {
    return 'an environment says how a step is done, not what it waits for or where it leads';
  }
  if (known.length <= FEW) return `it knows ${known.join(', ')}`;
  const type = isStep ? typeOf(holder) : undefined;
  const own = Object.entries(keysOfTypes).find(([each]) => each === type)?.[1];
  return own === undefined ? undefined : `what a ${type} says of its own: ${own.join(', ')}`;
}

/** The description of the missing key. */
export function missingKeyHint(kind: DocumentKind, path: readonly PathPart[]): string | undefined {
  const key = String(path.at(-1));
  if (key === 'expires_in') return '"on_expiry" says what happens then: say when, for example expires_in: 24h';
  if (key === 'command') return 'name the program that is started, or give the "url" at which the server is reached';
  const description = schemaOfPath(kind, path)?.description;
  return typeof description === 'string' ? `${key}: ${description.replace(/\.$/, '')}` : undefined;
}

export function misplacedKeyHint(key: string, holder: Json | undefined): string | undefined {
  if (typeOf(holder) === 'fan_out') return `what is done for each item stands under "do"`;
  const type = Object.entries(keysOfTypes).find(([, keys]) => keys.some((each) => each === key))?.[0];
  return type === undefined ? undefined : `it belongs to a step with "type: ${type}"`;
}

/** The words that a schema allows, where it names them. */
export function wordsOf(schema: JsonObject | undefined): readonly string[] {
  const words = ownProperty(schema, 'enum');
  return Array.isArray(words) ? words.map(String) : [];
}

/** Lists the keys that a map should have, where there are few. */
export function mapHint(schema: JsonObject | undefined): string | undefined {
  const known = knownKeys(schema);
  return known.length === 0 || known.length > FEW ? undefined : `it knows ${known.join(', ')}`;
}

function typeOf(holder: Json | undefined): string | undefined {
  const type = ownProperty(holder, 'type');
  if (typeof type !== 'string') return undefined;
  return Object.entries(typeAliases).find(([alias]) => alias === type)?.[1] ?? type;
}
