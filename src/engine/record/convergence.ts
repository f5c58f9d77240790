// Convergence: how the branches that end at a step are counted, and whether its policy is met.
import type { ConvergenceSpec } from '../../template/step-spec.ts';
import type { Convergence, FailedFeeder, Tally, ToleratedStep } from './convergence.schema.ts';

/** How a feeder of a convergence step ended. */
export interface BranchEnd {
  readonly step: string;
  /** The planning step whose fragment brought it; absent for authored steps. */
  readonly phase?: string;
  /** `converged`: it was cut off because the target needed it no more. `dropped`: it is not expected. */
  readonly end: 'succeeded' | 'tolerated' | 'converged' | 'dropped' | 'failed';
  /** For a failure: the step that failed first, not the one skipped behind it. */
  readonly root?: string;
  readonly code?: string;
  readonly message?: string;
  readonly reason?: string;
}

export interface ConvergenceJudgement {
  readonly satisfied: boolean;
  readonly convergence: Convergence;
}

/** The record as steps and templates read it: journals of earlier versions do not say what was tolerated. */
export function convergenceRecord(convergence: Convergence): Required<Convergence> {
  return { ...convergence, tolerated: convergence.tolerated ?? [] };
}

/** Feeders of authored steps are counted under this name. */
export const FRAME = 'frame';

/**
 * Judges a target once, when every feeder has ended. `forced`: a branch ended for the budget, so `onExhaustion`
 * decides and not the policy.
 * `within`: losses in branches that succeeded; they are told, and do not count for the policy.
 */
export function judgeConvergence(
  spec: ConvergenceSpec,
  feeders: readonly BranchEnd[],
  forced: boolean,
  within: Pick<Convergence, 'failed'> & Required<Pick<Convergence, 'tolerated'>> = { failed: [], tolerated: [] },
): ConvergenceJudgement {
  const counted = feeders.filter((feeder) => feeder.end !== 'dropped');
  const failed = counted.filter((feeder) => feeder.end === 'failed');
  const succeeded = counted.filter((feeder) => feeder.end === 'succeeded').length;
  const met = isMet(spec, counted.length, succeeded, failed.length);
  const satisfied = forced ? spec.onExhaustion !== 'fail' : met;
  const cutShort = forced && failed.length > 0;
  return {
    satisfied,
    convergence: {
      expected: counted.length,
      succeeded,
      failed: [...failed.map(describeFailure), ...within.failed],
      tolerated: [...feeders.filter(({ end }) => end === 'tolerated').map(describeTolerated), ...within.tolerated],
      skipped: feeders.flatMap(({ step, end, reason }) =>
        end === 'dropped' || end === 'converged' ? [{ step, reason: reason ?? end }] : [],
      ),
      partial: succeeded < counted.length || within.failed.length > 0,
      reason: cutShort ? 'budget' : counted.length === 0 ? 'empty' : satisfied ? spec.policy : 'unmet',
      by_phase: tallies(counted),
    },
  };
}

function isMet(spec: ConvergenceSpec, expected: number, succeeded: number, failed: number): boolean {
  if (expected === 0) return true;
  switch (spec.policy) {
    case 'all_success':
      return failed === 0;
    case 'all_settled':
      return true;
    case 'quorum':
      return succeeded >= quorumOf(spec, expected);
  }
}

/** Percentages round up; without `min` more than half must succeed. */
export function quorumOf(spec: ConvergenceSpec, expected: number): number {
  if (spec.min === undefined) return Math.floor(expected / 2) + 1;
  return 'count' in spec.min ? spec.min.count : Math.ceil((expected * spec.min.percent) / 100);
}

function describeFailure(feeder: BranchEnd): FailedFeeder {
  return {
    step: feeder.step,
    root: feeder.root ?? feeder.step,
    code: feeder.code ?? 'STEP_FAILED',
    message: feeder.message ?? 'it did not succeed',
  };
}

function describeTolerated({ step, code = 'STEP_FAILED', message = 'it did not succeed' }: BranchEnd): ToleratedStep {
  return { step, code, message };
}

function tallies(counted: readonly BranchEnd[]): Record<string, Tally> {
  const byPhase = new Map<string, Tally>();
  for (const { phase = FRAME, end } of counted) {
    const { expected, succeeded, failed } = byPhase.get(phase) ?? { expected: 0, succeeded: 0, failed: 0 };
    byPhase.set(phase, {
      expected: expected + 1,
      succeeded: succeeded + (end === 'succeeded' ? 1 : 0),
      failed: failed + (end === 'failed' ? 1 : 0),
    });
  }
  return Object.fromEntries(byPhase);
}
