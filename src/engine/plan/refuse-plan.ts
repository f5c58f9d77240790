// Refuses a plan: its planner plans again with the issues, until its attempts are used up or it repeats its mistakes.
import { counted } from '../../base/counted.ts';
import { failure } from '../../base/failure.ts';
import type { Issue } from '../../base/issue.ts';
import { defined, type Json } from '../../base/json.ts';
import { type Amount, nothing } from '../../budget/amount.ts';
import { limitText } from '../../budget/limit-text.ts';
import { issueText } from '../../planning/issue-text.ts';
import type { RefusedPlan } from '../../planning/judge-reply.ts';
import { sameIssues } from '../../planning/same-issues.ts';
import type { BudgetShortage } from '../account/afford.ts';
import { askForBudget } from '../account/ask-for-budget.ts';
import { rejectingLimit } from '../account/rejecting-limit.ts';
import type { Exhaustion } from '../record/event-parts.schema.ts';
import { failPlanning, hasPlanningAttemptLeft } from '../repair/retry-or-fail.ts';
import { type Batch, emit, paid } from '../state/batch.ts';
import { exhaustionFailure } from '../state/exhaustion.ts';
import { attemptsUsed, type Step } from '../state/state.ts';

interface ReplyAndBill {
  readonly reply: Json;
  readonly bill: Amount;
}

/** Sends the plan back with its issues. The same issues twice end the planning step, unless a person raised them. */
export function refusePlan(
  batch: Batch,
  step: Step,
  { issues, estimate = nothing }: RefusedPlan,
  { reply, bill }: ReplyAndBill,
): void {
  const { attempt } = step;
  const repeats = step.issues !== undefined && !issues.some(isByPerson) && sameIssues(step.issues, issues);
  if (!repeats && hasPlanningAttemptLeft(batch.state, step)) {
    return emit(batch, step.since, { type: 'fragment.rejected', step: step.id, attempt, issues, ...paid(bill) });
  }
  const errors = issues.filter(({ severity }) => severity === 'error');
  const short = rejectingLimit(batch, step, errors, estimate);
  if (short !== undefined) return stopAtLimit(batch, step, short, errors, { reply, bill });
  if (errors.length > 0 && errors.every(({ code }) => code === 'AGENT_TOOLS_MISSING')) {
    const message = `no plan does it: ${firstIssueText(errors, reply)}`;
    return failPlanning(batch, step, {
      why: failure('PLAN_IMPOSSIBLE', message, { retry: 'never', issues }),
      bill,
    });
  }
  const ending = repeats
    ? `planner "${step.id}" proposed the same rejected plan twice`
    : `${counted(attemptsUsed(step), 'plan')} of planner "${step.id}" ${attemptsUsed(step) === 1 ? 'was' : 'were'} rejected`;
  const why = failure('PLAN_INVALID', `${ending}: ${firstIssueText(errors, reply)}`, {
    hint: errors.every(isTooLarge)
      ? `raise max_fragment_steps, or plan fewer steps; all issues: reconverge why ${batch.state.id} ${step.id}`
      : errors[0]?.hint,
    retry: 'never',
    issues,
  });
  failPlanning(batch, step, { why, bill });
}

/** Handles a plan that only a limit forbids: asks a person if the template says so, else ends the planning step. */
function stopAtLimit(
  batch: Batch,
  step: Step,
  { met, asked }: BudgetShortage,
  errors: readonly Issue[],
  { reply, bill }: ReplyAndBill,
): void {
  if (askForBudget(batch, step, met, bill, asked)) return;
  const { code } = exhaustionFailure(met);
  const ordered = errors.toSorted((a, b) => Number(b.code === code) - Number(a.code === code));
  const why = exhaustionFailure(met, firstIssueText(ordered, reply), `raise ${met.key}${enough(met, asked)}`);
  failPlanning(batch, step, { why: { ...why, issues: errors }, bill, stop: { ...met, ...defined({ asked }) } });
}

/** ` to 7`: the least limit that the plan fits. */
function enough({ resource, spent, reserved, landing }: Exhaustion, asked: number | undefined): string {
  if (asked === undefined) return '';
  return ` to ${limitText(resource, spent + reserved + landing + asked)}`;
}

function isTooLarge({ code }: Issue): boolean {
  return code === 'FRAGMENT_TOO_MANY_STEPS';
}

function isByPerson({ code }: Issue): boolean {
  return code === 'PLAN_REJECTED';
}

function firstIssueText([first, ...others]: readonly Issue[], reply: Json): string {
  const more = others.length === 0 ? '' : `; and ${others.length} more`;
  return `${first === undefined ? 'see its issues' : shortIssueText(first, reply)}${more}`;
}

/** Issues about the plan as a whole need no path. */
function shortIssueText(found: Issue, reply: Json): string {
  return wholePlan.has(found.code) ? found.message : issueText(found, reply);
}

const wholePlan: ReadonlySet<string> = new Set(['BUDGET_EXCEEDED', 'FRAGMENT_TOO_MANY_STEPS']);
