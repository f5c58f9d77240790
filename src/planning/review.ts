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
import { unsaid } from '../template/unsaid.ts';
import { checkAcyclic } from './checks/acyclic.ts';
import { checkAgents } from './checks/agents.ts';
import { checkCapabilities } from './checks/capabilities.ts';
import { checkConvergence } from './checks/convergence.ts';
import { checkDropped } from './checks/dropped.ts';
import { checkEffects } from './checks/effects.ts';
import { checkEstimate } from './checks/estimate.ts';
import { checkNesting } from './checks/nesting.ts';
import { checkNovelty } from './checks/novelty.ts';
import { checkOwn, withOwn } from './checks/own-capabilities.ts';
import { checkProgress } from './checks/progress.ts';
import { checkSize } from './checks/size.ts';
import { criticise, critiqueOf } from './critic.ts';
import { estimateOf } from './estimate.ts';
import type { Fragment, UnreadFragment } from './fragment.ts';
import type { Frame } from './frame.ts';
import { pathInReply } from './read/places.ts';
import { scopeOf } from './surroundings.ts';
import type { Check, Critique, Subject, Verdict } from './verdict.ts';
import { wiringOf } from './wiring.ts';

/** A rule that fragments share with templates. */
function shared(check: (scope: Scope) => readonly Issue[]): Check {
  return ({ scope }) => check(scope);
}

/**
 * Every check runs, so that a planner hears of everything at once. That a fragment has its shape, and that its Lisp
 * compiles, was found when the fragment was read.
 */
const checks: readonly Check[] = [
  shared(checkNames),
  shared(checkDependencies),
  checkAcyclic,
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
  checkDropped,
];

/** Pure: the same fragment in the same frame has the same verdict. Never throws. */
export function review(fragment: Fragment, given: Frame): Verdict {
  const { subject, issues } = checked(fragment, given);
  const { estimate, frame } = subject;
  if (frame.critic === 'off') return { accepted: !hasErrors(issues), issues, estimate };
  const critique = placedCritique(subject);
  return judged({ issues: withCritique(issues, critique, frame), estimate, critique });
}

/** All that stands in the way of a reply with parts that cannot be read: these parts, and what is wrong with the others. */
export function reviewUnread({ issues, rest }: UnreadFragment, frame: Frame): readonly Issue[] {
  if (rest === undefined) return issues;
  const { subject, issues: others } = checked(rest, frame);
  const found = [...issues, ...unsaid(issues, others)];
  return frame.critic === 'off' ? found : withCritique(found, placedCritique(subject), subject.frame);
}

function placedCritique(subject: Subject): Critique {
  const thought = criticise(subject);
  return { ...thought, findings: thought.findings.map(placeIn(subject.fragment)) };
}

/** What the critic finds critical is told together with the issues; its warnings concern only a plan that has none. */
function withCritique(issues: readonly Issue[], { findings }: Critique, frame: Frame): readonly Issue[] {
  const found = held(findings, frame);
  if (!hasErrors(issues)) return [...issues, ...found];
  const critical = found.filter(({ severity }) => severity === 'error');
  return [...issues, ...unsaid(issues, critical)];
}

function checked(fragment: Fragment, given: Frame): { readonly subject: Subject; readonly issues: readonly Issue[] } {
  const { steps } = fragment;
  const frame = withOwn(fragment, given);
  const estimate = estimateOf(steps, frame.declarations);
  const subject = { fragment, frame, scope: scopeOf(fragment, frame), wiring: wiringOf(steps), estimate };
  const issues = [...checkOwn(fragment, given), ...checks.flatMap((check) => check(subject))];
  return { subject, issues: issues.map(placeIn(fragment)) };
}

/** A plan that is not accepted has no score: how good it is does not matter before it is possible. */
function judged({ issues, estimate, critique }: Omit<Verdict, 'accepted'> & { readonly critique: Critique }): Verdict {
  return hasErrors(issues) ? { accepted: false, issues, estimate } : { accepted: true, issues, estimate, critique };
}

/** Adds the remarks of a model on an accepted plan: they lower its score, and are held against it where warnings are. */
export function withRemarks(verdict: Verdict, remarks: readonly Issue[], fragment: Fragment, frame: Frame): Verdict {
  const placed = remarks.map(placeIn(fragment));
  const critique = critiqueOf([...(verdict.critique?.findings ?? []), ...placed]);
  return judged({ ...verdict, issues: [...verdict.issues, ...held(placed, frame)], critique });
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
