// Agents, judges and skills: models that do steps, models that review results, and expertise that their prompts include.
import { effectsPolicy } from './effects.ts';
import type { KeyValues } from './key.ts';
import { contract, count, map, mapByName, text, words } from './kinds.ts';

/** The turns of an agent that sets no `max_turns`. */
export const TURNS = 5;

/** The calls at the same time of an agent that sets no `max_parallel_tools`. */
const PARALLEL_TOOLS = 8;

const AGENT = 'An agent: a prompt, the tools that it may call, and the contract of its answer.';

const plannedAgentKeys = {
  prompt: text(
    'The system prompt: the role of the agent, and how it works.',
    'You are a careful analyst of financial filings.',
  ).orElse(''),
  description: text('The purpose of the agent, in one sentence; planners read it.'),
  model: text('The model profile of the agent.'),
  tools: words('The capabilities that the agent may call, as globs; none when absent.', ['csv.*']).orElse([]),
  output: contract('The contract of the answer, for steps without `output`; any text when absent.'),
  max_turns: count(
    'The most answers of the model for one attempt. If the last one calls tools all the same, the model is asked once more.',
    1,
  ).or(TURNS),
};

const agentKeys = {
  ...plannedAgentKeys,
  max_parallel_tools: count(
    'The most tool calls of one answer that run at the same time, where none of them changes anything; all other calls are made one after another.',
    1,
  ).shows(PARALLEL_TOOLS),
  effects: effectsPolicy('The effects policy of the agent, in addition to the `effects` of the template.'),
};

export type AgentSpec = { readonly name: string } & KeyValues<typeof agentKeys>;

export const agent = map(AGENT, agentKeys, ['prompt']);

export const agents = mapByName('Agents by name. The agent `default` always exists and has no tools.', agent).to(named);

/** Agents of a plan have no effects policy: a plan cannot decide which calls need approval. */
export const plannedAgents = mapByName('Agents by name.', map(AGENT, plannedAgentKeys, ['prompt']));

function named(read: Readonly<Record<string, Omit<AgentSpec, 'name'>>>): Readonly<Record<string, AgentSpec>> {
  return Object.fromEntries(Object.entries(read).map(([name, each]) => [name, { name, ...each }] as const));
}

/** The agent of steps that name no other agent. */
export const defaultAgent: AgentSpec = {
  name: 'default',
  prompt: 'You do one task of a larger plan, carefully and completely, with what you are given.',
  tools: [],
  maxTurns: TURNS,
};

/** The turns of an agent within the limits of its template. */
export function turnsOf({ maxTurns }: AgentSpec, limits: { readonly maxTurns?: number }): number {
  return Math.min(maxTurns, limits.maxTurns ?? maxTurns);
}

/** The most tool calls of one answer that run at the same time. */
export function parallelToolsOf({ maxParallelTools = PARALLEL_TOOLS }: AgentSpec): number {
  return maxParallelTools;
}

/** The agent of a step: its name, and its declaration when the plan brought it. */
export interface AgentUse {
  readonly name: string;
  readonly own?: AgentSpec;
}

/** Prefers an agent of the plan to one of the template; an undeclared name means the default agent. */
export function agentIn(agents: Readonly<Record<string, AgentSpec>>, { name, own }: AgentUse): AgentSpec {
  if (own !== undefined) return own;
  return (Object.hasOwn(agents, name) ? agents[name] : undefined) ?? { ...defaultAgent, name };
}

const judgeKeys = {
  model: text('The model profile of the judge.'),
  criteria: text('The criteria that the result must meet.'),
};

export type JudgeSpec = KeyValues<typeof judgeKeys>;

export const judge = map(
  'A model that reviews the result after its contract and its `verification` have passed.',
  judgeKeys,
).orShort(
  {
    type: ['boolean', 'string', 'object'],
    'x-expects': 'true, a text with the criteria, or { model, criteria }',
    default: false,
  },
  (written): JudgeSpec | undefined => {
    if (written === true) return {};
    return typeof written === 'string' ? { criteria: written } : undefined;
  },
);

const skillKeys = {
  text: text('The text that is added to prompts.').orElse(''),
  applies_to: words('Capabilities as globs: planners and agents that may use one of them get the text.', [
    'csv.*',
  ]).orElse([]),
  context_tags: words(
    'Context tags: in a run with one of these `context_tags`, every planner and agent gets the text.',
    ['finance'],
  ).orElse([]),
};

export type SkillSpec = { readonly name: string } & KeyValues<typeof skillKeys>;

export const skills = mapByName(
  'Pieces of expertise by name, added to the prompts of the planners and agents that they concern.',
  map('A piece of expertise.', skillKeys, ['text']).orShort(
    {
      type: ['string', 'object'],
      'x-expects': 'a text for every planner and agent, or { text, applies_to, context_tags }',
    },
    (written) => (typeof written === 'string' ? { text: written, appliesTo: [], contextTags: [] } : undefined),
  ),
  { csv_dialects: { text: 'Files from the warehouse are separated by semicolons.', applies_to: ['csv.*'] } },
).to((read): readonly SkillSpec[] => Object.entries(read).map(([name, each]) => ({ name, ...each })));
