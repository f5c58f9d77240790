// Check 10, nested planning: depth is left, and each nested phase has a valid convergence target.

import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import type { Budget } from '../../budget/limits.ts';
import { checkBudget } from '../../template/check/budgets.ts';
import { checkPlanningDependents, checkTargets } from '../../template/check/convergence.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Frame } from '../frame.ts';
import { nameOf } from '../names-outside.ts';
import type { Wiring } from '../wiring.ts';
import type { Check } from './check.ts';

export const checkNesting: Check = ({ fragment: { steps }, frame, scope, wiring }) => {
  const nested = steps.flatMap((step, index) => (step.type === 'planning' ? [{ step, at: ['steps', index] }] : []));
  if (nested.length === 0) return [];
  const inScope = { ...scope, steps: steps.map((step) => inheriting(step, frame, wiring)) };
  return [
    ...nested.flatMap(({ step, at }) => [
      ...mayNest(step.name, at, frame),
      ...ruledAbove(step, at),
      ...withinLeft(step, at, frame),
    ]),
    ...checkTargets(inScope, nameOf(frame.target)),
    ...checkPlanningDependents(inScope),
    ...inScope.steps.flatMap((step, index) => comesTogether(step, ['steps', index], wiring)),
  ];
};

/** A nested step's budget must fit into the remaining budget, and its bounds into the bounds of this frame. */
function withinLeft(
  { budget }: StepSpec,
  at: readonly PathPart[],
  { bounds, available, depthLeft }: Frame,
): readonly Issue[] {
  if (budget === undefined) return [];
  const { time, ...limit } = available;
  const { fragmentSteps, fragmentDepth, fanOut, ...part } = budget;
  const left: Budget = {
    limit,
    planningDepth: Math.max(1, depthLeft),
    ...defined({ wallClock: time }),
  };
  const own = Object.entries({ fragmentSteps, fragmentDepth, fanOut }).filter(([, bound]) => bound !== undefined);
  return [
    ...checkBudget(part, left, at, true),
    ...checkBudget({ limit: {}, ...Object.fromEntries(own) }, { limit: {}, ...bounds }, at),
  ];
}

/** Drops a nested target that equals the frame's target, because it is the default. */
function inheriting(step: StepSpec, { target }: Frame, { byName }: Wiring): StepSpec {
  const named = step.planning?.target;
  if (step.planning === undefined || named === undefined || byName.has(named)) return step;
  if (named !== target && named !== nameOf(target)) return step;
  const { target: _, ...planning } = step.planning;
  return { ...step, planning };
}

function mayNest(name: string, path: readonly PathPart[], { depthLeft, converge }: Frame): readonly Issue[] {
  if (depthLeft <= 0) {
    return [
      issue('PLANNING_TOO_DEEP', `step "${name}" plans further, and planning may nest no deeper here`, {
        path,
        hint: 'answer with the steps themselves',
      }),
    ];
  }
  if (!converge) return [];
  return [
    issue('PLANNING_WHILE_CONVERGING', `step "${name}" plans further, and little is left of the budget`, {
      path,
      hint: 'answer with the few steps that finish the work',
    }),
  ];
}

/** Only a template may set review and repair of plans; planners may not loosen them. */
function ruledAbove({ name, planning }: StepSpec, at: readonly PathPart[]): readonly Issue[] {
  const said = [
    ...(planning?.replan === undefined ? [] : ['replan']),
    ...(planning?.review === undefined ? [] : ['plan_review']),
  ];
  return said.map((key) =>
    issue('FRAGMENT_KEY_RESERVED', `step "${name}" says "${key}", which only a template may`, {
      path: [...at, key],
      hint: 'take it out: what its template says of this phase holds for it too',
    }),
  );
}

/** A nested phase without a target ends where the fragment ends, so no step of the fragment may wait for it. */
function comesTogether(
  { name, planning }: StepSpec,
  at: readonly PathPart[],
  { dependents }: Wiring,
): readonly Issue[] {
  const waiting = dependents.get(name) ?? [];
  if (planning === undefined || planning.target !== undefined || waiting.length === 0) return [];
  const who = waiting.map((each) => `"${each}"`).join(', ');
  const verb = waiting.length === 1 ? 'waits' : 'wait';
  return [
    issue('PLANNING_DEPENDENT_NOT_TARGET', `${who} ${verb} for planning step "${name}" without being its target`, {
      path: [...at, 'convergence_target'],
      hint: 'name one of them as convergence target, and let the others depend on it: no other step may depend on a planning step',
    }),
  ];
}
