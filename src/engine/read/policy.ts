// The effects policy that holds for what a step calls: the run's, the agent's, and what the step and the plans above it may do at all.
import { type EffectsPolicy, joined, onlyWith } from '../../contract/effects-policy.ts';
import { agentIn } from '../../template/keys/agent.ts';
import { type RunState, type Step, stepOf } from '../state/state.ts';

export function policyOf(state: RunState, step: Step): EffectsPolicy | undefined {
  const { agent } = step.spec;
  const ofAgent = agent === undefined ? undefined : agentIn(state.template.agents, agent).effects;
  return joined(joined(state.template.effects, ofAgent), within(state, step));
}

/** What is planned does no more than whoever planned it may. */
function within(state: RunState, { spec, provenance }: Step): EffectsPolicy | undefined {
  const own = onlyWith(spec.effects);
  return provenance === undefined ? own : joined(own, within(state, stepOf(state, provenance.planner)));
}
