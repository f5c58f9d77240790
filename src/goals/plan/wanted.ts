// What a plan wants and nothing serves: in its words, with what it would be given and what comes nearest.
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { kindOf } from '../../contract/schema.ts';
import type { CapabilityLine } from '../capability-lines.ts';
import { likelyNames } from '../match/likely.ts';
import { type Candidate, matchGoal } from '../match/match.ts';
import { wordsOfName } from '../match/terms.ts';

export interface Wanted {
  /** What the plan calls it. */
  readonly name: string;
  /** What it shall do. */
  readonly description: string;
  /** What it would be given. */
  readonly input: JsonObject;
  /** First those whose name it may have meant, then those whose words are nearest. */
  readonly nearest: readonly Near[];
}

export type Near = Pick<Candidate, 'name' | 'shares' | 'veto'>;

const SHOWN = 3;

export function wantedOf(
  name: string,
  description: string | undefined,
  input: Json | undefined,
  capabilities: readonly CapabilityLine[],
): Wanted {
  const words = description ?? wordsOfName(name).join(' ');
  const { candidates } = matchGoal(words, capabilities);
  const meant = likelyNames(name, capabilities).map(
    (likely): Near => candidates.find((each) => each.name === likely) ?? { name: likely, shares: [] },
  );
  return {
    name,
    description: words,
    input: isJsonObject(input) ? input : {},
    nearest: [...new Set([...meant, ...candidates])].slice(0, SHOWN),
  };
}

/** `text.count (shares "text")`, `files.delete (it destroys, and the goal does not ask for that)` */
export function nearText({ name, shares, veto }: Near): string {
  const why = veto ?? (shares.length === 0 ? '' : `shares ${shares.map((word) => `"${word}"`).join(', ')}`);
  return why === '' ? name : `${name} (${why})`;
}

/** What is given, as a contract: references may bring anything. */
export function contractOfInput(input: JsonObject): JsonObject {
  const properties = Object.entries(input).map(([key, value]) => [key, schemaOfValue(value)] as const);
  return { type: 'object', required: Object.keys(input), properties: Object.fromEntries(properties) };
}

function schemaOfValue(value: Json): JsonObject {
  const isWritten = typeof value !== 'object' && !(typeof value === 'string' && value.includes('{{'));
  return isWritten ? { type: kindOf(value) } : {};
}
