// A plan that a person must agree to before it is grafted: whether, and what they are shown.
import type { Json } from '../base/json.ts';
import { limitable } from '../budget/amount.ts';
import type { Fragment } from '../planning/fragment.ts';
import type { Frame } from '../planning/frame.ts';
import type { Verdict } from '../planning/verdict.ts';
import type { Batch } from './batch.ts';
import type { GateKind } from './event.ts';
import { evaluate } from './resolve-value.ts';
import { replanFor, reviewFor } from './settings-for.ts';
import type { Step } from './state.ts';

export interface Proposed {
  readonly fragment: Fragment;
  readonly frame: Frame;
  /** Accepted. */
  readonly verdict: Verdict;
}

/** Undefined: nobody need be asked. A condition that cannot be evaluated does not spare anyone the question. */
export function planGateOf(batch: Batch, step: Step, { fragment, frame, verdict }: Proposed): GateKind | undefined {
  const { state } = batch;
  if (step.repairs !== undefined) {
    const { approval } = replanFor(state, step);
    if (approval === 'always' || (approval === 'on_budget' && frame.converge)) return 'replan';
  }
  const review = reviewFor(state, step);
  if (review === undefined || review === 'always') return review && 'plan_review';
  const { rationale, raw } = fragment;
  const plan: Json = { rationale, steps: raw.steps ?? [], estimate: { ...verdict.estimate } };
  const wanted = evaluate(batch, step, review.when, { plan, budget: budgetOf(frame) });
  return wanted.ok && (wanted.value === null || wanted.value === false) ? undefined : 'plan_review';
}

/** The plan as the planner wrote it, so that it can be edited and given back. */
export function shownPlan(step: Step, { fragment, frame, verdict }: Proposed): Json {
  const { repairs } = step;
  return {
    planner: step.id,
    target: frame.target,
    plan: fragment.raw,
    estimate: { ...verdict.estimate },
    budget: budgetOf(frame),
    warnings: verdict.issues.map(({ code, message }) => ({ code, message })),
    ...(repairs === undefined ? {} : { repairs: { trial: repairs.trial, failing: repairs.failing } }),
  };
}

export function planPrompt(step: Step, { fragment: { steps, rationale } }: Proposed): string {
  const what = step.repairs === undefined ? 'plans' : 'would mend the plan with';
  const why = rationale === '' ? '' : `: ${rationale}`;
  return `${step.id} ${what} ${steps.length} ${steps.length === 1 ? 'step' : 'steps'}${why}`;
}

/** What is left, by resource; an absent one is not limited. */
function budgetOf({ available }: Frame): Json {
  return Object.fromEntries(
    limitable.flatMap((limited) => {
      const left = available[limited];
      return left === undefined ? [] : [[limited, left] as const];
    }),
  );
}
