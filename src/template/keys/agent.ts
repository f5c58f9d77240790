// Agents, judges and skills: the models that do steps, the models that review results, and the expertise they are told.
import { effectsPolicy } from './effects.ts';
import type { KeyValues } from './key.ts';
import { contract, count, map, mapByName, text, words } from './kinds.ts';

/** The turns of an agent that sets no `max_turns`. */
export const TURNS = 5;

const AGENT = 'An agent: a prompt, the tools it may call, and what it must answer.';

const plannedAgentKeys = {
  prompt: text('Who it is and how it works.', 'You are a careful analyst of financial filings.').orElse(''),
  description: text('What it is good for, in a sentence; planners read it.'),
  model: text('The model profile that it asks.'),
  tools: words('The capabilities that it may call, as globs; none when absent.', ['csv.*']).orElse([]),
  output: contract('What it must answer, where its step does not say; text when absent.'),
  max_turns: count('How often its model may answer for one attempt.', 1).or(TURNS),
};

const agentKeys = {
  ...plannedAgentKeys,
  effects: effectsPolicy('What holds of its calls, beside the `effects` of the template.'),
};

export type AgentSpec = { readonly name: string } & KeyValues<typeof agentKeys>;

export const agent = map(AGENT, agentKeys, ['prompt']);

export const agents = mapByName('Agents, by name; the agent `default` is always there and has no tools.', agent).to(
  named,
);

/** A plan does not say who has to agree to what its agents do. */
export const plannedAgents = mapByName('Agents, by name.', map(AGENT, plannedAgentKeys, ['prompt']));

function named(read: Readonly<Record<string, Omit<AgentSpec, 'name'>>>): Readonly<Record<string, AgentSpec>> {
  return Object.fromEntries(Object.entries(read).map(([name, each]) => [name, { name, ...each }] as const));
}

/** The agent for work that names no other agent: it has no tools. */
export const defaultAgent: AgentSpec = {
  name: 'default',
  prompt: 'You do one task of a larger plan, carefully and completely, with what you are given.',
  tools: [],
  maxTurns: TURNS,
};

/** The agent of a step, by name, and the agent itself where the plan brought its own. */
export interface AgentUse {
  readonly name: string;
  readonly own?: AgentSpec;
}

/** Prefers the plan's own agent to the template's; a name that nobody declares means the default agent. */
export function agentIn(agents: Readonly<Record<string, AgentSpec>>, { name, own }: AgentUse): AgentSpec {
  if (own !== undefined) return own;
  return (Object.hasOwn(agents, name) ? agents[name] : undefined) ?? { ...defaultAgent, name };
}

const judgeKeys = {
  model: text('The model profile that judges.'),
  criteria: text('What it has to see to let the result through.'),
};

export type JudgeSpec = KeyValues<typeof judgeKeys>;

export const judge = map(
  'A model reviews the result, after its contract and its verification have let it through.',
  judgeKeys,
).orShort(
  {
    type: ['boolean', 'string', 'object'],
    'x-expects': 'true, a text with what the judge has to see, or { model, criteria }',
    default: false,
  },
  (written): JudgeSpec | undefined => {
    if (written === true) return {};
    return typeof written === 'string' ? { criteria: written } : undefined;
  },
);

const skillKeys = {
  text: text('What whoever it concerns is told.').orElse(''),
  applies_to: words('Capabilities, as globs: whoever may use one of them is told.', ['csv.*']).orElse([]),
  context_tags: words('In a run with one of these `context_tags` everyone is told.', ['finance']).orElse([]),
};

export type SkillSpec = { readonly name: string } & KeyValues<typeof skillKeys>;

export const skills = mapByName(
  'Pieces of expertise, by name, told to the planners and agents that they concern.',
  map('A piece of expertise.', skillKeys, ['text']).orShort(
    { type: ['string', 'object'], 'x-expects': 'a text for everyone, or { text, applies_to, context_tags }' },
    (written) => (typeof written === 'string' ? { text: written, appliesTo: [], contextTags: [] } : undefined),
  ),
  { csv_dialects: { text: 'Files from the warehouse are separated by semicolons.', applies_to: ['csv.*'] } },
).to((read): readonly SkillSpec[] => Object.entries(read).map(([name, each]) => ({ name, ...each })));
