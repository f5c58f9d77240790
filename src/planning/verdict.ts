// What the review of a fragment says, and what each of its checks is given.
import type { Issue } from '../base/issue.ts';
import type { Amount } from '../budget/amount.ts';
import type { Scope } from '../template/scope.ts';
import type { Fragment } from './fragment.ts';
import type { Frame } from './frame.ts';
import type { Wiring } from './wiring.ts';

export interface Verdict {
  /** No issue is an error. */
  readonly accepted: boolean;
  readonly issues: readonly Issue[];
  /** The worst case of what the fragment uses. */
  readonly estimate: Amount;
  /** Absent where nobody wants to hear the critic, and for a plan that is not accepted. */
  readonly critique?: Critique;
}

/** How good a plan is, beside being possible. */
export interface Critique {
  /** From 1 to 10. */
  readonly score: number;
  /** What is critical is an error. */
  readonly findings: readonly Issue[];
  /** What to do about them, each once. */
  readonly recommendations: readonly string[];
}

/** A fragment in its frame, with what follows from both, computed once. */
export interface Subject {
  readonly fragment: Fragment;
  readonly frame: Frame;
  /** The fragment as the checks of a template see a document. */
  readonly scope: Scope;
  readonly wiring: Wiring;
  readonly estimate: Amount;
}

/** One rule. It says what is wrong, changes nothing, and takes no other check to have passed. */
export type Check = (subject: Subject) => readonly Issue[];
