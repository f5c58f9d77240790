// Agents and judges as a document declares them.
import type { Issue } from '../../base/issue.ts';
import { isJsonObject, type Json, type JsonObject } from '../../base/json.ts';
import { type AgentSpec, type AgentUse, type JudgeSpec, TURNS } from '../keys/agent.ts';
import { readEffects } from '../keys/effects.ts';
import { defined, mapAt, numberAt, textAt, wordsAt } from '../keys/readers.ts';
import { contractAt } from './contract.ts';

/** `agents:`, by name. */
export function readAgents(written: Json | undefined, issues: Issue[]): Readonly<Record<string, AgentSpec>> {
  if (!isJsonObject(written)) return {};
  return Object.fromEntries(
    Object.entries(written).flatMap(([name, each]) => {
      if (!isJsonObject(each)) return [];
      const found: Issue[] = [];
      const agent = readAgent(name, each, found);
      issues.push(...found.map((one) => ({ ...one, path: ['agents', name, ...one.path] })));
      return [[name, agent] as const];
    }),
  );
}

function readAgent(name: string, raw: JsonObject, issues: Issue[]): AgentSpec {
  return defined<AgentSpec>({
    name,
    prompt: textAt(raw, 'prompt') ?? '',
    description: textAt(raw, 'description'),
    model: textAt(raw, 'model'),
    tools: wordsAt(raw, 'tools'),
    effects: readEffects(mapAt(raw, 'effects')),
    output: contractAt(raw, 'output', issues),
    maxTurns: numberAt(raw, 'max_turns') ?? TURNS,
  });
}

export function readAgentUse(raw: JsonObject): AgentUse | undefined {
  const name = textAt(raw, 'agent');
  return name === undefined ? undefined : { name };
}

/** `true`, what it has to see, or `{model, criteria}`. */
export function readJudge(raw: JsonObject): JudgeSpec | undefined {
  const { judge } = raw;
  if (judge === true) return {};
  if (typeof judge === 'string') return { criteria: judge };
  const settings = mapAt(raw, 'judge');
  if (settings === undefined) return undefined;
  return defined<JudgeSpec>({ model: textAt(settings, 'model'), criteria: textAt(settings, 'criteria') });
}
