// Check 10, progress: a nested planning step has a smaller goal, or waits for new results.
import { issue } from '../../base/issue.ts';
import type { Check } from './check.ts';

export const checkProgress: Check = ({ fragment: { steps }, frame: { goals = [] }, wiring }) => {
  const above = new Set(goals.map(bare));
  return steps.flatMap(({ name, planning }, index) => {
    const goal = planning?.goal;
    const learnsBefore = (wiring.inner.get(name) ?? []).length > 0;
    if (goal === undefined || learnsBefore || !above.has(bare(goal))) return [];
    return [
      issue(
        'PLAN_NO_PROGRESS',
        `step "${name}" plans for the very goal that it comes from, and waits for nothing new`,
        {
          path: ['steps', index, 'goal'],
          hint: 'give it a part of the goal, have it wait for steps that find something out, or answer with the steps themselves',
        },
      ),
    ];
  });
};

/** Normalizes a goal: case, spaces and final punctuation do not matter. */
function bare(goal: string): string {
  return goal
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\s.!?;:]+$/, '')
    .trim();
}
