// The critic: how good a plan is that might well run. Static: the same plan in the same frame is always thought of the same.
import type { Issue } from '../base/issue.ts';
import { disconnectedFlow } from './critic/disconnected-flow.ts';
import { goalCoverage } from './critic/goal-coverage.ts';
import { goalVerbs } from './critic/goal-verbs.ts';
import { missingGate } from './critic/missing-gate.ts';
import { optimismBias } from './critic/optimism-bias.ts';
import { parallelExplosion } from './critic/parallel-explosion.ts';
import { sameCall } from './critic/same-call.ts';
import { vagueQuestion } from './critic/vague-question.ts';
import type { Check, Critique, Subject } from './verdict.ts';

/** Unlike the checks of the review, these do not rely on each other: a plan with a cycle is thought of as well. */
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

export function criticise(subject: Subject): Critique {
  return critiqueOf(findings.flatMap((finding) => finding(subject)));
}

/** What is thought of a plan of which this was found. */
export function critiqueOf(found: readonly Issue[]): Critique {
  const recommendations = [...new Set(found.flatMap(({ hint }) => hint ?? []))];
  return { score: scoreOf(found), findings: found, recommendations };
}

function scoreOf(found: readonly Issue[]): number {
  return Math.max(
    LEAST,
    found.reduce((score, { severity }) => score - costs[severity], BEST),
  );
}
