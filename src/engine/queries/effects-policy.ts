// Combines the effects policies of the run, the agent, the step and the plans above it.
import { type EffectsPolicy, joined, onlyWith } from '../../contract/effects-policy.ts';
import { agentIn } from '../../template/keys/agent.ts';
import { type RunState, type Step, stepOf } from '../state/state.ts';

export function effectsPolicyOf(state: RunState, step: Step): EffectsPolicy | undefined {
  const { agent } = step.spec;
  const ofAgent = agent === undefined ? undefined : agentIn(state.template.agents, agent).effects;
  return joined(joined(state.template.effects, ofAgent), within(state, step));
}

/** The limits of a planned step: no more than its planners may do. */
function within(state: RunState, { spec, provenance }: Step): EffectsPolicy | undefined {
  const own = onlyWith(spec.effects);
  return provenance === undefined ? own : joined(own, within(state, stepOf(state, provenance.planner)));
}
