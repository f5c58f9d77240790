// Evaluates a Lisp rule over a brief, in a sandbox with limited fuel; the rule's value is the fragment.
import { type Failure, failure } from '../base/failure.ts';
import { type Issue, issue } from '../base/issue.ts';
import { defined, isJsonObject, type Json, ownProperty } from '../base/json.ts';
import { placeText } from '../base/place.ts';
import type { Instant } from '../base/quantity.ts';
import { bad, good } from '../base/result.ts';
import { deadlineFrom } from '../lisp/deadline.ts';
import type { Limits } from '../lisp/limits.ts';
import { compile } from '../lisp/program.ts';
import { type LispError, run } from '../lisp/run.ts';
import { toJson } from '../lisp/to-json.ts';
import type { Brief } from '../planning/brief.ts';
import { bindingsOf } from '../template/expressions.ts';
import type { Expression } from '../template/references.ts';
import type { PlannerReply } from './planner.ts';

/**
 * Binds `data/packet`, `data/budget` and `data/input`. Errors become a `PLANNER_FAILED` without retry.
 * @param now a clock, which stops a rule that fuel has not stopped
 */
export function evaluateRule(
  { $lisp, place }: Expression,
  brief: Brief,
  limits: Partial<Limits>,
  now?: () => Instant,
): PlannerReply {
  const time = now === undefined ? {} : deadlineFrom(now, limits);
  const compiled = compile($lisp, { bindings: bindingsOf.planner, limits, ...time, ...defined({ place }) });
  if (!compiled.ok) return bad(failed(compiled.error));
  const { packet, budget, input } = brief;
  const outcome = run(compiled.value, { packet: withOldNames(packet), budget, input }, { limits, ...time });
  if (!outcome.ok) return bad(failed([asIssue(outcome.error)]));
  const answer = toJson(outcome.value, { limits, ...time });
  if (answer.ok) return good({ fragment: answer.value });
  const { code, message } = answer.error;
  return bad(failed([issue(code, `its value is not JSON: ${message}`, { place })]));
}

/** Rules of earlier versions, and of unfinished runs, read the bounds under these names. */
const OLD_NAMES = {
  fragment_steps: 'max_fragment_steps',
  fragment_depth: 'max_fragment_depth',
  fan_out: 'max_fan_out',
  nesting: 'max_planning_depth',
} as const;

function withOldNames(packet: Json): Json {
  const budget = ownProperty(packet, 'budget');
  if (!isJsonObject(packet) || !isJsonObject(budget)) return packet;
  const old = Object.entries(OLD_NAMES).flatMap(([name, now]) => {
    const value = budget[now];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...packet, budget: { ...Object.fromEntries(old), ...budget } };
}

function asIssue({ code, message, line, column, place, hint }: LispError): Issue {
  const where = place === undefined ? ` (line ${line}, column ${column} of the rule)` : '';
  return issue(code, `${message}${where}`, { place, hint });
}

function failed(issues: readonly Issue[]): Failure {
  const [first] = issues;
  const where = first?.place === undefined ? '' : ` at ${placeText(first.place)}`;
  const more = issues.length > 1 ? `, and ${issues.length - 1} more` : '';
  const message = `the rule of this planner failed${where}: ${first?.message ?? 'it could not be compiled'}${more}`;
  return failure('PLANNER_FAILED', message, { retry: 'never', issues });
}
