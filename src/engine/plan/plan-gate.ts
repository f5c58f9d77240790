// Decides whether a person must agree to a plan before it is grafted, and what the person is shown.
import { counted } from '../../base/counted.ts';
import type { Issue } from '../../base/issue.ts';
import { defined, type Json, type JsonObject } from '../../base/json.ts';
import { shownAmount, shownFigures } from '../../budget/display-figures.ts';
import type { Verdict } from '../../planning/checks/check.ts';
import { newOf } from '../../planning/checks/own-capabilities.ts';
import type { Fragment } from '../../planning/fragment.ts';
import type { Frame } from '../../planning/frame.ts';
import { replanSettings, reviewSetting } from '../packet/planning-settings.ts';
import { describeFailure, rootFailuresOf } from '../queries/failure-history.ts';
import { repairDiff } from '../queries/repair-diff.ts';
import type { GateKind } from '../record/gate-events.schema.ts';
import type { Batch } from '../state/batch.ts';
import { type Repairs, type Step, stepOf } from '../state/state.ts';
import { evaluate } from '../values/resolve-value.ts';

export interface Proposed {
  readonly fragment: Fragment;
  readonly frame: Frame;
  /** Always an accepted one. */
  readonly verdict: Verdict;
}

/** The kind of gate; undefined if nobody is asked. A condition that cannot be evaluated counts as true. */
export function planGateOf(batch: Batch, step: Step, { fragment, frame, verdict }: Proposed): GateKind | undefined {
  const { state } = batch;
  if (newOf(fragment, frame).length > 0) return 'synthesis';
  if (step.repairs !== undefined) {
    const { approval } = replanSettings(state, step);
    if (approval === 'always' || (approval === 'on_budget' && frame.converge)) return 'replan';
  }
  const review = reviewSetting(state, step);
  if (review === undefined || review === 'always') return review && 'plan_review';
  const { rationale, raw } = fragment;
  const { estimate, critique } = verdict;
  const score = critique?.score ?? null;
  const plan: Json = { rationale, steps: raw.steps ?? [], estimate: shownAmount(estimate), score };
  const wanted = evaluate(batch, step, review.when, { plan, budget: shownFigures(frame.available) });
  return wanted.ok && (wanted.value === null || wanted.value === false) ? undefined : 'plan_review';
}

/** The plan as its planner wrote it, so that a person can edit it. */
export function shownPlan(batch: Batch, step: Step, proposed: Proposed): Json {
  const { fragment, frame, verdict } = proposed;
  return {
    planner: step.id,
    target: frame.target,
    plan: withoutIntents(fragment.raw),
    estimate: shownAmount(verdict.estimate),
    budget: shownFigures(frame.available),
    ...remarks(verdict),
    ...defined({ repairs: step.repairs === undefined ? undefined : shownRepair(batch, step.repairs, step, proposed) }),
  };
}

/** Recorded intents cannot be edited. */
function withoutIntents({ intents: _, ...plan }: JsonObject): JsonObject {
  return plan;
}

/** The warnings of the review, and the critic's score. */
function remarks({ issues, critique }: Verdict): { readonly warnings: Json; readonly critic?: Json } {
  if (critique === undefined) return { warnings: shown(issues) };
  const { score, findings, recommendations } = critique;
  const codes = new Set(findings.map(({ code }) => code));
  return {
    warnings: shown(issues.filter(({ code }) => !codes.has(code))),
    critic: { score, findings: shown(findings), recommendations },
  };
}

function shown(issues: readonly Issue[]): Json {
  return issues.map(({ code, message }) => ({ code, message }));
}

/** The failed steps, their plan, and the difference of the new plan. */
function shownRepair({ state }: Batch, { planner, trial }: Repairs, step: Step, { fragment }: Proposed): Json {
  const steps = planner === undefined ? [] : (state.phases.get(planner)?.steps ?? []);
  const before = steps.map((id) => stepOf(state, id));
  return {
    trial,
    failed: rootFailuresOf(state, step).map((each) => ({ step: each.id, ...describeFailure(each) })),
    failed_plan: before.map(({ spec: { name, capability = null, dependencies } }) => ({
      name,
      capability,
      depends_on: dependencies,
    })),
    diff: JSON.parse(JSON.stringify(repairDiff(before, fragment.steps))),
  };
}

export function planPrompt(step: Step, { fragment, frame }: Proposed): string {
  const { steps, rationale } = fragment;
  const own = newOf(fragment, frame).map(({ name }) => name);
  const brings = own.length === 0 ? '' : `, and brings along ${own.join(', ')}, which this run alone would have`;
  const what = step.repairs === undefined ? 'plans' : 'would mend the plan with';
  const why = rationale === '' ? '' : `: ${rationale}`;
  return `${step.id} ${what} ${counted(steps.length, 'step')}${brings}${why}`;
}
