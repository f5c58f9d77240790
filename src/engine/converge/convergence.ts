// Convergence: how the branches that end at a step are counted, and whether its policy is met.
import type { ConvergenceSpec } from '../../template/step-spec.ts';

/** How a feeder of a convergence step ended. */
export interface FeederEnd {
  readonly step: string;
  /** The planning step whose fragment brought it; absent for authored steps. */
  readonly phase?: string;
  readonly end: 'succeeded' | 'tolerated' | 'dropped' | 'failed';
  /** For a failure: the step that failed first, not the one skipped behind it. */
  readonly root?: string;
  readonly code?: string;
  readonly message?: string;
  readonly reason?: string;
}

interface FailedFeeder {
  readonly step: string;
  readonly root: string;
  readonly code: string;
  readonly message: string;
}

interface Tally {
  readonly expected: number;
  readonly succeeded: number;
  readonly failed: number;
}

/** What a convergence step sees of the branches that ended at it. */
export interface Convergence {
  readonly expected: number;
  readonly succeeded: number;
  readonly failed: readonly FailedFeeder[];
  readonly skipped: readonly { readonly step: string; readonly reason: string }[];
  /** Something that was expected did not succeed. */
  readonly partial: boolean;
  readonly reason: 'empty' | 'all_success' | 'all_settled' | 'quorum' | 'budget' | 'unmet';
  readonly by_phase: Readonly<Record<string, Tally>>;
}

export interface Judgement {
  readonly satisfied: boolean;
  readonly convergence: Convergence;
}

/** Feeders of authored steps are counted under this name. */
export const FRAME = 'frame';

/** Judged once, when every feeder has ended. `forced`: a branch ended for the budget, so `onExhaustion` decides and not the policy. */
export function judge(spec: ConvergenceSpec, feeders: readonly FeederEnd[], forced: boolean): Judgement {
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
      failed: failed.map(describeFailure),
      skipped: feeders.flatMap(({ step, end, reason }) =>
        end === 'dropped' || end === 'tolerated' ? [{ step, reason: reason ?? end }] : [],
      ),
      partial: succeeded < counted.length,
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

function describeFailure(feeder: FeederEnd): FailedFeeder {
  return {
    step: feeder.step,
    root: feeder.root ?? feeder.step,
    code: feeder.code ?? 'STEP_FAILED',
    message: feeder.message ?? 'it did not succeed',
  };
}

function tallies(counted: readonly FeederEnd[]): Record<string, Tally> {
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
