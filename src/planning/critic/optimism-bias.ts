// Finding: a step that may easily fail has no retry and fails the whole plan.
import { issue } from '../../base/issue.ts';
import { isGranted } from '../../contract/grant.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Check } from '../checks/check.ts';
import type { Frame } from '../frame.ts';

export const optimismBias: Check = ({ fragment: { steps }, frame }) =>
  steps.flatMap(({ name, critical, onFailure, fanOut, ...step }, index) => {
    const work = fanOut?.do ?? step;
    if (work.type !== 'task') return [];
    if (!critical || onFailure !== 'stop' || fanOut?.failureStrategy === 'continue_on_failure') return [];
    if (work.retry.maxAttempts > 1 || !isFlaky(work, frame)) return [];
    return [
      issue(
        'CRITIC_OPTIMISM_BIAS',
        `step "${name}" reaches out of this machine, and its first failure fails the plan`,
        {
          severity: 'warning',
          path: ['steps', index],
          hint: 'say `on_failure: retry`, or `critical: false` where the plan can do without it',
        },
      ),
    ];
  });

type Work = Pick<StepSpec, 'capability' | 'agent' | 'input' | 'description'>;

/** Words of a task that probably uses the network, for agents without known network tools. */
const REACHING = /\b(?:(?:search|fetch|scrap|crawl|download|brows)(?:e?s|e|ing|ed)?|web|https?|api|online|internet)\b/i;

function isFlaky({ capability, agent, input, description }: Work, { declarations }: Frame): boolean {
  const reaches = (name: string): boolean => declarations[name]?.effects.includes('network') === true;
  if (capability !== undefined) return Object.hasOwn(declarations, capability) && reaches(capability);
  if (agent === undefined) return false;
  const tools = agent.own?.tools ?? [];
  const granted = tools.length === 0 ? [] : Object.keys(declarations).filter((name) => isGranted(name, tools, []));
  if (granted.some(reaches)) return true;
  return REACHING.test([description ?? '', typeof input === 'string' ? input : '', ...tools].join(' '));
}
