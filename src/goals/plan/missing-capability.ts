// A capability that a plan needs and the run lacks, with its input and the nearest granted ones.
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { kindOf } from '../../contract/schema.ts';
import type { CapabilityLine } from '../capability-lines.ts';
import { likelyNames } from '../match/likely-names.ts';
import { type Candidate, matchGoal } from '../match/match.ts';
import { wordsOfName } from '../match/terms.ts';

export interface MissingCapability {
  /** The name that the plan uses. */
  readonly name: string;
  /** The task it must do. */
  readonly description: string;
  /** The input that the plan would give it. */
  readonly input: JsonObject;
  /** Capabilities with a similar name first, then those with the nearest words. */
  readonly nearest: readonly NearCapability[];
}

export type NearCapability = Pick<Candidate, 'name' | 'shares' | 'veto'>;

const SHOWN = 3;

export function missingCapabilityOf(
  name: string,
  description: string | undefined,
  input: Json | undefined,
  capabilities: readonly CapabilityLine[],
): MissingCapability {
  const words = description ?? wordsOfName(name).join(' ');
  const { candidates } = matchGoal(words, capabilities);
  const meant = likelyNames(name, capabilities).map(
    (likely): NearCapability => candidates.find((each) => each.name === likely) ?? { name: likely, shares: [] },
  );
  return {
    name,
    description: words,
    input: isJsonObject(input) ? input : {},
    nearest: [...new Set([...meant, ...candidates])].slice(0, SHOWN),
  };
}

/** For example `text.count (shares "text")`. */
export function nearText({ name, shares, veto }: NearCapability): string {
  const why = veto ?? (shares.length === 0 ? '' : `shares ${shares.map((word) => `"${word}"`).join(', ')}`);
  return why === '' ? name : `${name} (${why})`;
}

/** A schema of the given input; references may have any type. */
export function contractOfInput(input: JsonObject): JsonObject {
  const properties = Object.entries(input).map(([key, value]) => [key, schemaOfValue(value)] as const);
  return { type: 'object', required: Object.keys(input), properties: Object.fromEntries(properties) };
}

function schemaOfValue(value: Json): JsonObject {
  const isWritten = typeof value !== 'object' && !(typeof value === 'string' && value.includes('{{'));
  return isWritten ? { type: kindOf(value) } : {};
}
