// Check 3, agents: every agent exists and has a model, and a plan's own agents only use granted tools.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { isGranted } from '../../contract/grant.ts';
import { likelyHint } from '../../goals/match/likely-names.ts';
import { checkStepModels } from '../../template/check/models.ts';
import { eachWork } from '../../template/check/paths.ts';
import type { AgentSpec } from '../../template/keys/agent.ts';
import type { Frame } from '../frame.ts';
import type { Check } from './check.ts';

export const checkAgents: Check = ({ fragment: { steps }, frame }) => {
  const { asking } = frame;
  const own = new Map<string, AgentSpec>();
  const found = eachWork({ steps }, (step, at) => {
    if (step.agent?.own !== undefined) own.set(step.agent.name, step.agent.own);
    return asking === undefined ? [] : checkStepModels(step, asking, at);
  });
  return [...found, ...[...own.values()].flatMap((agent) => checkTools(agent, frame))];
};

function checkTools({ name, tools }: AgentSpec, { declarations, denied, ruledOut }: Frame): readonly Issue[] {
  const granted = Object.keys(declarations);
  const refused = [...(denied ?? []), ...(ruledOut?.keys() ?? [])];
  return tools.flatMap((tool, index): readonly Issue[] => {
    const path: readonly PathPart[] = ['agents', name, 'tools', index];
    const beyond = refused.filter((each) => isGranted(each, [tool], []));
    if (beyond.length > 0) {
      const message = `agent "${name}" wants "${tool}", and ${beyond.join(', ')} is not granted to this planner`;
      return [issue('FRAGMENT_CAPABILITY_DENIED', message, { path, hint: 'name only what is granted here' })];
    }
    if (granted.some((each) => isGranted(each, [tool], []))) return [];
    const message = `agent "${name}" wants "${tool}", and there is no such capability`;
    return [
      issue('FRAGMENT_UNKNOWN_CAPABILITY', message, { path, hint: likelyHint(tool, Object.values(declarations)) }),
    ];
  });
}
