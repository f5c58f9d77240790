// The branches that end at a step: their policy, and how each has ended.
import { defined } from '../../base/json.ts';
import { predecessors } from '../../graph/plan-graph.ts';
import type { ConvergenceSpec } from '../../template/step-spec.ts';
import { type BranchEnd, quorumOf } from '../record/convergence.ts';
import { isExhaustion } from '../state/exhaustion.ts';
import { isTerminal, type RunState, type Step, stepOf } from '../state/state.ts';
import { lineageOf } from './lineage.ts';

/** The convergence policy of a step. Without one, a planning step takes any outcome and other targets want all branches. */
export function convergencePolicyOf({ spec }: Step): ConvergenceSpec {
  if (spec.convergence !== undefined) return spec.convergence;
  const policy = spec.type === 'planning' ? 'all_settled' : 'all_success';
  return { policy, early: false, onExhaustion: 'converge' };
}

/** Whether a step was skipped or failed because its budget was spent. */
export function endedForBudget(step: Step): boolean {
  return step.skipped === 'budget' || isExhaustion(step.failure?.code);
}

/** How each predecessor ended. A planning step counts only if it brought no plan. */
export function branchEndsOf(state: RunState, target: Step): BranchEnd[] {
  return predecessors(state.graph, target.id).flatMap((id) => {
    const step = stepOf(state, id);
    if (isCounted(step)) return [endOf(state, step)];
    return state.phases.get(id)?.forced === true ? [unplanned(state, step)] : [];
  });
}

/** Repaired and superseded steps do not count; an adopted result counts once, at the step that adopted it. */
function isCounted({ spec, status, takenUp }: Step): boolean {
  return takenUp === undefined && status !== 'superseded' && (spec.type !== 'planning' || status !== 'completed');
}

function endOf(state: RunState, step: Step): BranchEnd {
  const phase = phaseOf(state, step);
  const about = { step: step.id, ...defined({ phase }) };
  if (step.status === 'completed' || step.status === 'resolved') return { ...about, end: 'succeeded' };
  if (step.skipped === 'tolerated') return { ...about, end: 'tolerated', ...describeEnd(step) };
  if (step.skipped === 'converged') return { ...about, end: 'converged', reason: step.skipped };
  if (step.skipped === 'not_chosen' || step.skipped === 'when_false')
    return { ...about, end: 'dropped', reason: step.skipped };
  const root = stepOf(state, step.root ?? step.id);
  return { ...about, end: 'failed', root: root.id, ...describeEnd(root) };
}

/** The end of a phase without a plan. A spent budget is passed on from target to target this way. */
function unplanned(state: RunState, step: Step): BranchEnd {
  const phase = phaseOf(state, step);
  const message = 'nothing was planned: the budget was spent';
  const about = { step: step.id, ...defined({ phase }) };
  return { ...about, end: 'failed', code: 'BUDGET_EXCEEDED', message };
}

/** The first planning step of the step's lineage: a repaired phase counts as one phase. */
function phaseOf(state: RunState, { provenance, repairs }: Step): string | undefined {
  return provenance === undefined ? repairs?.lineage : lineageOf(stepOf(state, provenance.planner));
}

/** The reason why a step brought no usable result. */
export function describeEnd(root: Step): { code: string; message: string } {
  if (root.failure !== undefined) return { code: root.failure.code, message: root.failure.message };
  if (root.skipped === 'budget') return { code: 'BUDGET_EXCEEDED', message: 'not run: the budget was spent' };
  return { code: 'STEP_CANCELLED', message: 'cancelled' };
}

/** Whether the running branches can no longer change the verdict. A running planner may still add branches. */
export function isDecided(state: RunState, target: Step): boolean {
  const spec = convergencePolicyOf(target);
  const open = predecessors(state.graph, target.id)
    .map((id) => stepOf(state, id))
    .filter((step) => !isTerminal(step));
  const ended = branchEndsOf(state, target).filter(({ step }) => isTerminal(stepOf(state, step)));
  const counted = ended.filter(({ end }) => end !== 'dropped');
  const succeeded = counted.filter(({ end }) => end === 'succeeded').length;
  switch (spec.policy) {
    case 'all_success':
      return counted.some(({ end }) => end === 'failed');
    case 'all_settled':
      return false;
    case 'quorum': {
      const isOpenEnded = open.some((step) => step.spec.type === 'planning');
      if (isOpenEnded && (spec.min === undefined || 'percent' in spec.min)) return false;
      const wanted = quorumOf(spec, counted.length + open.length);
      return succeeded >= wanted || (!isOpenEnded && succeeded + open.length < wanted);
    }
  }
}
