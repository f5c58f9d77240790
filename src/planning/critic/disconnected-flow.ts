// Finding: a step waits for others of which it uses nothing.
import { issue } from '../../base/issue.ts';
import { dependencyPath } from '../../template/check/paths.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Frame } from '../frame.ts';
import { nameOf } from '../surroundings.ts';
import type { Check } from '../verdict.ts';
import { changesSomething, isMeantToUse, resultsUsedBy } from './uses.ts';

export const disconnectedFlow: Check = ({ fragment, frame, wiring: { byName } }) => {
  if (fragment.phased === true) return [];
  return fragment.steps.flatMap((step, index) => {
    if (!isMeantToUse(step)) return [];
    const { names, all } = resultsUsedBy(step);
    if (all) return [];
    const used = new Set([...names].flatMap((name) => [name, nameOf(name)]));
    return step.dependencies
      .filter((name) => !used.has(name) && !isOrderEnough(byName.get(name), frame))
      .map((name) =>
        issue('CRITIC_DISCONNECTED_FLOW', `step "${step.name}" waits for "${name}" and uses nothing of it`, {
          severity: 'warning',
          path: dependencyPath(step, ['steps', index], name),
          hint: `refer to its result in the input, as {{ results.${name} }}, or take the dependency out`,
        }),
      );
  });
};

/** What decides, plans, changes something or asks a person is waited for because of that; so is a step from outside of the plan. */
function isOrderEnough(before: StepSpec | undefined, frame: Frame): boolean {
  if (before === undefined || before.approval !== undefined || before.verification !== undefined) return true;
  const { type, capability } = before;
  if (type === 'decision' || type === 'planning' || type === 'human_review' || type === 'deferred') return true;
  return capability !== undefined && changesSomething(capability, frame);
}
