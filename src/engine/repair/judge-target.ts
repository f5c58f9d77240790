// Judges a convergence step when every feeder has ended; then the step runs, fails, or is planned again.

import { counted, shareOf } from '../../base/counted.ts';
import { type Failure, failure } from '../../base/failure.ts';
import { defined } from '../../base/json.ts';
import type { ConvergenceSpec } from '../../template/step-spec.ts';
import { branchEndsOf, convergencePolicyOf } from '../queries/branch-ends.ts';
import { lossesOf } from '../queries/branch-losses.ts';
import type { Convergence, FailedFeeder } from '../record/convergence.schema.ts';
import { type BranchEnd, type ConvergenceJudgement, judgeConvergence, quorumOf } from '../record/convergence.ts';
import type { Exhaustion } from '../record/event-parts.schema.ts';
import { type Batch, emit } from '../state/batch.ts';
import { exhaustionFailure, isExhaustion, limitMetFor } from '../state/exhaustion.ts';
import { isTerminal, type RunState, type Step, stepOf } from '../state/state.ts';
import { askForTarget } from './ask-for-repair.ts';
import { withObstacle } from './replan-limits.ts';
import { type FailedPhase, failedPhases, phasesToReplan, replanPhases } from './replan-phase.ts';
import { replanTail } from './replan-tail.ts';
import { giveUp } from './retry-or-fail.ts';

export function judgeTarget(batch: Batch, target: Step, cause: number): void {
  if (isTerminal(target)) return;
  const verdict = judgeBranches(batch.state, target);
  if (replanPhases(batch, cause, phasesToReplan(verdict)) > 0) return;
  const asked = verdict.failed.find(({ obstacle }) => obstacle?.mayAsk === true)?.obstacle;
  if (asked === undefined) return concludeTarget(batch, target, cause, verdict);
  askForTarget(
    batch,
    target,
    cause,
    asked,
    verdict.failed.flatMap(({ failing }) => failing),
  );
}

/** How the branches of a target ended, and the failed phases that may be planned again first. */
export interface TargetVerdict extends ConvergenceJudgement {
  readonly failed: readonly FailedPhase[];
  /** The policy allows no failure, so every failed phase must be planned again. */
  readonly wantsAll: boolean;
}

export function judgeBranches(state: RunState, target: Step): TargetVerdict {
  const spec = convergencePolicyOf(target);
  const feeders = branchEndsOf(state, target);
  const forced = feeders.some(isUnpaid);
  const judgement = judgeConvergence(spec, feeders, forced, lossesOf(state, target));
  const wantsAll = spec.policy === 'all_success' && !judgement.satisfied;
  const failed = forced ? [] : failedPhases(state, target, feeders, judgement.satisfied, wantsAll);
  return { ...judgement, failed, wantsAll };
}

/** Records the judgment; an unsatisfied target fails or is repaired. */
export function concludeTarget(
  batch: Batch,
  target: Step,
  cause: number,
  { satisfied, convergence, failed }: TargetVerdict,
): void {
  const stop = convergence.reason === 'budget' ? limitBehind(batch.state, target) : undefined;
  const forced = defined({ stop });
  emit(batch, cause, { type: 'convergence.judged', step: target.id, satisfied, convergence, ...forced });
  if (satisfied) return;
  const { onFailure } = target.spec;
  const why = unmetBecause(batch.state, target, convergence, failed, stop);
  const failure = onFailure === 'replan' && stop === undefined ? replanTail(batch, target, why, {}) : why;
  if (failure === undefined) return;
  if (target.spec.type === 'planning') giveUp(batch, target, failure, {}, onFailure);
  else emit(batch, batch.state.version, { type: 'step.failed', step: target.id, failure });
}

/** Whether a branch failed because its budget was spent. */
function isUnpaid({ end, code }: BranchEnd): boolean {
  return end === 'failed' && isExhaustion(code);
}

/** The limit that stopped the first branch that failed for its budget. */
function limitBehind(state: RunState, target: Step): Exhaustion | undefined {
  const unpaid = branchEndsOf(state, target).filter(isUnpaid);
  const [first] = unpaid.flatMap(({ step, root = step }) => limitMetFor(state, stepOf(state, root)) ?? []);
  return first ?? [...state.met.values()][0];
}

function unmetBecause(
  state: RunState,
  target: Step,
  convergence: Convergence,
  phases: readonly FailedPhase[],
  stop: Exhaustion | undefined,
): Failure {
  if (stop !== undefined) return exhaustionFailure(stop);
  const { expected, succeeded } = convergence;
  const spec = convergencePolicyOf(target);
  const first = firstOf(state, convergence);
  const told = first === undefined ? '' : `; first failure: ${first.root}, ${first.message}`;
  const needs = `"${target.id}" needs ${neededText(spec, expected)} (${spec.policy}), and ${succeeded} succeeded`;
  const hint = unmetHint(spec, first?.root);
  const why = failure('CONVERGENCE_UNMET', `${needs}${told}`, { hint, retry: 'never' });
  // A phase that allows no repairs needs no explanation; only a used-up limit is named.
  const limited = phases.find(({ replanner }) => replanner.spec.max > 0)?.obstacle;
  return limited === undefined ? why : withObstacle(why, limited);
}

/** `3 of 4 branches`, `all 4 branches` */
function neededText(spec: ConvergenceSpec, expected: number): string {
  if (spec.policy !== 'quorum') return expected === 1 ? 'its branch' : `all ${expected} branches`;
  const needed = quorumOf(spec, expected);
  return needed > expected
    ? `${counted(needed, 'branch', 'branches')} of ${expected}`
    : shareOf(needed, expected, 'branch', 'branches');
}

function unmetHint({ policy }: ConvergenceSpec, failed: string | undefined): string {
  const looser =
    policy === 'quorum' ? 'lower min, or use policy: all_settled' : 'use policy: quorum or policy: all_settled';
  return failed === undefined ? looser : `${looser}, or fix ${failed}`;
}

/** The first failure below nested targets. Each target names only that one, so that messages do not grow with nesting. */
function firstOf(state: RunState, { failed: [first] }: Convergence): FailedFeeder | undefined {
  if (first === undefined) return undefined;
  const behind = stepOf(state, first.root).convergence;
  return first.code === 'CONVERGENCE_UNMET' && behind !== undefined ? firstOf(state, behind.convergence) : first;
}
