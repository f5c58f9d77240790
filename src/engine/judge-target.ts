// Judges a convergence step when every feeder has ended, and lets it fire or fail.
import { failure } from '../base/failure.ts';
import { predecessors } from '../graph/plan-graph.ts';
import type { ConvergenceSpec } from '../template/step-spec.ts';
import { type Batch, emit } from './batch.ts';
import { type Convergence, type FeederEnd, judge } from './convergence.ts';
import { exhaustionText } from './exhaustion.ts';
import { isTerminal, type RunState, type Step, stepOf } from './state.ts';

export function judgeTarget(batch: Batch, target: Step, cause: number): void {
  const { state } = batch;
  if (isTerminal(target)) return;
  const spec = policyOf(target);
  const feeders = feedersOf(state, target);
  const forced = feeders.some((feeder) => isForBudget(stepOf(state, feeder.root ?? feeder.step)));
  const { satisfied, convergence } = judge(spec, feeders, forced);
  emit(batch, cause, { type: 'convergence.judged', step: target.id, satisfied, convergence });
  if (satisfied) return;
  const { expected, succeeded } = convergence;
  emit(batch, state.version, {
    type: 'step.failed',
    step: target.id,
    failure:
      convergence.reason === 'budget' && state.met !== undefined
        ? failure('BUDGET_EXCEEDED', exhaustionText(state.met), { retry: 'never' })
        : failure(
            'CONVERGENCE_UNMET',
            `${succeeded} of ${expected} branches succeeded; the policy is ${spec.policy}${firstOf(convergence)}`,
            {
              retry: 'never',
            },
          ),
  });
}

function firstOf({ failed: [first] }: Convergence): string {
  return first === undefined ? '' : `; ${first.root} failed first: ${first.message}`;
}

/** A planning step plans with what there is; any other target wants all of it, unless its author says otherwise. */
export function policyOf({ spec }: Step): ConvergenceSpec {
  if (spec.convergence !== undefined) return spec.convergence;
  const policy = spec.type === 'planning' ? 'all_settled' : 'all_success';
  return { policy, early: false, onExhaustion: 'converge' };
}

/** Whether a step came to nothing because there was nothing to pay it with. */
export function isForBudget(step: Step): boolean {
  return step.skipped === 'budget' || step.failure?.code === 'BUDGET_EXCEEDED';
}

/** How each predecessor ended. A planning step counts only when it did not bring its phase. */
export function feedersOf(state: RunState, target: Step): FeederEnd[] {
  return predecessors(state.graph, target.id).flatMap((id) => {
    const step = stepOf(state, id);
    return step.spec.type === 'planning' && step.status === 'completed' ? [] : [endOf(state, step)];
  });
}

function endOf(state: RunState, step: Step): FeederEnd {
  const phase = step.provenance?.planner;
  const about = { step: step.id, ...(phase === undefined ? {} : { phase }) };
  if (step.status === 'completed') return { ...about, end: 'succeeded' };
  if (step.skipped === 'tolerated' || step.skipped === 'converged') {
    return { ...about, end: 'tolerated', reason: step.skipped };
  }
  if (step.skipped === 'not_chosen' || step.skipped === 'when_false')
    return { ...about, end: 'dropped', reason: step.skipped };
  const root = stepOf(state, step.root ?? step.id);
  return { ...about, end: 'failed', root: root.id, ...describeEnd(root) };
}

/** Why a step that is not satisfying came to nothing. */
export function describeEnd(root: Step): { code: string; message: string } {
  if (root.failure !== undefined) return { code: root.failure.code, message: root.failure.message };
  if (root.skipped === 'budget') return { code: 'BUDGET_EXCEEDED', message: 'not run: the budget was spent' };
  return { code: 'STEP_CANCELLED', message: 'cancelled' };
}
