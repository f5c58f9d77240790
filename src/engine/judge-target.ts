// Judges a convergence step when every feeder has ended, and lets it fire or fail.
import { type Failure, failure } from '../base/failure.ts';
import { predecessors } from '../graph/plan-graph.ts';
import type { ConvergenceSpec } from '../template/step-spec.ts';
import { askForTarget } from './ask-for-repair.ts';
import { type Batch, emit } from './batch.ts';
import { type Convergence, type FeederEnd, type Judgement, judge } from './convergence.ts';
import { exhaustionText } from './exhaustion.ts';
import { lineageOf } from './lineage.ts';
import { replan } from './replan.ts';
import { unmended } from './replan-limits.ts';
import { type FailedPhase, failedPhases, mayPlanAgain, planAgain } from './replan-phase.ts';
import { isTerminal, type RunState, type Step, stepOf } from './state.ts';

export function judgeTarget(batch: Batch, target: Step, cause: number): void {
  if (isTerminal(target)) return;
  const verdict = verdictOn(batch.state, target);
  const again = mayPlanAgain(verdict);
  for (const phase of again) planAgain(batch, cause, phase);
  if (again.length > 0) return;
  const asked = verdict.failed.find(({ obstacle }) => obstacle?.mayAsk === true)?.obstacle;
  if (asked === undefined) return conclude(batch, target, cause, verdict);
  askForTarget(
    batch,
    target,
    cause,
    asked,
    verdict.failed.flatMap(({ failing }) => failing),
  );
}

/** How the branches of a target ended, and the phases that might be planned again before it takes that in. */
export interface TargetVerdict extends Judgement {
  readonly failed: readonly FailedPhase[];
  /** One failure is too many, so that all have to be planned again. */
  readonly wantsAll: boolean;
}

export function verdictOn(state: RunState, target: Step): TargetVerdict {
  const spec = policyOf(target);
  const feeders = feedersOf(state, target);
  const forced = feeders.some(({ code }) => code === 'BUDGET_EXCEEDED');
  const judgement = judge(spec, feeders, forced);
  const wantsAll = spec.policy === 'all_success' && !judgement.satisfied;
  const failed = forced ? [] : failedPhases(state, feeders, judgement.satisfied, wantsAll);
  return { ...judgement, failed, wantsAll };
}

/** Judges a target for good. */
export function conclude(
  batch: Batch,
  target: Step,
  cause: number,
  { satisfied, convergence, failed }: TargetVerdict,
): void {
  emit(batch, cause, { type: 'convergence.judged', step: target.id, satisfied, convergence });
  if (satisfied) return;
  const { onFailure } = target.spec;
  const why = unmetBecause(batch.state, target, convergence, failed);
  const failure = onFailure === 'replan' && convergence.reason !== 'budget' ? replan(batch, target, why, {}) : why;
  if (failure !== undefined) emit(batch, batch.state.version, { type: 'step.failed', step: target.id, failure });
}

function unmetBecause(
  { met }: RunState,
  target: Step,
  convergence: Convergence,
  phases: readonly FailedPhase[],
): Failure {
  if (convergence.reason === 'budget' && met !== undefined) {
    return failure('BUDGET_EXCEEDED', exhaustionText(met), { retry: 'never' });
  }
  const { expected, succeeded } = convergence;
  const message = `${succeeded} of ${expected} branches succeeded; the policy is ${policyOf(target).policy}${firstOf(convergence)}`;
  const why = failure('CONVERGENCE_UNMET', message, { retry: 'never' });
  // That nobody ever meant to plan again need not be said.
  const limited = phases.find(({ replanner }) => replanner.spec.max > 0)?.obstacle;
  return limited === undefined ? why : unmended(why, limited);
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
  const about = { step: step.id, ...(phase === undefined ? {} : { phase }) };
  if (step.status === 'completed' || step.status === 'resolved') return { ...about, end: 'succeeded' };
  if (step.skipped === 'tolerated' || step.skipped === 'converged') {
    return { ...about, end: 'tolerated', reason: step.skipped };
  }
  if (step.skipped === 'not_chosen' || step.skipped === 'when_false')
    return { ...about, end: 'dropped', reason: step.skipped };
  const root = stepOf(state, step.root ?? step.id);
  return { ...about, end: 'failed', root: root.id, ...describeEnd(root) };
}

/** So the force of a spent budget passes on from target to target. */
function unplanned(state: RunState, step: Step): FeederEnd {
  const phase = phaseOf(state, step);
  const message = 'nothing was planned: the budget was spent';
  const about = { step: step.id, ...(phase === undefined ? {} : { phase }) };
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
