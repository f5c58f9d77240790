// Findings: what is called destroys although the goal destroys nothing, or changes something although the goal only reads.
import { issue } from '../../base/issue.ts';
import { type Declaration, isMutating } from '../../contract/declaration.ts';
import { eachWork } from '../../template/check/paths.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Frame } from '../frame.ts';
import type { Goal } from '../resolve/goal.ts';
import type { Check } from '../verdict.ts';
import { goalOf } from './goal-words.ts';

/** A person who is asked before the call, or about the whole plan, may let it through. */
export const goalVerbs: Check = ({ fragment: { steps }, frame }) => {
  const goal = goalOf(frame);
  if (goal === undefined) return [];
  const destroys = goal.clauses.some(({ classes }) => classes.has('destroy'));
  const reads = onlyReads(goal);
  if (destroys) return [];
  return eachWork({ steps }, (step, at) => {
    const { capability, name } = step;
    const called = capability === undefined ? undefined : declarationOf(capability, frame);
    if (called === undefined || isAskedAbout(step)) return [];
    const details = { path: [...at, 'handler'], severity: frame.isReviewed === true ? 'warning' : 'error' } as const;
    if (called.effects.includes('delete')) {
      const message = `step "${name}" calls "${called.name}", which destroys, and the goal asks to destroy nothing`;
      return [issue('CRITIC_DESTRUCTIVE', message, { ...details, hint: INSTEAD })];
    }
    if (!reads || !isMutating(called)) return [];
    const message = `step "${name}" calls "${called.name}", which changes something, and the goal asks only to read`;
    return [issue('CRITIC_WRITES_FOR_READ_GOAL', message, { ...details, hint: INSTEAD })];
  });
};

const INSTEAD = 'leave it out, or give the step `approval: always`, so that a person is asked first';

/** Every order of the goal is understood, and none changes anything. */
function onlyReads({ clauses }: Goal): boolean {
  return (
    clauses.length > 0 &&
    clauses.every(
      ({ classes, strange }) => !strange && classes.size > 0 && [...classes].every((each) => each === 'read'),
    )
  );
}

function isAskedAbout({ approval }: StepSpec): boolean {
  return approval !== undefined && approval.when === undefined;
}

function declarationOf(capability: string, { declarations }: Frame): Declaration | undefined {
  return Object.hasOwn(declarations, capability) ? declarations[capability] : undefined;
}
