// Adopts finished work instead of repeating a call: the content of the call decides, not the name of its step.
import { digestOf } from '../../base/digest.ts';
import type { Json } from '../../base/json.ts';
import { plannersAbove } from '../queries/lineage.ts';
import { contentKey } from '../record/content-key.ts';
import type { StoredValue } from '../record/event-parts.schema.ts';
import type { FinishedWork } from '../record/run-events.schema.ts';
import { valueIn } from '../record/stored-value.ts';
import { type Batch, emit } from '../state/batch.ts';
import type { RunState, Step } from '../state/state.ts';
import { verify } from '../values/check-predicate.ts';
import { outputOf } from '../values/check-result.ts';
import { closeBranches, readChoice } from '../values/decision-choice.ts';
import { adoptableWork } from './finished-calls.ts';

/** Returns whether the step got its result without a call. The step that did the work stays charged for it. */
export function adoptFinishedWork(batch: Batch, step: Step, capability: string, input: Json): boolean {
  const { state } = batch;
  if (step.attempt > 0 || !mayAdopt(state, step)) return false;
  const digest = digestOf(input);
  const key = contentKey(capability, digest, outputOf(state, step));
  const found = adoptableWork(state, step, key).find((work) => passes(batch, step, input, work));
  if (found === undefined) return false;
  const { run, step: from, value } = found;
  emit(batch, step.since, {
    type: 'step.adopted',
    step: step.id,
    from,
    ...(run === state.id ? {} : { run }),
    input: digest,
    value,
  });
  if (step.spec.type === 'decision') close(batch, step, value);
  return true;
}

/** The stored values that `adoptFinishedWork` reads. */
export function storedToAdopt(state: RunState, step: Step): readonly StoredValue[] {
  return step.attempt === 0 && isLookedInto(step) && mayAdopt(state, step)
    ? adoptableWork(state, step).map(({ value }) => value)
    : [];
}

function mayAdopt(state: RunState, step: Step): boolean {
  return state.reuse.length > 0 || plannersAbove(state, step).some(({ repairs }) => repairs !== undefined);
}

/** Equal keys mean equal contracts; the predicate of this step may still refuse the value. */
function passes(batch: Batch, step: Step, input: Json, { value: kept }: FinishedWork): boolean {
  if (!isLookedInto(step)) return true;
  const value = valueIn(kept, batch.values);
  if (value === undefined) return false;
  const verdict = verify(batch, step, input, value);
  if (verdict.type === 'failed' || verdict.type === 'error') return false;
  return step.spec.type !== 'decision' || readChoice(step, value).ok;
}

function isLookedInto({ spec }: Step): boolean {
  return spec.verification !== undefined || spec.type === 'decision';
}

function close(batch: Batch, step: Step, kept: StoredValue): void {
  const choice = readChoice(step, valueIn(kept, batch.values) ?? null);
  if (choice.ok) closeBranches(batch, step, choice.value);
}
