// The verdict of a review, and the input of its checks.
import type { Issue } from '../../base/issue.ts';
import type { Amount } from '../../budget/amount.ts';
import type { Scope } from '../../template/scope.ts';
import type { Fragment } from '../fragment.ts';
import type { Frame } from '../frame.ts';
import type { Wiring } from '../wiring.ts';

export interface Verdict {
  /** True when no issue is an error. */
  readonly accepted: boolean;
  readonly issues: readonly Issue[];
  /** The fragment's worst-case cost. */
  readonly estimate: Amount;
  /** Absent when the critic is off, and for a refused plan. */
  readonly critique?: Critique;
}

/** The quality of a valid plan. */
export interface Critique {
  /** A score from 1 (worst) to 10. */
  readonly score: number;
  /** Critical findings have severity `error`. */
  readonly findings: readonly Issue[];
  /** The distinct hints of the findings. */
  readonly recommendations: readonly string[];
}

/** A fragment in its frame, with derived data that is computed once. */
export interface Subject {
  readonly fragment: Fragment;
  readonly frame: Frame;
  /** The scope that template checks expect. */
  readonly scope: Scope;
  readonly wiring: Wiring;
  readonly estimate: Amount;
}

/** One rule: it returns issues, changes nothing, and does not assume that other checks passed. */
export type Check = (subject: Subject) => readonly Issue[];
