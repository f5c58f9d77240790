// Resolves a step with a given result: a person orders it, or the run was started with the result.
import type { Failure } from '../../base/failure.ts';
import { type Issue, issue } from '../../base/issue.ts';
import type { Json } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { bad, good, type Result } from '../../base/result.ts';
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
  if (step === undefined) return bad(missingStep(state, command.step));
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

/** Completes the phrase `step "x" …`. */
export interface RefusalReason {
  readonly is: string;
  readonly hint?: string;
}

function whyNotResolvable(state: RunState, step: Step): RefusalReason | undefined {
  if (isTerminal(step)) return { is: `has ended (${step.status})` };
  if (step.spec.type === 'planning')
    return { is: 'is a planning step, which takes no result from outside', hint: 'ask its planner again: retry-step' };
  const items = (step.expanded ?? []).filter((id) => !isTerminal(stepOf(state, id)));
  if (items.length > 0)
    return { is: 'collects the results of its items', hint: `resolve these instead: ${items.join(', ')}` };
  const planners = [...state.steps.values()].filter(({ target }) => target === step.id);
  const open = planners.filter((planner) => !isTerminal(planner)).map(({ id }) => id);
  if (open.length === 0) return undefined;
  return { is: `is the convergence target of ${open.join(', ')}`, hint: 'wait until they have planned' };
}

export function missingStep({ id, steps }: RunState, named: string): Issue {
  const hint = didYouMean(named, steps.keys()) ?? `see its steps: reconverge show ${id}`;
  return issue('STEP_MISSING', `run ${id} has no step "${named}"`, { hint });
}
