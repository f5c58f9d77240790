// Gives resolved steps and their expressions the places at which they were written.

import type { PathPart } from '../base/issue.ts';
import { defined } from '../base/json.ts';
import type { Place } from '../base/place.ts';
import type { Expression } from './references.ts';
import type { PlannerSpec, PlanningSpec, StepSpec } from './step-spec.ts';

/** The place of a path within one step. */
export type PlaceOf = (path: readonly PathPart[]) => Place;

/** `placesOf` answers for the step at an index. */
export function placeSteps(steps: readonly StepSpec[], placesOf: (index: number) => PlaceOf): readonly StepSpec[] {
  return steps.map((step, index) => placeStep(step, placesOf(index)));
}

export function placeStep(step: StepSpec, placeOf: PlaceOf): StepSpec {
  const { when, expr, verification, planning, decision, approval, fanOut } = step;
  return {
    ...step,
    ...defined({
      when: when === undefined ? undefined : placed(when, placeOf(['when'])),
      expr: expr === undefined ? undefined : placed(expr, placeOf(['expr'])),
      verification: verification === undefined ? undefined : placed(verification, placeOf(['verification'])),
    }),
    ...(decision?.choose === undefined
      ? {}
      : { decision: { ...decision, choose: placed(decision.choose, placeOf(['choose'])) } }),
    ...(approval?.when === undefined
      ? {}
      : { approval: { ...approval, when: placed(approval.when, placeOf(['approval', 'when'])) } }),
    ...defined({ planning: planning === undefined ? undefined : placePlanning(planning, placeOf) }),
    ...(fanOut === undefined
      ? {}
      : { fanOut: { ...fanOut, do: placeStep(fanOut.do, (path) => placeOf(['do', ...path])) } }),
    place: placeOf(['name']),
  };
}

function placePlanning(planning: PlanningSpec, placeOf: PlaceOf): PlanningSpec {
  const { planner, review } = planning;
  return {
    ...planning,
    ...defined({ planner: planner === undefined ? undefined : placePlanner(planner, placeOf) }),
    ...(typeof review === 'object' ? { review: { when: placed(review.when, placeOf(['plan_review', 'when'])) } } : {}),
  };
}

function placePlanner(planner: PlannerSpec, placeOf: PlaceOf): PlannerSpec {
  if (planner.kind !== 'lisp' && planner.kind !== 'fixed') return planner;
  const { repair } = planner;
  return {
    ...planner,
    ...(planner.kind === 'lisp' ? { source: placed(planner.source, placeOf(['planner', 'source'])) } : {}),
    ...defined({ repair: repair === undefined ? undefined : placed(repair, placeOf(['planner', 'repair'])) }),
  };
}

function placed({ $lisp }: Expression, place: Place): Expression {
  return { $lisp, place };
}
