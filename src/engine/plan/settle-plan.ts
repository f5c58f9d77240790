// Settles a planner's reply: grafts its plan, refuses the plan, asks a person, or gives the planner what it asked for.
import { type Failure, failure } from '../../base/failure.ts';
import { present } from '../../base/fault.ts';
import { defined, type Json, ownProperty } from '../../base/json.ts';
import { type Amount, nothing } from '../../budget/amount.ts';
import { type AcceptedPlan, type JudgedReply, judgeReply } from '../../planning/judge-reply.ts';
import { criticModelOf } from '../../template/model-use.ts';
import { clarify } from '../attempt/clarification.ts';
import { frameOf } from '../packet/frame-of.ts';
import type { CommandOf } from '../record/command.ts';
import { valueIn } from '../record/stored-value.ts';
import { failPlanning, retryOrFailPlanning } from '../repair/retry-or-fail.ts';
import { type Batch, chargeOf, emit, paid, store } from '../state/batch.ts';
import type { Step } from '../state/state.ts';
import { askCritic } from './ask-critic.ts';
import { graftPlan } from './graft-plan.ts';
import { isHeldForPlanGate } from './plan-gate.ts';
import { refusePlan } from './refuse-plan.ts';

export function settlePlan(batch: Batch, step: Step, { outcome, chance }: CommandOf<'settle'>): void {
  const bill = chargeOf(step, outcome.bill);
  if (!outcome.ok) return retryOrFailPlanning(batch, step, { why: outcome.error, bill }, chance);
  const isDueNow = criticModelOf(batch.state.template) !== undefined;
  emit(batch, step.since, {
    type: 'plan.proposed',
    step: step.id,
    attempt: step.attempt,
    reply: store(batch, outcome.value),
    ...defined({ found: outcome.found }),
    ...(isDueNow ? paid(bill) : {}),
  });
  followReply(batch, step, outcome.value, isDueNow ? nothing : bill);
}

/** Judges the plan again after its critic answered or was lost, since the run has gone on meanwhile. */
export function settlePlanAgain(batch: Batch, step: Step): void {
  const proposal = present(step.proposal, `proposal of ${step.id}`);
  followReply(batch, step, valueIn(proposal, batch.values) ?? null, nothing);
}

function followReply(batch: Batch, step: Step, reply: Json, bill: Amount): void {
  const judged = judge(batch, step, reply);
  const { attempt } = step;
  switch (judged.kind) {
    case 'impossible':
      return failPlanning(batch, step, { why: impossible(judged.reason), bill });
    case 'question':
      return clarify(batch, step, judged.question, { planner: step.id }, bill);
    case 'needs':
      return emit(batch, step.since, {
        type: 'needs.asked',
        step: step.id,
        attempt,
        needs: judged.needs,
        ...paid(bill),
      });
    case 'refused':
      return refusePlan(batch, step, judged.plan, { reply, bill });
    case 'accepted':
      return followPlan(batch, step, judged.plan, { reply, bill });
  }
}

function judge(batch: Batch, step: Step, reply: Json): JudgedReply {
  const brief = (step.brief && batch.values.get(step.brief)) ?? null;
  return judgeReply(reply, {
    frame: frameOf(batch, step),
    declarations: batch.state.template.capabilities,
    goal: ownProperty(brief, 'goal'),
    isServed: step.needs !== undefined,
  });
}

function followPlan(
  batch: Batch,
  step: Step,
  reviewed: AcceptedPlan,
  { reply, bill }: { readonly reply: Json; readonly bill: Amount },
): void {
  const verdict = askCritic(batch, step, reviewed);
  if (verdict === undefined) return;
  if (!verdict.accepted) return refusePlan(batch, step, verdict, { reply, bill });
  const plan = { ...reviewed, verdict };
  if (!isHeldForPlanGate(batch, step, plan, bill)) graftPlan(batch, step, plan, bill);
}

function impossible(reason: string): Failure {
  return failure('PLAN_IMPOSSIBLE', reason, { retry: 'never' });
}
