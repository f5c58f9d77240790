// What a plan wants and nothing serves: in its words, with what it would be given and what comes nearest.
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { slips } from '../../base/nearest.ts';
import { kindOf } from '../../contract/schema.ts';
import type { CapabilityLine } from '../capability-lines.ts';
import { type Candidate, rankCapabilities } from '../resolve/rank.ts';
import { partsOf } from '../resolve/words.ts';

export interface Wanted {
  /** What the plan calls it. */
  readonly name: string;
  /** What it shall do. */
  readonly description: string;
  /** What it would be given. */
  readonly input: JsonObject;
  /** The best first, and before it what is spelt nearly as the plan spells it. */
  readonly nearest: readonly Candidate[];
}

const SHOWN = 3;
/** Letters for each slip that passes for one. */
const FORGIVES = 5;

export function wantedOf(
  name: string,
  description: string | undefined,
  input: Json | undefined,
  capabilities: readonly CapabilityLine[],
): Wanted {
  const words = description ?? partsOf(name).join(' ');
  const declared = capabilities.map((each) => ({ ...each, tags: [], cost: {} }));
  const { candidates } = rankCapabilities(words, declared);
  const isSlip = (candidate: Candidate): boolean => slips(name, candidate.name) <= name.length / FORGIVES;
  return {
    name,
    description: words,
    input: isJsonObject(input) ? input : {},
    nearest: candidates
      .filter((each) => isSlip(each) || each.score > 0 || each.stops.length > 0)
      .sort((one, other) => Number(isSlip(other)) - Number(isSlip(one)))
      .slice(0, SHOWN),
  };
}

/** `text.count (0.31: it is not about "letter")` */
export function nearText({ name, score, stops }: Candidate): string {
  const why = stops.length === 0 ? '' : `: ${stops.join('; ')}`;
  return `${name} (${score.toFixed(2)}${why})`;
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
