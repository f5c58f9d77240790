// Gives resolved steps and their expressions the places at which they were written.
import type { PathPart } from '../base/issue.ts';
import type { Place } from '../base/place.ts';
import type { Expression, PlannerSpec, StepSpec } from './step-spec.ts';

/** The place of a path within one step. */
export type PlaceOf = (path: readonly PathPart[]) => Place;

/** `placesOf` answers for the step at an index. */
export function placeSteps(steps: readonly StepSpec[], placesOf: (index: number) => PlaceOf): readonly StepSpec[] {
  return steps.map((step, index) => placeStep(step, placesOf(index)));
}

function placeStep(step: StepSpec, placeOf: PlaceOf): StepSpec {
  const { when, expr, verification, planning, decision } = step;
  return {
    ...step,
    ...(when === undefined ? {} : { when: placed(when, placeOf(['when'])) }),
    ...(expr === undefined ? {} : { expr: placed(expr, placeOf(['expr'])) }),
    ...(verification === undefined ? {} : { verification: placed(verification, placeOf(['verification'])) }),
    ...(decision?.choose === undefined
      ? {}
      : { decision: { ...decision, choose: placed(decision.choose, placeOf(['choose'])) } }),
    ...(planning?.planner === undefined
      ? {}
      : { planning: { ...planning, planner: placePlanner(planning.planner, placeOf) } }),
    place: placeOf(['name']),
  };
}

function placePlanner(planner: PlannerSpec, placeOf: PlaceOf): PlannerSpec {
  return planner.kind === 'lisp'
    ? { ...planner, source: placed(planner.source, placeOf(['planner', 'source'])) }
    : planner;
}

function placed({ $lisp }: Expression, place: Place): Expression {
  return { $lisp, place };
}
