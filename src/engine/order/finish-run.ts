// Ends a run without live steps: decides its status and its output. A failure is never called a success.
import { type Failure, failure } from '../../base/failure.ts';
import type { Issue } from '../../base/issue.ts';
import { defined, type Json } from '../../base/json.ts';
import { MISSION } from '../../template/mission.ts';
import { endedForBudget } from '../queries/branch-ends.ts';
import { orderOutcomes } from '../queries/order-outcomes.ts';
import type { OrderOutcome } from '../record/run-events.schema.ts';
import { valueIn } from '../record/stored-value.ts';
import { type Batch, emit, store } from '../state/batch.ts';
import { exhaustionFailure, limitMetFor } from '../state/exhaustion.ts';
import { isSatisfying, type RunState, type Step, stepOf } from '../state/state.ts';
import { resolveText, resolveValue } from '../values/resolve-value.ts';

export function finishRun(batch: Batch): Issue | undefined {
  const { state } = batch;
  if (state.live > 0) return undefined;
  const last = state.version;
  const failed = sinksOf(state).filter((sink) => !isSatisfying(sink) && sink.skipped !== 'not_chosen');
  const { output, failure: mapping } = outputOf(batch);
  const orders = ordersOf(batch);
  const isLeftUndone = orders?.some(({ outcome: each }) => each === 'not_done') === true;
  const unplanned = firstWithoutPlan(state);
  const cause = (orders === undefined ? undefined : unplanned) ?? firstFailure(state, failed) ?? unplanned ?? mapping;
  emit(batch, last, {
    type: 'run.ended',
    status: state.status === 'cancelling' ? 'cancelled' : cause !== undefined ? 'failed' : 'completed',
    partial: state.partial || isLeftUndone,
    output: store(batch, output),
    ...defined({ failure: cause, orders }),
  });
  return undefined;
}

/** Undefined for a run that is no mission. */
function ordersOf(batch: Batch): readonly OrderOutcome[] | undefined {
  const { state } = batch;
  const planner = [...state.steps.values()].find(({ spec }) => spec.type === 'planning');
  const goal = planner?.spec.planning?.goal;
  if (state.template.name !== MISSION || planner === undefined || goal === undefined) return undefined;
  const resolved = resolveText(batch, planner, goal);
  return orderOutcomes(state, resolved.ok ? resolved.value : goal);
}

/** The authored steps that no authored step depends on. */
export function sinksOf(state: RunState): Step[] {
  const used = new Set(state.template.steps.flatMap((spec) => spec.dependencies));
  return state.template.steps.filter((spec) => !used.has(spec.name)).map((spec) => stepOf(state, spec.name));
}

function firstFailure(state: RunState, sinks: readonly Step[]): Failure | undefined {
  const [sink] = sinks;
  if (sink === undefined) return undefined;
  const root = stepOf(state, sink.root ?? sink.id);
  const met = root.skipped === 'budget' ? limitMetFor(state, root) : undefined;
  const inner = met === undefined ? root.failure : exhaustionFailure(met);
  return failure(
    inner?.code ?? 'STEP_CANCELLED',
    root === sink
      ? `${sink.id}: ${inner?.message ?? sink.status}`
      : `${sink.id} did not run because ${root.id} ended: ${inner?.message ?? root.skipped ?? root.status}`,
    { retry: 'never' },
  );
}

/**
 * The first planning step that brought no plan: it fails the run, even if its target went on. A repaired planning step
 * counts by its repair, and an exhausted budget has its own status.
 */
function firstWithoutPlan({ steps }: RunState): Failure | undefined {
  for (const step of steps.values()) {
    const { id, spec, status, takenUp, failure: why } = step;
    if (spec.type !== 'planning' || status !== 'failed' || takenUp !== undefined || endedForBudget(step)) continue;
    return failure(why?.code ?? 'STEP_FAILED', `${id}: ${why?.message ?? status}`, { retry: 'never' });
  }
  return undefined;
}

function outputOf(batch: Batch): { output: Json; failure?: Failure } {
  const { state, values } = batch;
  if (state.template.output !== undefined) {
    const resolved = resolveValue(batch, undefined, state.template.output);
    return resolved.ok ? { output: resolved.value } : { output: null, failure: resolved.error };
  }
  const sinks = sinksOf(state).filter((sink) => sink.result !== undefined);
  return {
    output: Object.fromEntries(
      sinks.map((sink) => [sink.id, sink.result === undefined ? null : (valueIn(sink.result, values) ?? null)]),
    ),
  };
}
