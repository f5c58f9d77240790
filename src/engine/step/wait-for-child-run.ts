// Holds a step whose child run waits for people. Its reservation stays.

import { present } from '../../base/fault.ts';
import { defined } from '../../base/json.ts';
import { openGate } from '../gates/open-gate.ts';
import type { CommandOf } from '../record/command.ts';
import { type Batch, emit } from '../state/batch.ts';
import { childFor, childGateOf, childUnderWay } from '../state/child-run.ts';
import { type Step, stepOf } from '../state/state.ts';
import { handOutAgain } from './hand-out-again.ts';

/** Changes nothing after the attempt has ended. */
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

/** Continues the step: its child run can go on, or has ended. */
export function wake(batch: Batch, step: Step): undefined {
  const { state } = batch;
  if (state.status !== 'running' || childGateOf(state, step) === undefined) return undefined;
  const { id, attempt } = step;
  if (childUnderWay(state, step) !== undefined) emit(batch, step.since, { type: 'attempt.resumed', step: id, attempt });
  else startAnew(batch, step);
  handOutAgain(batch, step);
  return undefined;
}

/** Starts a new child run in a fork: the old one belongs to the original run. */
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
