// The branches that end at a step: by which policy they are counted, and how each has ended.
import { defined } from '../../base/json.ts';
import { predecessors } from '../../graph/plan-graph.ts';
import type { ConvergenceSpec } from '../../template/step-spec.ts';
import { type FeederEnd, quorumOf } from '../record/convergence.ts';
import { isExhaustion } from '../state/exhaustion.ts';
import { isTerminal, type RunState, type Step, stepOf } from '../state/state.ts';
import { lineageOf } from './lineage.ts';

/** A planning step plans with what there is; any other target wants all of it, unless its author says otherwise. */
export function policyOf({ spec }: Step): ConvergenceSpec {
  if (spec.convergence !== undefined) return spec.convergence;
  const policy = spec.type === 'planning' ? 'all_settled' : 'all_success';
  return { policy, early: false, onExhaustion: 'converge' };
}

/** Whether a step came to nothing because there was nothing to pay it with. */
export function isForBudget(step: Step): boolean {
  return step.skipped === 'budget' || isExhaustion(step.failure?.code);
}

/** How each predecessor ended. A planning step counts only when it did not bring its phase, or could bring nothing. */
export function feedersOf(state: RunState, target: Step): FeederEnd[] {
  return predecessors(state.graph, target.id).flatMap((id) => {
    const step = stepOf(state, id);
    if (isCounted(step)) return [endOf(state, step)];
    return state.phases.get(id)?.forced === true ? [unplanned(state, step)] : [];
  });
}

/** What a repair has taken up or taken the place of is not; what was adopted counts once, where it was adopted. */
function isCounted({ spec, status, takenUp }: Step): boolean {
  return takenUp === undefined && status !== 'superseded' && (spec.type !== 'planning' || status !== 'completed');
}

function endOf(state: RunState, step: Step): FeederEnd {
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

/** So the force of a spent budget passes on from target to target. */
function unplanned(state: RunState, step: Step): FeederEnd {
  const phase = phaseOf(state, step);
  const message = 'nothing was planned: the budget was spent';
  const about = { step: step.id, ...defined({ phase }) };
  return { ...about, end: 'failed', code: 'BUDGET_EXCEEDED', message };
}

/** By the first planning step of its lineage: a repaired phase is still one. */
function phaseOf(state: RunState, { provenance, repairs }: Step): string | undefined {
  return provenance === undefined ? repairs?.lineage : lineageOf(stepOf(state, provenance.planner));
}

/** Why a step that is not satisfying came to nothing. */
export function describeEnd(root: Step): { code: string; message: string } {
  if (root.failure !== undefined) return { code: root.failure.code, message: root.failure.message };
  if (root.skipped === 'budget') return { code: 'BUDGET_EXCEEDED', message: 'not run: the budget was spent' };
  return { code: 'STEP_CANCELLED', message: 'cancelled' };
}

/** Whether no end of the branches that still run could change the verdict. A planner among them may bring any number more. */
export function isDecided(state: RunState, target: Step): boolean {
  const spec = policyOf(target);
  const open = predecessors(state.graph, target.id)
    .map((id) => stepOf(state, id))
    .filter((step) => !isTerminal(step));
  const ended = feedersOf(state, target).filter(({ step }) => isTerminal(stepOf(state, step)));
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
