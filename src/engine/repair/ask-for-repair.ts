// Asks a person whether one more repair may follow the last one.
import type { Failure } from '../../base/failure.ts';
import type { Amount } from '../../budget/amount.ts';
import { openGate } from '../gates/open-gate.ts';
import { type Batch, emit, paid } from '../state/batch.ts';
import { isTerminal, type Step, stepOf } from '../state/state.ts';
import type { Obstacle } from './replan-limits.ts';

/** Asks about a failed step. When the person rejects, the step ends with the failure that it keeps. */
export function askForStep(batch: Batch, step: Step, why: Failure, { reason }: Obstacle, bill: Amount): void {
  const { id, attempt, since } = step;
  emit(batch, since, { type: 'attempt.failed', step: id, attempt, failure: why, ...paid(bill), retryAt: batch.at });
  ask(batch, step, batch.state.version, `${id} failed: ${why.message}`, reason, [id]);
}

/** Asks about the phases that failed at a target. */
export function askForTarget(
  batch: Batch,
  target: Step,
  cause: number,
  { reason }: Obstacle,
  failing: readonly string[],
): void {
  const what = failing.length === 1 ? 'a branch' : `${failing.length} branches`;
  ask(batch, target, cause, `${what} of ${target.id} failed`, reason, failing);
}

function ask(batch: Batch, step: Step, cause: number, what: string, reason: string, failing: readonly string[]): void {
  const { state } = batch;
  openGate(batch, step, cause, {
    kind: 'replan',
    prompt: `${what}. It has been repaired as often as it may (${reason}). May it be planned anew once more?`,
    context: {
      failed: failing.map((id) => {
        const each = stepOf(state, id);
        const root = isTerminal(each) && each.root !== undefined ? stepOf(state, each.root) : each;
        const { code = 'STEP_FAILED', message = each.status } = root.failure ?? {};
        return { step: root.id, code, message };
      }),
    },
  });
}
