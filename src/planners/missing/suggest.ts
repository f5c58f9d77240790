// Where a missing capability could be got: a server, a tool or code, with contracts and permissions; without a model what comes nearest.
import { defined, type JsonObject, ownProperty } from '../../base/json.ts';
import type { Work } from '../../engine/record/call.ts';
import type { CapabilityLine } from '../../goals/capability-lines.ts';
import type { MissingCapability } from '../../goals/plan/missing-capability.ts';
import { type Asker, askForJson } from './model-json.ts';
import { suggestionRules, suggestionShape, wantedText } from './prompts.ts';

export function* suggestionFor(
  wanted: MissingCapability,
  goal: string,
  asker: Asker,
  capabilities: readonly CapabilityLine[],
): Work<JsonObject | undefined> {
  const said = [{ role: 'user' as const, content: wantedText(wanted, goal) }];
  const answer = yield* askForJson(asker, suggestionRules, suggestionShape, said);
  if (answer !== undefined) return typeof answer.name === 'string' && !('none' in answer) ? answer : undefined;
  return ofNearest(wanted, capabilities);
}

function ofNearest({ nearest }: MissingCapability, capabilities: readonly CapabilityLine[]): JsonObject | undefined {
  const [first] = nearest.filter(({ veto }) => veto === undefined);
  const line = capabilities.find(({ name }) => name === first?.name);
  if (line === undefined) return undefined;
  const { name, description, effects, input, output } = line;
  return {
    kind: 'tool',
    name,
    ...defined({ input, output }),
    permissions: [...effects],
    why: `it comes nearest: ${description}`,
  };
}

/** `server "geo" at https://…: turns addresses into places; needs network` */
export function suggestionText(suggestion: JsonObject): string {
  const say = (key: string, before: string): string => {
    const value = ownProperty(suggestion, key);
    return typeof value === 'string' && value !== '' ? `${before}${value}` : '';
  };
  const needs = Array.isArray(suggestion.permissions) ? suggestion.permissions.map(String).join(', ') : '';
  return `${say('kind', '')} "${say('name', '')}"${say('url', ' at ')}${say('why', ': ')}${needs === '' ? '' : `; needs ${needs}`}`;
}
