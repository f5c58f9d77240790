// The lock gate: a person sees which tools and models differ from the lock file before they are used.
import type { Amount } from '../../budget/amount.ts';
import { differencesShown, differencesText, type LockDifference, lockCommand } from '../../template/lock/difference.ts';
import type { LockFindings } from '../record/command.ts';
import { type Batch, emit, paid, store } from '../state/batch.ts';
import type { Gate, RunState, Step } from '../state/state.ts';
import { openGate } from './open-gate.ts';

/** Holds every step until a person has accepted the differences found when the template was loaded. */
export function isHeldAtStart(batch: Batch, step: Step): boolean {
  const found = newIn(batch.state, batch.state.template.differs ?? []);
  if (found.length === 0) return false;
  holdFor(batch, step, found, {});
  return true;
}

/** Holds a step whose call found an unaccepted difference. Where the template only warns, records the difference. */
export function isHeldForLock(batch: Batch, step: Step, { mode, differences }: LockFindings, bill: Amount): boolean {
  const found = newIn(batch.state, differences);
  if (mode === 'ask') {
    // A person may have accepted the difference while the call was checked; the call was not made, so the person is asked again.
    holdFor(batch, step, found.length === 0 ? differences : found, bill);
    return true;
  }
  if (found.length > 0) {
    emit(batch, step.since, {
      type: 'lock.differed',
      step: step.id,
      message: differencesText(found),
      differences: store(batch, differencesShown(found)),
      keys: found.map(({ key }) => key),
    });
  }
  return false;
}

function newIn({ agreed }: RunState, differences: readonly LockDifference[]): readonly LockDifference[] {
  return differences.filter(({ key }) => !agreed.has(key));
}

/** One question for all steps that wait for the same differences. */
function holdFor(batch: Batch, step: Step, found: readonly LockDifference[], bill: Amount): void {
  const open = openGateFor(batch.state, found);
  if (open !== undefined) {
    emit(batch, step.since, { type: 'step.held', step: step.id, gate: open.id, ...paid(bill) });
    return;
  }
  openGate(batch, step, step.since, {
    kind: 'lock',
    prompt: `${differencesText(found)}. Go on all the same? Approving holds for this run; to accept it for later ones: ${lockCommand('--update', batch.state.template.file)}`,
    context: differencesShown(found),
    accepts: found.map(({ key }) => key),
    bill,
  });
}

function openGateFor({ openGates, gates }: RunState, found: readonly LockDifference[]): Gate | undefined {
  return [...openGates]
    .flatMap((id) => gates.get(id) ?? [])
    .find(({ kind, accepts = [] }) => kind === 'lock' && found.every(({ key }) => accepts.includes(key)));
}
