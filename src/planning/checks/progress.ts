// Check 10, progress: a planning step of a fragment plans for less than the goal that brought it.
import { issue } from '../../base/issue.ts';
import type { Check } from '../verdict.ts';

export const checkProgress: Check = ({ fragment: { steps }, frame: { goals = [] } }) => {
  const above = new Set(goals.map(bare));
  return steps.flatMap(({ name, planning }, index) => {
    const goal = planning?.goal;
    if (goal === undefined || !above.has(bare(goal))) return [];
    return [
      issue('PLAN_NO_PROGRESS', `step "${name}" plans for the very goal that it comes from`, {
        path: ['steps', index, 'goal'],
        hint: 'give it a part of the goal, or answer with the steps themselves',
      }),
    ];
  });
};

/** As people say it: case, spaces and the stop at the end make no other goal. */
function bare(goal: string): string {
  return goal
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/[\s.!?;:]+$/, '')
    .trim();
}
