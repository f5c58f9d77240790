// A run that a step has started waits for people: the step is held until it can go on, and what is set aside for it stays so.

import { present } from '../../base/fault.ts';
import { defined } from '../../base/json.ts';
import { openGate } from '../account/open-gate.ts';
import type { CommandOf } from '../record/command.ts';
import { type Batch, emit } from '../state/batch.ts';
import { childFor, childGateOf, childUnderWay } from '../state/child-run.ts';
import { type Step, stepOf } from '../state/state.ts';
import { handOutAgain } from './hand-out-again.ts';

/** Changes nothing when it comes after the attempt has ended. */
export function suspend(batch: Batch, command: CommandOf<'suspend'>): undefined {
  const step = stepOf(batch.state, command.step);
  const { status, attempt, delivery } = step;
  if (status !== 'running' || attempt !== command.attempt || delivery !== command.delivery) return undefined;
  const { run, standing, asks } = command;
  const until = Math.min(...asks.map((gate) => gate.until ?? Number.POSITIVE_INFINITY));
  openGate(batch, step, step.since, {
    kind: 'child',
    prompt: `the run ${run} that it has started ${standing === 'paused' ? 'is paused' : 'waits for people'}`,
    child: { run, asks },
    ...(Number.isFinite(until) ? { expiresIn: Math.max(0, until - batch.at) } : {}),
  });
  return undefined;
}

/** The run that it waits for can go on, or has ended. */
export function wake(batch: Batch, step: Step): undefined {
  const { state } = batch;
  if (state.status !== 'running' || childGateOf(state, step) === undefined) return undefined;
  const { id, attempt } = step;
  if (childUnderWay(state, step) !== undefined) emit(batch, step.since, { type: 'attempt.resumed', step: id, attempt });
  else startAnew(batch, step);
  handOutAgain(batch, step);
  return undefined;
}

/** Of a fork: the run that it waited for belongs to another, and this one starts its own. */
function startAnew(batch: Batch, step: Step): void {
  const { id, attempt, delivery, reserved, inputDigest, key, spec, calls } = step;
  const isCall = calls.length > 0;
  emit(batch, step.since, {
    type: 'attempt.started',
    step: id,
    attempt,
    delivery: delivery + 1,
    ...defined({ reserved: isCall || reserved === undefined ? undefined : reserved, input: inputDigest, key }),
    ...(isCall ? {} : childFor(batch.state, step, present(spec.capability, `capability of ${id}`), attempt)),
  });
}
