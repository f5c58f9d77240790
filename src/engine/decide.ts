// Decides a command: returns one batch with the events of the command and the events that follow from them.
import { unreachable } from '../base/fault.ts';
import type { Issue } from '../base/issue.ts';
import { type CountTokens, estimateTokens } from '../context/tokens.ts';
import { warnOfLimits } from './account/budget-warning.ts';
import { gatherEarly } from './attempt/fan-out.ts';
import { resolveStep } from './attempt/resolve-step.ts';
import { answerGate } from './order/answer-gate.ts';
import { attachDriver } from './order/attach-driver.ts';
import { expireDeadlines } from './order/expire-deadlines.ts';
import { failFast } from './order/fail-fast.ts';
import { finishRun } from './order/finish-run.ts';
import { cancel, pause, resume } from './order/pause-and-cancel.ts';
import { raiseBudget } from './order/raise-budget.ts';
import { refuseByStatus } from './order/refuse-order.ts';
import { retryStep } from './order/retry-step.ts';
import { startRun } from './order/start-run.ts';
import type { Command } from './record/command.ts';
import type { Consequence } from './record/consequences.ts';
import type { Effect } from './record/effect.ts';
import type { Recorded } from './record/event.schema.ts';
import type { Blob, LoadedValues } from './record/stored-value.ts';
import { convergeEarly } from './repair/converge-early.ts';
import { cutSpentAccount } from './repair/cut-spent-account.ts';
import { judgeTarget } from './repair/judge-target.ts';
import { type Batch, emit, newBatch } from './state/batch.ts';
import { isTerminal, type RunState, stepOf } from './state/state.ts';
import { settle } from './step/settle-attempt.ts';
import { callForPlanner } from './step/settle-call.ts';
import { startStep } from './step/start-step.ts';
import { takeBack } from './step/take-back.ts';
import { suspend, wake } from './step/wait-for-child-run.ts';

export interface Decision {
  /** One batch, appended whole or not at all. Empty if the command came too late. */
  readonly events: readonly Recorded[];
  readonly blobs: readonly Blob[];
  /** To be performed once the events are durable. */
  readonly effects: readonly Effect[];
  /** The reason why an order was refused; the run is unchanged. */
  readonly refused?: Issue;
}

/**
 * Advances `state`, which is the caller's working copy. If the append is refused, the caller drops the copy, folds the
 * journal and decides again. `values` holds the blobs that `valuesToLoad` listed. Counted tokens are recorded in events, so
 * another process with another tokenizer may take the run over. `stopwatch` is a last guard for `compute` steps alone:
 * their outcome is recorded.
 */
export function decide(
  state: RunState,
  command: Command,
  values: LoadedValues,
  countTokens: CountTokens = estimateTokens,
  stopwatch?: () => number,
): Decision {
  const batch = newBatch(state, command, values, countTokens, stopwatch);
  const refused = refuseByStatus(state, command) ?? obey(batch, command);
  if (refused !== undefined) return { events: [], blobs: [], effects: [], refused };
  for (let next = state.consequences.shift(); next !== undefined; next = state.consequences.shift())
    follow(batch, next);
  failFast(batch);
  warnOfLimits(batch);
  const { events, blobs, effects } = batch;
  return { events, blobs, effects: effects.length === 0 ? effects : effects.filter((each) => isStillDue(state, each)) };
}

/** Whether a step still runs at the end of the batch. */
function isStillDue(state: RunState, effect: Effect): boolean {
  return effect.type === 'abort' || state.running.has(effect.step);
}

function obey(batch: Batch, command: Command): Issue | undefined {
  switch (command.type) {
    case 'start-run':
      return startRun(batch, command);
    case 'attach':
      return attachDriver(batch, command);
    case 'start-step':
      return startStep(batch, command.step);
    case 'settle':
      return settle(batch, command);
    case 'call':
      return callForPlanner(batch, command);
    case 'take-back':
      return takeBack(batch, command);
    case 'suspend':
      return suspend(batch, command);
    case 'wake':
      return wake(batch, stepOf(batch.state, command.step));
    case 'expire':
      return expireDeadlines(batch);
    case 'finish':
      return finishRun(batch);
    case 'pause':
      return pause(batch, command);
    case 'resume':
      return resume(batch, command);
    case 'cancel':
      return cancel(batch, command, 0, command.spent);
    case 'review':
      return answerGate(batch, command);
    case 'resolve-step':
      return resolveStep(batch, command);
    case 'retry-step':
      return retryStep(batch, command);
    case 'raise-budget':
      return raiseBudget(batch, command);
    default:
      return unreachable(command);
  }
}

/** Adds the events that follow for other steps. */
function follow(batch: Batch, consequence: Consequence): void {
  const { state } = batch;
  switch (consequence.type) {
    case 'skip': {
      const { step, reason, root, cause } = consequence;
      if (!isTerminal(stepOf(state, step))) emit(batch, cause, { type: 'step.skipped', step, reason, root });
      return;
    }
    case 'judge':
      return judgeTarget(batch, stepOf(state, consequence.step), consequence.cause);
    case 'converge-early':
      return convergeEarly(batch, stepOf(state, consequence.step), consequence.cause);
    case 'cut':
      return cutSpentAccount(batch, consequence.account, consequence.cause);
    case 'gather-early':
      return gatherEarly(batch, stepOf(state, consequence.step), consequence.cause);
    case 'halt':
      return failFast(batch);
    default:
      return unreachable(consequence);
  }
}
