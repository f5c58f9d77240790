// Finding: a result that none of the steps that wait for it uses.
import { issue } from '../../base/issue.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Check } from '../verdict.ts';
import { bringsResult, isMeantToUse, resultsUsedBy } from './uses.ts';

/** What the plan ends with goes to where it converges, and so is used; a check is there to be passed. */
export const unusedResult: Check = ({ fragment: { steps, phased }, frame, wiring: { byName, dependents } }) => {
  if (phased === true) return [];
  const used = new Set(steps.flatMap((step) => [...resultsUsedBy(step).names]));
  return steps.flatMap((step, index) => {
    const { name, verification, approval } = step;
    const waiting = (dependents.get(name) ?? []).flatMap((each) => byName.get(each) ?? []);
    const isCheck = verification !== undefined || approval !== undefined;
    if (waiting.length === 0 || isCheck || used.has(name) || !bringsResult(step, frame)) return [];
    if (waiting.some(takesAll)) return [];
    return [
      issue('CRITIC_RESULT_UNUSED', `nobody uses the result of step "${name}"`, {
        severity: 'info',
        path: ['steps', index],
        hint: `use what "${name}" brings, or leave it out`,
      }),
    ];
  });
};

function takesAll(step: StepSpec): boolean {
  return !isMeantToUse(step) || resultsUsedBy(step).all;
}
