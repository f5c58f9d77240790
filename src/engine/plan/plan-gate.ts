// The gate at which a person agrees to a plan before it is grafted: opens the gate, and follows the person's decision.
import { counted } from '../../base/counted.ts';
import { type Issue, issue } from '../../base/issue.ts';
import { defined, type Json, type JsonObject } from '../../base/json.ts';
import type { Result } from '../../base/result.ts';
import type { Amount } from '../../budget/amount.ts';
import { shownAmount, shownFigures } from '../../budget/display-figures.ts';
import { issueText } from '../../planning/issue-text.ts';
import { type AcceptedPlan, judgePlan, type RefusedPlan } from '../../planning/judge-reply.ts';
import type { Verdict } from '../../planning/review.ts';
import type { GateDecision } from '../gates/gate-answers.ts';
import { openGate } from '../gates/open-gate.ts';
import { frameOf } from '../packet/frame-of.ts';
import { replanSettings, reviewSetting } from '../packet/planning-settings.ts';
import { describeFailure, rootFailuresOf } from '../queries/failure-history.ts';
import { repairDiff } from '../queries/repair-diff.ts';
import type { GateKind } from '../record/gate-events.schema.ts';
import { valueIn } from '../record/stored-value.ts';
import type { Batch } from '../state/batch.ts';
import { type Gate, type RepairFacts, type Step, stepOf } from '../state/state.ts';
import { evaluate } from '../values/resolve-value.ts';
import { remarkedBefore } from './ask-critic.ts';
import { graftPlan } from './graft-plan.ts';
import { refusePlan } from './refuse-plan.ts';

/** Opens the gate if a person must agree first, and returns whether the step is now held. */
export function isHeldForPlanGate(batch: Batch, step: Step, plan: AcceptedPlan, bill: Amount): boolean {
  const kind = gateKindOf(batch, step, plan);
  if (kind === undefined) return false;
  openGate(batch, step, step.since, {
    kind,
    prompt: promptOf(step, plan),
    context: shownPlan(batch, step, plan),
    bill,
  });
  return true;
}

/** A condition that cannot be evaluated counts as true. */
function gateKindOf(batch: Batch, step: Step, plan: AcceptedPlan): GateKind | undefined {
  const { state } = batch;
  const { fragment, frame, verdict, newCapabilities } = plan;
  if (newCapabilities.length > 0) return 'synthesis';
  if (step.repairs !== undefined) {
    const { approval } = replanSettings(state, step);
    if (approval === 'always' || (approval === 'on_budget' && frame.converge)) return 'replan';
  }
  const review = reviewSetting(state, step);
  if (review === undefined || review === 'always') return review && 'plan_review';
  const { rationale, raw } = fragment;
  const { estimate, critique } = verdict;
  const score = critique?.score ?? null;
  const shown: Json = { rationale, steps: raw.steps ?? [], estimate: shownAmount(estimate), score };
  const wanted = evaluate(batch, step, review.when, { plan: shown, budget: shownFigures(frame.available) });
  return wanted.ok && (wanted.value === null || wanted.value === false) ? undefined : 'plan_review';
}

/** The plan as its planner wrote it, so that a person can edit it. */
function shownPlan(batch: Batch, step: Step, plan: AcceptedPlan): Json {
  const { fragment, frame, verdict } = plan;
  return {
    planner: step.id,
    target: frame.target,
    plan: withoutIntents(fragment.raw),
    estimate: shownAmount(verdict.estimate),
    budget: shownFigures(frame.available),
    ...remarks(verdict),
    ...defined({ repairs: step.repairs === undefined ? undefined : shownRepair(batch, step.repairs, step, plan) }),
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
function shownRepair({ state }: Batch, { planner, trial }: RepairFacts, step: Step, { fragment }: AcceptedPlan): Json {
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

function promptOf(step: Step, { fragment, newCapabilities }: AcceptedPlan): string {
  const { steps, rationale } = fragment;
  const own = newCapabilities.map(({ name }) => name);
  const brings = own.length === 0 ? '' : `, and brings along ${own.join(', ')}, which this run alone would have`;
  const what = step.repairs === undefined ? 'plans' : 'would mend the plan with';
  const why = rationale === '' ? '' : `: ${rationale}`;
  return `${step.id} ${what} ${counted(steps.length, 'step')}${brings}${why}`;
}

/** The reason why an edited plan is not acceptable. Writes nothing. */
export function refuseEditedPlan(batch: Batch, gate: Gate, { verdict, value }: GateDecision): Issue | undefined {
  if (verdict !== 'edit' || value === undefined) return undefined;
  const judged = judgeAgain(batch, stepOf(batch.state, gate.step), value);
  if (judged.ok) return undefined;
  const errors = judged.error.issues.filter(({ severity }) => severity === 'error');
  const texts = errors.map((each) => issueText(each, value));
  return issue('PLAN_EDIT_INVALID', `gate ${gate.id} does not take this plan: ${texts.join('; ')}`, {
    path: errors[0]?.path ?? [],
    hint: errors[0]?.hint,
  });
}

/** Judges the plan once more, since the run has gone on: a plan that no longer fits goes back with the issues. */
export function settlePlanGate(batch: Batch, gate: Gate, { verdict, value, by, why }: GateDecision): void {
  const step = stepOf(batch.state, gate.step);
  if (verdict === 'reject') {
    const rejection = issue('PLAN_REJECTED', `${by} rejected the plan${why === undefined ? '' : `: ${why}`}`);
    return refusePlan(batch, step, { issues: [rejection] }, { reply: null, bill: {} });
  }
  const kept = step.proposal === undefined ? undefined : valueIn(step.proposal, batch.values);
  const reply = value ?? kept ?? null;
  const judged = judgeAgain(batch, step, reply);
  if (!judged.ok) return refusePlan(batch, step, { issues: judged.error.issues }, { reply, bill: {} });
  const plan = judged.value;
  graftPlan(batch, step, value === undefined ? { ...plan, verdict: remarkedBefore(batch, step, plan) } : plan, {});
}

/** Judges the plan without the model critic: its remarks were shown before the decision. */
function judgeAgain(batch: Batch, step: Step, plan: Json): Result<AcceptedPlan, RefusedPlan> {
  const frame = { ...frameOf(batch, step), isAgreed: true as const };
  return judgePlan(plan, { frame, declarations: batch.state.template.capabilities });
}
