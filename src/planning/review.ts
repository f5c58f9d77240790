// The review: decides whether a fragment may be grafted into a frame, and collects all issues.
import { hasErrors, type Issue } from '../base/issue.ts';
import type { Amount } from '../budget/amount.ts';
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
import { withoutRepeated } from '../template/repeated-issues.ts';
import type { Scope } from '../template/scope.ts';
import { checkAcyclic } from './checks/acyclic.ts';
import { checkAgentTools } from './checks/agent-tools.ts';
import { checkAgents } from './checks/agents.ts';
import { checkCapabilities } from './checks/capabilities.ts';
import type { Check, PlanUnderReview } from './checks/check.ts';
import { checkConvergence } from './checks/convergence.ts';
import { checkDroppedWords } from './checks/dropped-words.ts';
import { checkEffects } from './checks/effects.ts';
import { checkEstimate } from './checks/estimate.ts';
import { checkNesting } from './checks/nesting.ts';
import { checkNovelty } from './checks/novelty.ts';
import { checkOwnCapabilities, withOwnCapabilities } from './checks/own-capabilities.ts';
import { checkProgress } from './checks/progress.ts';
import { checkSize } from './checks/size.ts';
import { disconnectedFlow } from './critic/disconnected-flow.ts';
import { goalCoverage } from './critic/goal-coverage.ts';
import { goalVerbs } from './critic/goal-verbs.ts';
import { missingGate } from './critic/missing-gate.ts';
import { optimismBias } from './critic/optimism-bias.ts';
import { parallelExplosion } from './critic/parallel-explosion.ts';
import { sameCall } from './critic/same-call.ts';
import { vagueQuestion } from './critic/vague-question.ts';
import { estimateOf } from './estimate.ts';
import type { Fragment, UnreadFragment } from './fragment.ts';
import type { Frame } from './frame.ts';
import { scopeOf } from './names-outside.ts';
import { issueInReply } from './read/reply-paths.ts';
import { wiringOf } from './wiring.ts';

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
interface Critique {
  /** A score from 1 (worst) to 10. */
  readonly score: number;
  /** Critical findings have severity `error`. */
  readonly findings: readonly Issue[];
  /** The distinct hints of the findings. */
  readonly recommendations: readonly string[];
}

/** A rule that fragments share with templates. */
function shared(check: (scope: Scope) => readonly Issue[]): Check {
  return ({ scope }) => check(scope);
}

/**
 * Every check runs, so that a planner learns all issues at once. The schema and the Lisp were checked when the fragment
 * was read.
 */
const checks: readonly Check[] = [
  shared(checkNames),
  shared(checkDependencies),
  checkAcyclic,
  checkCapabilities,
  checkAgents,
  checkAgentTools,
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
  checkDroppedWords,
];

/** Pure: the same fragment in the same frame has the same verdict. Never throws. */
export function review(fragment: Fragment, given: Frame): Verdict {
  const { subject, issues } = checked(fragment, given);
  const { estimate, frame } = subject;
  if (frame.critic === 'off') return { accepted: !hasErrors(issues), issues, estimate };
  const critique = placedCritique(subject);
  return judged({ issues: withCritique(issues, critique, frame), estimate, critique });
}

/** All issues of a reply with unreadable parts, including those of the readable rest. */
export function reviewUnread({ issues, rest }: UnreadFragment, frame: Frame): readonly Issue[] {
  if (rest === undefined) return issues;
  const { subject, issues: others } = checked(rest, frame);
  const found = [...issues, ...withoutRepeated(issues, others)];
  return frame.critic === 'off' ? found : withCritique(found, placedCritique(subject), subject.frame);
}

function placedCritique(subject: PlanUnderReview): Critique {
  const thought = criticise(subject);
  return { ...thought, findings: thought.findings.map(placeIn(subject.fragment)) };
}

/** Adds the critic's findings; with other errors only critical findings count. */
function withCritique(issues: readonly Issue[], { findings }: Critique, frame: Frame): readonly Issue[] {
  const found = held(findings, frame);
  if (!hasErrors(issues)) return [...issues, ...found];
  const critical = found.filter(({ severity }) => severity === 'error');
  return [...issues, ...withoutRepeated(issues, critical)];
}

function checked(
  fragment: Fragment,
  given: Frame,
): { readonly subject: PlanUnderReview; readonly issues: readonly Issue[] } {
  const { steps } = fragment;
  const frame = withOwnCapabilities(fragment, given);
  const estimate = estimateOf(steps, frame.declarations);
  const subject = { fragment, frame, scope: scopeOf(fragment, frame), wiring: wiringOf(steps), estimate };
  const issues = [...checkOwnCapabilities(fragment, given), ...checks.flatMap((check) => check(subject))];
  return { subject, issues: issues.map(placeIn(fragment)) };
}

/** A refused plan has no score. */
function judged({ issues, estimate, critique }: Omit<Verdict, 'accepted'> & { readonly critique: Critique }): Verdict {
  return hasErrors(issues) ? { accepted: false, issues, estimate } : { accepted: true, issues, estimate, critique };
}

/** Adds a model's remarks on an accepted plan: they lower its score, and refuse it when the critic is strict. */
export function withRemarks(verdict: Verdict, remarks: readonly Issue[], fragment: Fragment, frame: Frame): Verdict {
  const placed = remarks.map(placeIn(fragment));
  const critique = critiqueOf([...(verdict.critique?.findings ?? []), ...placed]);
  return judged({ ...verdict, issues: [...verdict.issues, ...held(placed, frame)], critique });
}

/** Points an issue into the planner's reply. */
function placeIn({ raw, places }: Fragment): (found: Issue) => Issue {
  return (found) => issueInReply(found, raw, places);
}

/** Sets the severity of findings: warnings for a plan that a person approved, errors when the critic is strict. */
function held(findings: readonly Issue[], { critic, isAgreed }: Frame): readonly Issue[] {
  return findings.map((found) => {
    if (isAgreed === true) return found.severity === 'error' ? { ...found, severity: 'warning' } : found;
    return critic === 'strict' && found.severity === 'warning' ? { ...found, severity: 'error' } : found;
  });
}

/** The critic's findings. They work on any plan, even on one with cycles. */
const findings: readonly Check[] = [
  parallelExplosion,
  goalVerbs,
  missingGate,
  optimismBias,
  disconnectedFlow,
  goalCoverage,
  sameCall,
  vagueQuestion,
];

const BEST = 10;
const LEAST = 1;
const costs = { error: 3, warning: 1, info: 0.5 } as const;

function criticise(subject: PlanUnderReview): Critique {
  return critiqueOf(findings.flatMap((finding) => finding(subject)));
}

/** The score and the recommendations for these findings. */
function critiqueOf(found: readonly Issue[]): Critique {
  const recommendations = [...new Set(found.flatMap(({ hint }) => hint ?? []))];
  return { score: scoreOf(found), findings: found, recommendations };
}

function scoreOf(found: readonly Issue[]): number {
  return Math.max(
    LEAST,
    found.reduce((score, { severity }) => score - costs[severity], BEST),
  );
}
