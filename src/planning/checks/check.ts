// A check: one rule of the review, and the plan that it is given.
import type { Issue } from '../../base/issue.ts';
import type { Amount } from '../../budget/amount.ts';
import type { Scope } from '../../template/scope.ts';
import type { Fragment } from '../fragment.ts';
import type { Frame } from '../frame.ts';
import type { Wiring } from '../wiring.ts';

/** A fragment in its frame, with values derived from both, so that each is computed once for all checks. */
export interface PlanUnderReview {
  readonly fragment: Fragment;
  readonly frame: Frame;
  /** The scope that template checks expect. */
  readonly scope: Scope;
  readonly wiring: Wiring;
  readonly estimate: Amount;
}

/** Returns issues and changes nothing. A check must not assume that the checks before it passed. */
export type Check = (plan: PlanUnderReview) => readonly Issue[];
