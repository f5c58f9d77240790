// The review: whether a fragment may be grafted into a frame, and if not, everything that stands in its way.
import { hasErrors, type Issue } from '../base/issue.ts';
import { checkAcyclic } from './checks/acyclic.ts';
import { checkCapabilities } from './checks/capabilities.ts';
import { checkConvergence } from './checks/convergence.ts';
import { checkEffects } from './checks/effects.ts';
import { checkEstimate } from './checks/estimate.ts';
import { checkNames } from './checks/names.ts';
import { checkNesting } from './checks/nesting.ts';
import { checkNovelty } from './checks/novelty.ts';
import { checkSize } from './checks/size.ts';
import { estimateOf } from './estimate.ts';
import type { Fragment } from './fragment.ts';
import type { Frame } from './frame.ts';
import { scopeOf } from './surroundings.ts';
import type { Check, Verdict } from './verdict.ts';
import { wiringOf } from './wiring.ts';

/** All checks of a stage are run; a later stage needs a graph that stands. */
const stages: readonly (readonly Check[])[] = [
  [checkNames, checkAcyclic],
  [checkCapabilities, checkEffects, checkSize, checkNesting, checkEstimate, checkConvergence, checkNovelty],
];

/** Pure: the same fragment in the same frame has the same verdict. Never throws. */
export function review(fragment: Fragment, frame: Frame): Verdict {
  const subject = { fragment, frame, scope: scopeOf(fragment, frame), wiring: wiringOf(fragment.steps) };
  const issues: Issue[] = [];
  for (const stage of stages) {
    for (const check of stage) issues.push(...check(subject));
    if (hasErrors(issues)) break;
  }
  return { accepted: !hasErrors(issues), issues, estimate: estimateOf(fragment.steps, frame.declarations) };
}
