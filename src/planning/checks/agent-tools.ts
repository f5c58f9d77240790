// Check: in a mission, no agent gets work that its tools cannot do, because its answer would pass for the work.
import { issue } from '../../base/issue.ts';
import { isJsonObject } from '../../base/json.ts';
import { wordsOfName } from '../../goals/match/terms.ts';
import { mayChange, whyBeyondAgent } from '../../goals/plan/agent-reach.ts';
import { toolNeedOf } from '../../goals/plan/tool-need.ts';
import { eachWork } from '../../template/check/paths.ts';
import type { AgentUse } from '../../template/keys/agent.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Frame } from '../frame.ts';
import type { Check, PlanUnderReview } from './check.ts';

/** Passes plans that people wrote; for a plan that a person approved the issues are warnings. */
export const checkAgentTools: Check = (plan) => {
  const { fragment, frame } = plan;
  if (frame.isMission !== true || frame.kind === 'fixed') return [];
  const severity = frame.isAgreed === true ? 'warning' : 'error';
  return eachWork(fragment, (step, at, of) => {
    const { agent, name, description } = step;
    if (agent === undefined || writesForCall(of ?? step, plan)) return [];
    const said = description ?? of?.description ?? wordsOfName(name).join(' ');
    const isFed = of !== undefined || step.dependencies.length > 0 || hasInput(step);
    const need = toolNeedOf(said, {
      hasResults: isFed,
      hasText: isFed,
      hasFile: (step.attachments ?? []).some(({ kind }) => kind !== 'link'),
    });
    const why = whyBeyondAgent(agent.name, toolsOf(agent, frame), need, Object.values(frame.declarations));
    if (why === undefined) return [];
    const message = `step "${name}" gives "${said}" to an agent: ${why}`;
    return [issue('AGENT_TOOLS_MISSING', message, { severity, path: [...at, 'agent'], hint: HINT })];
  });
};

const HINT =
  'use a capability that does it, give the agent a tool that does it, or answer that the goal is impossible and why';

function hasInput({ input }: StepSpec): boolean {
  return isJsonObject(input) ? Object.keys(input).length > 0 : input !== undefined && input !== null;
}

function toolsOf({ name, own }: AgentUse, { asking }: Frame): readonly string[] {
  const agents = asking?.agents ?? {};
  return own?.tools ?? (Object.hasOwn(agents, name) ? (agents[name]?.tools ?? []) : []);
}

/** Tells whether a later call that may change something uses the result, so that the agent only writes its input. */
function writesForCall({ name }: StepSpec, { wiring, frame }: PlanUnderReview): boolean {
  return (wiring.dependents.get(name) ?? []).some((other) => {
    const { capability, fanOut } = wiring.byName.get(other) ?? {};
    const called = capability ?? fanOut?.do.capability;
    const declared =
      called !== undefined && Object.hasOwn(frame.declarations, called) ? frame.declarations[called] : undefined;
    return declared !== undefined && mayChange(declared);
  });
}
