// Early convergence: a target that is decided before its last branch ends stops waiting for the other branches.
import { defined } from '../../base/json.ts';
import { predecessors, successors } from '../../graph/plan-graph.ts';
import { isDecided } from '../queries/branch-ends.ts';
import { abortAttempt } from '../state/abort-attempt.ts';
import { type Batch, emit } from '../state/batch.ts';
import { isTerminal, type RunState, type Step, stepOf } from '../state/state.ts';

/** Skips the steps that only this target waits for. The target is then judged as usual, when every feeder has ended. */
export function convergeEarly(batch: Batch, target: Step, cause: number): void {
  const { state } = batch;
  if (isTerminal(target) || target.waiting === 0 || !isDecided(state, target)) return;
  skipNeedless(batch, onlyFor(state, target), target.id, cause);
}

/** Skips live steps that nobody waits for any more. `root`: the step whose end made them needless. */
export function skipNeedless(batch: Batch, steps: readonly Step[], root: string, cause: number): void {
  for (const step of steps) {
    abortAttempt(batch, step, 'converged');
    const bill = defined({ bill: step.reserved });
    emit(batch, cause, { type: 'step.skipped', step: step.id, reason: 'converged', root, ...bill });
  }
}

/** The live steps upstream of the target that no other live step depends on. */
function onlyFor(state: RunState, target: Step): readonly Step[] {
  const upstream = new Map<string, Step>();
  const pending = [target.id];
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    for (const above of predecessors(state.graph, id)) {
      const step = stepOf(state, above);
      if (isTerminal(step) || upstream.has(above)) continue;
      upstream.set(above, step);
      pending.push(above);
    }
  }
  const serves = (id: string): boolean => id === target.id || upstream.has(id) || isTerminal(stepOf(state, id));
  for (let shrinks = true; shrinks; ) {
    const others = [...upstream.keys()].filter((id) => !successors(state.graph, id).every(serves));
    for (const id of others) upstream.delete(id);
    shrinks = others.length > 0;
  }
  return [...upstream.values()];
}
