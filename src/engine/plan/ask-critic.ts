// Asks the model critic about an accepted plan before the graft. Without an answer, the plan is grafted with a warning.
import { type Failure, failure } from '../../base/failure.ts';
import { type Issue, issue } from '../../base/issue.ts';
import { type Json, ownProperty } from '../../base/json.ts';
import { bad, type Result } from '../../base/result.ts';
import { plus } from '../../budget/amount.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { AcceptedPlan } from '../../planning/judge-reply.ts';
import { type Verdict, withRemarks } from '../../planning/review.ts';
import { criticModelOf, type NamedModel } from '../../template/model-use.ts';
import { canAfford } from '../account/afford.ts';
import { priceCall } from '../account/price-call.ts';
import { criticWork } from '../agent/critic.ts';
import { outcomesOf } from '../attempt/call-outcomes.ts';
import { answerCall, makeCall } from '../attempt/make-call.ts';
import { planningOf } from '../packet/frame-of.ts';
import { advance, isToCriticise, type WorkProgress } from '../record/call.ts';
import type { Batch } from '../state/batch.ts';
import type { Step } from '../state/state.ts';

/** The verdict with the model's remarks. Undefined: the model was asked now, and the plan waits. */
export function askCritic(batch: Batch, step: Step, plan: AcceptedPlan): Verdict | undefined {
  const model = criticModelOf(batch.state.template);
  if (model === undefined) return plan.verdict;
  for (;;) {
    const progress = progressOf(batch, step, model, plan);
    if (progress.done) return withAnswer(plan, model, progress.end);
    const { call } = progress;
    // The critic is asked only if the budget still pays for the plan's steps afterwards.
    const amount = plus(priceCall(batch, step, call).amount, plan.verdict.estimate);
    if (isLate(batch, step)) answerCall(batch, step, call, late);
    else if (!canAfford(batch, step, amount)) answerCall(batch, step, call, unpaid);
    else if (makeCall(batch, step, call) !== 'answered') return undefined;
  }
}

/** The verdict with the remarks that the critic made before a person was asked. */
export function remarkedBefore(batch: Batch, step: Step, plan: AcceptedPlan): Verdict {
  const model = criticModelOf(batch.state.template);
  const progress = model && progressOf(batch, step, model, plan);
  return model !== undefined && progress?.done === true ? withAnswer(plan, model, progress.end) : plan.verdict;
}

/** Whether the step has proposed a plan and waits for its critic. */
export function isWithCritic({ calls }: Step): boolean {
  const last = calls.at(-1);
  return last !== undefined && isToCriticise(last);
}

function progressOf(
  batch: Batch,
  step: Step,
  model: NamedModel,
  plan: AcceptedPlan,
): WorkProgress<Result<readonly Issue[], Failure>> {
  const { fragment, frame, verdict } = plan;
  const brief = (step.brief && batch.values.get(step.brief)) ?? null;
  const { intents: _, ...raw } = fragment.raw;
  const task = {
    goal: frame.goals?.[0],
    constraints: [...batch.state.template.constraints, ...planningOf(step).constraints],
    known: ownProperty(brief, 'shown') ?? ownProperty(brief, 'packet') ?? null,
    capabilities: linesOf(plan),
    plan: raw,
    steps: fragment.steps,
    found: verdict.critique?.findings ?? [],
  };
  return advance(criticWork(model, task), outcomesOf(batch, step.calls.filter(isToCriticise)));
}

/** One line for each capability that the plan calls. */
function linesOf({ fragment: { steps, capabilities = [] }, frame }: AcceptedPlan): Json {
  const declared: Readonly<Record<string, Declaration>> = {
    ...frame.declarations,
    ...Object.fromEntries(capabilities.map((each) => [each.name, each])),
  };
  const called = new Set(steps.flatMap(({ capability, fanOut }) => capability ?? fanOut?.do.capability ?? []));
  return Object.fromEntries(
    Object.values(declared).flatMap(({ name, description }) => (called.has(name) ? [[name, description]] : [])),
  );
}

function isLate({ at }: Batch, { begunAt = at, spec: { timeout } }: Step): boolean {
  return at - begunAt >= timeout;
}

const late = bad(failure('STEP_TIMEOUT', 'the time of the attempt is up', { retry: 'never' }));

const unpaid = bad(failure('BUDGET_EXCEEDED', 'it cannot be paid for beside the plan itself', { retry: 'never' }));

function withAnswer(
  { verdict, fragment, frame }: AcceptedPlan,
  { name }: NamedModel,
  end: Result<readonly Issue[], Failure>,
): Verdict {
  if (end.ok) return withRemarks(verdict, end.value, fragment, frame);
  return { ...verdict, issues: [...verdict.issues, unheard(name, end.error)] };
}

/** The issue is a warning, because the plan is not to blame for a critic that did not answer. */
function unheard(model: string, { code, message }: Failure) {
  return issue('CRITIC_UNHEARD', `the model "${model}" did not look at the plan: ${code}: ${message}`, {
    severity: 'warning',
  });
}
