// An agent: a prompt, the tools it may call, what it must answer, and how many turns it has for that.
import type { JsonObject } from '../../base/json.ts';
import type { EffectsPolicy } from '../../contract/effects-policy.ts';

export interface AgentSpec {
  readonly name: string;
  /** Who it is and how it works: what its model is told first. */
  readonly prompt: string;
  readonly description?: string;
  /** Name of a profile under `models:`; absent: `default`, or the only one there is. */
  readonly model?: string;
  /** Globs over capability names; empty: no tools. */
  readonly tools: readonly string[];
  /** Beside that of the run; absent: nothing more than that is said of what it calls. */
  readonly effects?: EffectsPolicy;
  /** JSON Schema of its answers, where the step does not say more; absent: text. */
  readonly output?: JsonObject;
  /** How often its model may answer, the last answer and those that had to be mended included. */
  readonly maxTurns: number;
}

/** How many turns an agent has unless it says otherwise. */
export const TURNS = 5;

/** The agent that does what no other is named for: it has no tools. */
export const defaultAgent: AgentSpec = {
  name: 'default',
  prompt: 'You do one task of a larger plan, carefully and completely, with what you are given.',
  tools: [],
  maxTurns: TURNS,
};

/** Which agent a step names, and the agent itself where the plan brought its own. */
export interface AgentUse {
  readonly name: string;
  readonly own?: AgentSpec;
}

/** The plan's own, else the template's; one that nobody declared does what the default agent does. */
export function agentIn(agents: Readonly<Record<string, AgentSpec>>, { name, own }: AgentUse): AgentSpec {
  if (own !== undefined) return own;
  return (Object.hasOwn(agents, name) ? agents[name] : undefined) ?? { ...defaultAgent, name };
}

/** A model looks at a result after its contract and its predicate have let it through. */
export interface JudgeSpec {
  readonly model?: string;
  /** What it has to see to let the result through; absent: that it does what the step is for. */
  readonly criteria?: string;
}
