// Changes the status of a step, and updates the steps that depend on it.
import { failure } from '../../base/failure.ts';
import { type Amount, nothing } from '../../budget/amount.ts';
import { charge, countPending, release } from '../../budget/ledger.ts';
import { forEachSuccessor } from '../../graph/plan-graph.ts';
import { leaveGate } from './gates.ts';
import { runsWithout } from './joined-branches.ts';
import { isSatisfying, isTerminal, RUN_ACCOUNT, type RunState, type Step, type StepStatus, stepOf } from './state.ts';
import { countedStatus } from './step-tally.ts';

/** Releases what was set aside for an attempt and charges what it used. */
export function settle(state: RunState, step: Step, bill: Amount = nothing): void {
  if (step.reserved !== undefined) release(state.ledger, step.account, step.reserved);
  step.reserved = undefined;
  charge(state.ledger, step.account, bill);
}

export function setStatus(state: RunState, step: Step, status: StepStatus): void {
  leaveGate(state, step);
  setOf(state, step.status)?.delete(step.id);
  const counted = counts(state, step.status);
  const counting = counts(state, status);
  if (counting !== counted) countPending(state.ledger, step.account, counting ? 1 : -1, state.at);
  state.tally[step.status] -= 1;
  step.status = status;
  state.tally[countedStatus(step)] += 1;
  step.since = state.version;
  setOf(state, status)?.add(step.id);
}

/** Attempts count as time, and so do backoffs while the run is not paused. */
function counts(state: RunState, status: StepStatus): boolean {
  return status === 'running' || (status === 'retrying' && state.status !== 'paused');
}

/** Changes the status of the run. Backoffs stop counting as time while the run is paused. */
export function setRunStatus(state: RunState, status: RunState['status']): void {
  const counted = counts(state, 'retrying');
  state.status = status;
  const counting = counts(state, 'retrying');
  if (counting === counted) return;
  for (const id of state.retrying) countPending(state.ledger, stepOf(state, id).account, counting ? 1 : -1, state.at);
}

export function endStep(state: RunState, step: Step, status: StepStatus): void {
  const unused = unusedBy(state, step);
  setStatus(state, step, status);
  state.live -= 1;
  if (unused !== undefined) release(state.ledger, accountAbove(state, step), unused);
  const satisfying = isSatisfying(step) || status === 'superseded';
  forEachSuccessor(state.graph, step.id, (next) => predecessorEnded(state, next, step, satisfying));
}

/** The reservation of a step for a phase that it did not plan, or for items that it did not expand. */
function unusedBy(state: RunState, { id, spec, repairs, expanded }: Step): Amount | undefined {
  if (spec.type === 'planning' && repairs === undefined && !state.phases.has(id)) return { phases: 1 };
  return spec.fanOut !== undefined && expanded === undefined ? { steps: spec.fanOut.maxWidth } : undefined;
}

/** Call this when a step waits for no predecessor: it becomes ready, or its convergence is judged first. */
export function makeReady(state: RunState, step: Step): void {
  const { repairs } = step;
  if (repairs !== undefined) {
    step.retryAt = repairs.readyAt;
    setStatus(state, step, repairs.readyAt > state.at ? 'retrying' : 'ready');
  } else if (step.converges) state.consequences.push({ type: 'judge', step: step.id, cause: state.version });
  else setStatus(state, step, 'ready');
}

/** Lets a held or interrupted step begin; its convergence is judged first. */
export function makeReadyAgain(state: RunState, step: Step): void {
  if (!step.converges || step.repairs !== undefined || step.convergence?.satisfied === true)
    return setStatus(state, step, 'ready');
  setStatus(state, step, 'waiting');
  makeReady(state, step);
}

/** The set of all steps with a status; undefined for statuses that no driver looks for. */
function setOf(state: RunState, status: StepStatus): Set<string> | undefined {
  switch (status) {
    case 'ready':
      return state.ready;
    case 'retrying':
      return state.retrying;
    case 'running':
      return state.running;
    default:
      return undefined;
  }
}

/** Updates a step after one of its predecessors has ended. */
function predecessorEnded(state: RunState, successor: Step, from: Step, satisfying: boolean): void {
  if (isTerminal(successor)) return;
  successor.waiting -= 1;
  if (successor.expanded !== undefined) return itemEnded(state, successor, satisfying);
  if (!satisfying && !successor.converges && !isDropped(state, successor, from)) {
    const reason = from.skipped === 'not_chosen' ? 'not_chosen' : 'upstream';
    state.consequences.push({
      type: 'skip',
      step: successor.id,
      reason,
      root: from.root ?? from.id,
      cause: state.version,
    });
  } else if (successor.waiting === 0) {
    makeReady(state, successor);
  } else if (successor.spec.convergence?.early === true && successor.repairs === undefined) {
    state.consequences.push({ type: 'converge-early', step: successor.id, cause: state.version });
  }
}

/** Whether the successor runs without this step, because the decision chose another branch that it waits for too. */
function isDropped(state: RunState, successor: Step, { skipped, root }: Step): boolean {
  return skipped === 'not_chosen' && root !== undefined && runsWithout(state, successor, root);
}

/** Updates a fan-out after one of its items has ended. After the last item it is ready again, to gather the results. */
function itemEnded(state: RunState, fanOut: Step, satisfying: boolean): void {
  if (fanOut.waiting === 0) setStatus(state, fanOut, 'ready');
  if (!satisfying && fanOut.spec.fanOut?.failureStrategy === 'fail_fast') {
    state.consequences.push({ type: 'gather-early', step: fanOut.id, cause: state.version });
  }
}

/** The account that was charged for the existence of a step: its planner's, not the account that its own budget opens. */
export function accountAbove(state: RunState, step: Step): string {
  return step.provenance === undefined ? RUN_ACCOUNT : stepOf(state, step.provenance.planner).account;
}

/** The effects of the attempt are unknown, and it does not count against the retry policy. */
export function breakOff(step: Step, why: string): void {
  step.failure = failure('STEP_ABORTED', why);
  step.uncounted += 1;
}
