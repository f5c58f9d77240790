// The review: whether a fragment may be grafted into a frame, and if not, everything that stands in its way.
import { hasErrors, type Issue } from '../base/issue.ts';
import { checkContracts } from '../template/check/contracts.ts';
import { checkDecisions } from '../template/check/decisions.ts';
import { checkDependencies } from '../template/check/dependencies.ts';
import { checkGoals } from '../template/check/goals.ts';
import { checkNames } from '../template/check/names.ts';
import { checkNeeds } from '../template/check/needs.ts';
import { checkPlanningFailure } from '../template/check/planning-failure.ts';
import { checkPredicates } from '../template/check/predicates.ts';
import { checkReferences } from '../template/check/references.ts';
import { checkSynthesis } from '../template/check/synthesis.ts';
import type { Scope } from '../template/scope.ts';
import { checkAcyclic } from './checks/acyclic.ts';
import { checkAgents } from './checks/agents.ts';
import { checkCapabilities } from './checks/capabilities.ts';
import { checkConvergence } from './checks/convergence.ts';
import { checkEffects } from './checks/effects.ts';
import { checkEstimate } from './checks/estimate.ts';
import { checkNesting } from './checks/nesting.ts';
import { checkNovelty } from './checks/novelty.ts';
import { checkOwn, withOwn } from './checks/own-capabilities.ts';
import { checkProgress } from './checks/progress.ts';
import { checkSize } from './checks/size.ts';
import { criticise, critiqueOf } from './critic.ts';
import { estimateOf } from './estimate.ts';
import type { Fragment } from './fragment.ts';
import type { Frame } from './frame.ts';
import { pathInReply } from './read/places.ts';
import { scopeOf } from './surroundings.ts';
import type { Check, Verdict } from './verdict.ts';
import { wiringOf } from './wiring.ts';

/** A rule that fragments share with templates. */
function shared(check: (scope: Scope) => readonly Issue[]): Check {
  return ({ scope }) => check(scope);
}

/**
 * All checks of a stage are run, so that a planner hears of everything at once; the second stage needs a graph that
 * stands. That a fragment has its shape, and that its Lisp compiles, was found when it was read.
 */
const stages: readonly (readonly Check[])[] = [
  [shared(checkNames), shared(checkDependencies), checkAcyclic],
  [
    checkCapabilities,
    checkAgents,
    shared(checkContracts),
    shared(checkReferences),
    shared(checkGoals),
    shared(checkPredicates),
    shared(checkNeeds),
    shared(checkDecisions),
    shared(checkSynthesis),
    shared(checkPlanningFailure),
    checkEffects,
    checkSize,
    checkNesting,
    checkProgress,
    checkEstimate,
    checkConvergence,
    checkNovelty,
  ],
];

/** Pure: the same fragment in the same frame has the same verdict. Never throws. */
export function review(fragment: Fragment, given: Frame): Verdict {
  const { steps } = fragment;
  const frame = withOwn(fragment, given);
  const estimate = estimateOf(steps, frame.declarations);
  const subject = { fragment, frame, scope: scopeOf(fragment, frame), wiring: wiringOf(steps), estimate };
  const issues: Issue[] = [...checkOwn(fragment, given)];
  for (const stage of stages) {
    for (const check of stage) issues.push(...check(subject));
    if (hasErrors(issues)) break;
  }
  const place = placeIn(fragment);
  const placed = issues.map(place);
  if (frame.critic === 'off') return { accepted: !hasErrors(placed), issues: placed, estimate };
  const thought = criticise(subject);
  const critique = { ...thought, findings: thought.findings.map(place) };
  const all = hasErrors(placed) ? placed : [...placed, ...held(critique.findings, frame)];
  return { accepted: !hasErrors(all), issues: all, estimate, critique };
}

/**
 * What a model remarks on an accepted plan, on top: it costs the plan its score, and is held against it where every
 * warning is.
 */
export function withRemarks(verdict: Verdict, remarks: readonly Issue[], fragment: Fragment, frame: Frame): Verdict {
  const placed = remarks.map(placeIn(fragment));
  const critique = critiqueOf([...(verdict.critique?.findings ?? []), ...placed]);
  const issues = [...verdict.issues, ...held(placed, frame)];
  return { ...verdict, accepted: !hasErrors(issues), issues, critique };
}

/** Where it stands in what the planner sent. */
function placeIn({ raw, places }: Fragment): (found: Issue) => Issue {
  return (found) => ({ ...found, path: pathInReply(raw, found.path, places) });
}

/** What the critic says against a plan that is otherwise sound; what a person has agreed to is only put on record. */
function held(findings: readonly Issue[], { critic, isAgreed }: Frame): readonly Issue[] {
  return findings.map((found) => {
    if (isAgreed === true) return found.severity === 'error' ? { ...found, severity: 'warning' } : found;
    return critic === 'strict' && found.severity === 'warning' ? { ...found, severity: 'error' } : found;
  });
}
