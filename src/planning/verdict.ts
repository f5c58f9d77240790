// What the review of a fragment says, and what each of its checks is given.
import type { Issue } from '../base/issue.ts';
import type { Amount } from '../budget/amount.ts';
import type { Fragment } from './fragment.ts';
import type { Frame } from './frame.ts';

export interface Verdict {
  /** No issue is an error. */
  readonly accepted: boolean;
  readonly issues: readonly Issue[];
  /** The worst case of what the fragment uses. */
  readonly estimate: Amount;
}

/** One rule. Says what is wrong and changes nothing; it may rely on what the checks of earlier stages have found sound. */
export type Check = (fragment: Fragment, frame: Frame) => readonly Issue[];
