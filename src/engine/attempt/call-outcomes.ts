// Loads the outcomes of an attempt's calls for the work that made the calls.

import { present } from '../../base/fault.ts';
import type { Json } from '../../base/json.ts';
import { bad, good } from '../../base/result.ts';
import { type CallOutcome, isToCriticise, isToSumUp } from '../record/call.ts';
import type { StoredValue } from '../record/event-parts.schema.ts';
import { valueIn } from '../record/stored-value.ts';
import type { Batch } from '../state/batch.ts';
import type { Step } from '../state/state.ts';

/**
 * The outcomes of calls in order, up to the first call without one. A packet holds the summaries already, and critiques
 * follow the plan.
 */
export function outcomesForWork(batch: Pick<Batch, 'values' | 'blobs'>, { calls }: Step): readonly CallOutcome[] {
  const own = calls.filter((call) => !isToSumUp(call) && !isToCriticise(call));
  const first = own.findIndex(({ outcome }) => outcome === undefined);
  return outcomesOf(batch, first < 0 ? own : own.slice(0, first));
}

export function summaryCalls({ calls }: Step): Step['calls'] {
  return calls.filter(isToSumUp);
}

export function outcomesOf(batch: Pick<Batch, 'values' | 'blobs'>, calls: Step['calls']): readonly CallOutcome[] {
  return calls.flatMap(({ outcome }): readonly CallOutcome[] => {
    if (outcome === undefined) return [];
    if ('failure' in outcome) return [bad(outcome.failure)];
    return [good(loadedOf(batch, outcome.value))];
  });
}

/** The stored values that `outcomesForWork` reads. */
export function storedOutcomes({ calls }: Step): readonly StoredValue[] {
  return storedResults(calls);
}

/** The results of calls. */
export function storedResults(calls: Step['calls']): readonly StoredValue[] {
  return calls.flatMap(({ outcome }) => (outcome !== undefined && 'value' in outcome ? [outcome.value] : []));
}

/** The value of a stored result. A result of this batch is not loaded yet, and is read from its blobs. */
function loadedOf({ values, blobs }: Pick<Batch, 'values' | 'blobs'>, kept: StoredValue): Json {
  const value = valueIn(kept, values);
  if (value !== undefined || 'value' in kept) return value ?? null;
  const { text } = present(
    blobs.find(({ digest }) => digest === kept.digest),
    `blob ${kept.digest}`,
  );
  return JSON.parse(text) as Json;
}
