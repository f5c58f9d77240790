// Orders about one step: retry it, or resolve it with a given result.
import type { Failure } from '../../base/failure.ts';
import { type Issue, issue } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { predecessors } from '../../graph/plan-graph.ts';
import type { CommandOf } from '../record/command.ts';
import { abortAttempt } from '../state/abort-attempt.ts';
import { authorOf, type Batch, emit, paid, store } from '../state/batch.ts';
import { isTerminal, type RunState, type Step, stepOf } from '../state/state.ts';
import { checkResult } from '../values/check-result.ts';
import { closeBranches, readChoice } from '../values/decision-choice.ts';

/** Issues: STEP_MISSING, STEP_NOT_RESOLVABLE, and those of a result that breaks its contract. */
export function resolveStep(batch: Batch, command: CommandOf<'resolve-step'>): Issue | undefined {
  const judged = judgeResolve(batch.state, command);
  if (!judged.ok) return judged.error;
  const { step, value, text, branches } = judged.value;
  abortAttempt(batch, step, 'resolved');
  emit(batch, 0, {
    type: 'step.resolved',
    step: step.id,
    value: store(batch, value, text),
    ...paid(step.reserved ?? {}),
    ...authorOf(command),
  });
  if (branches !== undefined) closeBranches(batch, step, branches);
  return undefined;
}

export function refuseResolve(state: RunState, command: CommandOf<'resolve-step'>): Issue | undefined {
  const judged = judgeResolve(state, command);
  return judged.ok ? undefined : judged.error;
}

interface JudgedResolve {
  readonly step: Step;
  readonly value: Json;
  readonly text: string;
  /** The branches that a decision step chooses. */
  readonly branches?: Parameters<typeof closeBranches>[2];
}

/** Only reads. */
function judgeResolve(state: RunState, command: CommandOf<'resolve-step'>): Result<JudgedResolve, Issue> {
  const step = state.steps.get(command.step);
  if (step === undefined) return bad(missing(state, command.step));
  const reason = whyNotResolvable(state, step);
  if (reason !== undefined)
    return bad(issue('STEP_NOT_RESOLVABLE', `"${step.id}" ${reason.is}`, { hint: reason.hint }));
  const checked = checkResult(state, step, command.value);
  if (!checked.ok) return bad(refusedFor(step, checked.error.failure));
  const { value, text } = checked.value;
  const choice = step.spec.type === 'decision' ? readChoice(step, value) : undefined;
  if (choice === undefined) return good({ step, value, text });
  if (!choice.ok) return bad(refusedFor(step, choice.error));
  return good({ step, value, text, branches: choice.value });
}

function refusedFor({ id }: Step, { code, message }: Failure): Issue {
  return issue(code, `"${id}": ${message}`);
}

/** Issues: STEP_MISSING, STEP_NOT_RETRYABLE. */
export function retryStep(batch: Batch, command: CommandOf<'retry-step'>): Issue | undefined {
  const refused = refuseRetry(batch.state, command);
  if (refused !== undefined) return refused;
  const step = stepOf(batch.state, command.step);
  abortAttempt(batch, step, 'retried');
  emit(batch, 0, { type: 'step.retried', step: step.id, ...paid(step.reserved ?? {}), ...authorOf(command) });
  return undefined;
}

export function refuseRetry(state: RunState, command: CommandOf<'retry-step'>): Issue | undefined {
  const step = state.steps.get(command.step);
  if (step === undefined) return missing(state, command.step);
  const reason = whyNotRetryable(state, step);
  return reason && issue('STEP_NOT_RETRYABLE', `"${step.id}" ${reason.is}`, { hint: reason.hint });
}

interface Reason {
  readonly is: string;
  readonly hint?: string;
}

function whyNotResolvable(state: RunState, step: Step): Reason | undefined {
  if (isTerminal(step)) return { is: `has ended (${step.status})` };
  if (step.spec.type === 'planning')
    return { is: 'plans, and a plan is no result', hint: 'have it asked again: retry-step' };
  const items = (step.expanded ?? []).filter((id) => !isTerminal(stepOf(state, id)));
  if (items.length > 0)
    return { is: 'gathers what its items bring', hint: `resolve these instead: ${items.join(', ')}` };
  const planners = [...state.steps.values()].filter(({ target }) => target === step.id);
  const open = planners.filter((planner) => !isTerminal(planner)).map(({ id }) => id);
  if (open.length === 0) return undefined;
  return { is: `is where the plans of ${open.join(', ')} come together`, hint: 'wait until they have planned' };
}

function whyNotRetryable(state: RunState, step: Step): Reason | undefined {
  if (isTerminal(step)) return { is: `has ended (${step.status})` };
  if (state.failedFast !== undefined)
    return { is: 'cannot begin again: a step has failed, and the run stops at the first failure' };
  if (step.status === 'ready') return { is: 'is about to begin' };
  if (step.status !== 'waiting') return undefined;
  const before = (step.expanded ?? predecessors(state.graph, step.id)).filter((id) => !isTerminal(stepOf(state, id)));
  return { is: `has not begun: it waits for ${before.join(', ')}` };
}

function missing({ id, steps }: RunState, named: string): Issue {
  const hint = didYouMean(named, steps.keys()) ?? `see its steps: reconverge show ${id}`;
  return issue('STEP_MISSING', `run ${id} has no step "${named}"`, { hint });
}
