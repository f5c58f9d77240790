// Settles a planner's reply: reads the fragment, reviews it, and grafts it or sends it back with its issues.
import { counted } from '../../base/counted.ts';
import { digestOf } from '../../base/digest.ts';
import { type Failure, failure } from '../../base/failure.ts';
import { present } from '../../base/fault.ts';
import { type Issue, issue } from '../../base/issue.ts';
import { defined, type Json, ownProperty } from '../../base/json.ts';
import { type Amount, nothing } from '../../budget/amount.ts';
import { newOf } from '../../planning/checks/own-capabilities.ts';
import { type Fragment, readFragment } from '../../planning/fragment.ts';
import type { Frame } from '../../planning/frame.ts';
import { type Graft, graftOf } from '../../planning/graft.ts';
import { issueText } from '../../planning/issue-text.ts';
import { review, reviewUnread } from '../../planning/review.ts';
import { sameIssues } from '../../planning/same-issues.ts';
import { criticModelOf } from '../../template/critic-model.ts';
import { askForBudget } from '../account/ask-for-budget.ts';
import { rejectingLimit, type Short } from '../account/rejecting-limit.ts';
import { clarify } from '../attempt/clarification.ts';
import { openGate } from '../gates/open-gate.ts';
import { frameOf, planningOf } from '../packet/frame-of.ts';
import { delayBefore } from '../record/backoff.ts';
import type { CommandOf } from '../record/command.ts';
import type { EventOf } from '../record/event.schema.ts';
import type { Exhaustion } from '../record/event-parts.schema.ts';
import { valueIn } from '../record/stored-value.ts';
import { replan } from '../repair/replan-tail.ts';
import { giveUp } from '../repair/retry-or-fail.ts';
import { type Batch, emit, paid, store } from '../state/batch.ts';
import { exhaustionFailure } from '../state/exhaustion.ts';
import { attemptsUsed, type Step, stepOf } from '../state/state.ts';
import { hearCritic } from './ask-critic.ts';
import { giveResults } from './give-results.ts';
import { type Proposed, planGateOf, planPrompt, shownPlan } from './plan-gate.ts';

export function settlePlan(batch: Batch, step: Step, { outcome, chance }: CommandOf<'settle'>): void {
  const bill = outcome.bill ?? step.reserved ?? {};
  if (!outcome.ok) return retryOrFail(batch, step, outcome.error, bill, chance);
  const isDueNow = criticModelOf(batch.state.template) !== undefined;
  emit(batch, step.since, {
    type: 'plan.proposed',
    step: step.id,
    attempt: step.attempt,
    reply: store(batch, outcome.value),
    ...defined({ found: outcome.found }),
    ...(isDueNow ? paid(bill) : {}),
  });
  weigh(batch, step, outcome.value, isDueNow ? nothing : bill);
}

/** Reviews the plan again after its critic answered or was lost, since the run has gone on meanwhile. */
export function weighPlan(batch: Batch, step: Step): void {
  const proposal = present(step.proposal, `proposal of ${step.id}`);
  weigh(batch, step, valueIn(proposal, batch.values) ?? null, nothing);
}

function weigh(batch: Batch, step: Step, reply: Json, bill: Amount): void {
  const { attempt } = step;
  const read = readFragment(reply, batch.state.template.capabilities);
  if (!read.ok) return reject(batch, step, reviewUnread(read.error, framed(batch, step, read.error.rest)), bill, reply);
  if ('impossible' in read.value) {
    const said = failure('PLAN_IMPOSSIBLE', read.value.impossible, { retry: 'never' });
    return failPlan(batch, step, said, bill);
  }
  if ('asks' in read.value) return clarify(batch, step, read.value.asks, { planner: step.id }, bill);
  const { needs, steps } = read.value;
  if (needs.length > 0 && step.needs === undefined) {
    return emit(batch, step.since, { type: 'needs.asked', step: step.id, attempt, needs, ...paid(bill) });
  }
  if (needs.length > 0 && steps.length === 0) return reject(batch, step, [servedOnce('error')], bill, reply);
  const frame = framed(batch, step, read.value);
  const reviewed = review(read.value, frame);
  const sound = needs.length === 0 ? reviewed : { ...reviewed, issues: [...reviewed.issues, servedOnce('warning')] };
  if (!sound.accepted) return reject(batch, step, sound.issues, bill, reply, sound.estimate);
  const verdict = hearCritic(batch, step, { fragment: read.value, frame, verdict: sound });
  if (verdict === undefined) return;
  if (!verdict.accepted) return reject(batch, step, verdict.issues, bill, reply, verdict.estimate);
  const proposed = { fragment: read.value, frame, verdict };
  const gate = planGateOf(batch, step, proposed);
  if (gate === undefined) return accept(batch, step, proposed, bill);
  const prompt = planPrompt(step, proposed);
  openGate(batch, step, step.since, { kind: gate, prompt, context: shownPlan(batch, step, proposed), bill });
}

/** The frame, with the goal as the planner read it: references filled in. */
function framed(batch: Batch, step: Step, plan: Fragment | undefined): Frame {
  const frame = frameOf(batch, step);
  const brief = step.brief === undefined ? undefined : batch.values.get(step.brief);
  const told = ownProperty(brief ?? null, 'goal') ?? plan?.intents?.goal;
  return typeof told === 'string' ? { ...frame, goals: [told, ...(frame.goals ?? [])] } : frame;
}

function servedOnce(severity: 'error' | 'warning'): Issue {
  return issue('NEEDS_SERVED', 'what the planner needs is shown once, and that has been done', {
    path: ['needs'],
    hint: 'plan with what the packet shows; steps can refer to any result in its index',
    severity,
  });
}

/** One batch holds the graft, its cost and the planning step's completion, so no target can begin between them. */
export function accept(batch: Batch, step: Step, { fragment, frame, verdict }: Proposed, bill: Amount): void {
  const found = step.found.filter(({ name }) => !batch.state.registered.has(name));
  for (const capability of [...found, ...newOf(fragment, frame)]) {
    emit(batch, step.since, { type: 'capability.registered', step: step.id, capability });
  }
  const graft = graftOf(fragment, frame);
  const { issues: warnings, critique } = verdict;
  const { understood } = fragment;
  joinAndComplete(batch, step, graft, bill, {
    ...(warnings.length === 0 ? {} : { warnings }),
    ...defined({ score: critique === undefined ? undefined : critique.score }),
    ...(understood.length === 0 ? {} : { understood }),
  });
}

/** Grafts an empty plan for a step that can no longer pay for one, so that its target converges. */
export function graftNothing(batch: Batch, step: Step): void {
  const rationale = 'nothing more is planned: the budget is spent';
  const target = present(step.target, `convergence target of ${step.id}`);
  const graft = { planner: step.id, target, digest: digestOf({ steps: [] }), rationale, steps: [], terminals: [] };
  joinAndComplete(batch, step, graft, {}, { forced: true });
}

function joinAndComplete(
  batch: Batch,
  step: Step,
  { planner, target, digest, rationale, intents, steps, terminals }: Graft,
  bill: Amount,
  marks: Pick<EventOf<'fragment.grafted'>, 'warnings' | 'score' | 'understood' | 'forced'>,
): void {
  const nested = steps.filter(({ spec }) => spec.type === 'planning').length;
  emit(batch, step.since, {
    type: 'fragment.grafted',
    planner,
    attempt: step.attempt,
    fragment: digest,
    rationale,
    ...defined({ intents }),
    target,
    steps,
    terminals,
    amount: { steps: steps.length, ...(nested === 0 ? {} : { phases: nested }) },
    ...marks,
  });
  const value: Json = { rationale, digest, steps: steps.map(({ id }) => id) };
  emit(batch, batch.state.version, {
    type: 'step.completed',
    step: planner,
    value: store(batch, value),
    ...paid(bill),
  });
  giveResults(
    batch,
    steps.map(({ id }) => id),
  );
}

/** Sends the plan back with its issues. The same issues twice end the step, unless a person raised them. */
export function reject(
  batch: Batch,
  step: Step,
  issues: readonly Issue[],
  bill: Amount,
  reply: Json,
  estimate: Amount = nothing,
): void {
  const { attempt } = step;
  const repeats = step.issues !== undefined && !issues.some(isByPerson) && sameIssues(step.issues, issues);
  if (!repeats && attemptsUsed(step) < planningOf(step).maxAttempts) {
    return emit(batch, step.since, { type: 'fragment.rejected', step: step.id, attempt, issues, ...paid(bill) });
  }
  const errors = issues.filter(({ severity }) => severity === 'error');
  const short = rejectingLimit(batch, step, errors, estimate);
  if (short !== undefined) return stopPlan(batch, step, short, { errors, reply, bill });
  const why = repeats
    ? 'the same issues came twice'
    : `${counted(attemptsUsed(step), 'fragment was', 'fragments were')} rejected`;
  const said = failure('PLAN_INVALID', `${why}: ${tell(errors, reply)}`, { retry: 'never', issues });
  failPlan(batch, step, said, bill);
}

/** Handles a plan that only a limit forbids: asks a person if the template says so, else ends the planning step. */
function stopPlan(
  batch: Batch,
  step: Step,
  { met, asked }: Short,
  { errors, reply, bill }: { readonly errors: readonly Issue[]; readonly reply: Json; readonly bill: Amount },
): void {
  if (askForBudget(batch, step, met, bill, asked)) return;
  const { code } = exhaustionFailure(met);
  const told = errors.toSorted((a, b) => Number(b.code === code) - Number(a.code === code));
  const why = exhaustionFailure(met, `no plan fits ${met.key}: ${tell(told, reply)}`);
  failPlan(batch, step, { ...why, issues: errors }, bill, met);
}

/** Fails a planning step. The failure of a repair names the failure that it should have repaired. */
export function failPlan(batch: Batch, step: Step, why: Failure, bill: Amount = nothing, stop?: Exhaustion): void {
  const asks = step.spec.onFailure === 'replan' && stop === undefined;
  const last = asks ? replan(batch, step, why, bill) : why;
  if (last === undefined) return;
  const [mended] = step.repairs?.failing ?? [];
  const cause = mended === undefined ? undefined : stepOf(batch.state, mended);
  const told = cause?.failure === undefined ? last : behind(last, cause.id, cause.failure);
  giveUp(batch, step, told, bill, step.spec.onFailure, stop);
}

function behind(why: Failure, step: string, cause: Failure): Failure {
  return { ...why, message: `${why.message}; it was to mend ${step}: ${cause.message}`, cause };
}

function isByPerson({ code }: Issue): boolean {
  return code === 'PLAN_REJECTED';
}

function tell([first, ...others]: readonly Issue[], reply: Json): string {
  const more = others.length === 0 ? '' : `; and ${others.length} more`;
  return `${first === undefined ? 'see its issues' : issueText(first, reply)}${more}`;
}

function retryOrFail(batch: Batch, step: Step, why: Failure, bill: Amount, chance: number): void {
  const { attempt } = step;
  if (why.retry === 'never' || attemptsUsed(step) >= planningOf(step).maxAttempts) {
    return failPlan(batch, step, why, bill);
  }
  const retryAt = batch.at + (why.retryAfter ?? delayBefore(attempt + 1, step.spec.retry, chance));
  emit(batch, step.since, { type: 'attempt.failed', step: step.id, attempt, failure: why, ...paid(bill), retryAt });
}
