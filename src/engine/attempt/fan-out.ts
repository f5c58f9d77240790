// A fan-out: one step for each item of a list, and the list of their results.
import { failure } from '../../base/failure.ts';
import { Fault, present } from '../../base/fault.ts';
import { defined, type Json } from '../../base/json.ts';
import type { FanOutSpec } from '../../template/step-spec.ts';
import { boundsOf } from '../packet/frame-of.ts';
import { describeEnd, endedForBudget } from '../queries/branch-ends.ts';
import { hasFailed } from '../queries/branch-losses.ts';
import { slicesOf } from '../record/fan-out-slices.ts';
import { type LoadedValues, valueIn } from '../record/stored-value.ts';
import { skipNeedless } from '../repair/converge-early.ts';
import { type Batch, emit, store } from '../state/batch.ts';
import { isSatisfying, isTerminal, type RunState, type Step, stepOf } from '../state/state.ts';
import { resolveValue } from '../values/resolve-value.ts';
import { completeStep, failWithoutRetry } from './complete-step.ts';

/** A fan-out begins twice: first it creates its steps; when all have ended, it gathers their results. */
export function startFanOut(batch: Batch, step: Step): void {
  if (step.expanded === undefined) expand(batch, step);
  else gather(batch, step);
}

function expand(batch: Batch, step: Step): void {
  const fanOut = fanOutOf(step);
  const list = resolveValue(batch, step, fanOut.forEach);
  if (!list.ok) return failWithoutRetry(batch, step, list.error);
  const slices = slicesOf(list.value, fanOut, step.provenance === undefined ? undefined : boundsOf(batch.state, step));
  if (!slices.ok) return failWithoutRetry(batch, step, slices.error);
  const items = slices.value.map((item) => store(batch, item));
  emit(batch, step.since, { type: 'fan_out.expanded', step: step.id, items });
  if (items.length === 0) gather(batch, step);
}

/** Gathers the results in the order of the items. A fan-out that was cut short keeps the results that it has. */
function gather(batch: Batch, step: Step): void {
  const { state, values } = batch;
  const items = itemsOf(state, step);
  const isCut = items.some(endedForBudget);
  const list = fanOutOf(step).failureStrategy === 'fail_fast' ? plain(items, isCut, values) : told(items, values);
  const partial = items.some(hasFailed) || undefined;
  if (!isCut) return completeStep(batch, step, null, list, {}, 0, { partial });
  const value = store(batch, list);
  emit(batch, step.since, { type: 'step.skipped', step: step.id, reason: 'budget', value });
}

/** Ends the fan-out and its other items at the first failed item. An item that cannot be paid for has not failed. */
export function gatherEarly(batch: Batch, step: Step, cause: number): void {
  const { state } = batch;
  if (isTerminal(step)) return;
  const items = itemsOf(state, step);
  const failed = items.find(({ status }) => status === 'failed');
  if (failed?.failure === undefined) return;
  const open = items.filter((item) => !isTerminal(item));
  skipNeedless(batch, open, failed.id, cause);
  const { code, message } = failed.failure;
  failWithoutRetry(batch, step, failure(code, `${failed.id}: ${message}`, { cause: failed.failure }));
}

function fanOutOf({ id, spec }: Step): FanOutSpec {
  return present(spec.fanOut, `fan-out of ${id}`);
}

function itemsOf(state: RunState, { id, expanded }: Step): readonly Step[] {
  return present(expanded, `items of ${id}`).map((item) => stepOf(state, item));
}

/** The values of the items. A fan-out that was cut short has only the values of successful items. */
function plain(items: readonly Step[], isCut: boolean, values: LoadedValues): readonly Json[] {
  return (isCut ? items.filter(isSatisfying) : items).map((item) => resultOf(item, values));
}

function told(items: readonly Step[], values: LoadedValues): readonly Json[] {
  return items.map((item): Json => {
    const { status, skipped } = item;
    if (status === 'completed' || status === 'resolved') return { status: 'completed', value: resultOf(item, values) };
    const why = isSatisfying(item) ? item.failure : describeEnd(item);
    return {
      status,
      ...defined({
        reason: skipped,
        failure: why === undefined ? undefined : { code: why.code, message: why.message },
      }),
    };
  });
}

function resultOf({ id, result }: Step, values: LoadedValues): Json {
  if (result === undefined) return null;
  const value = valueIn(result, values);
  if (value === undefined) throw new Fault(`the result of ${id} was not loaded`);
  return value;
}
