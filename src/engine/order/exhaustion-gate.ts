// Follows a person's decision about an exhausted account: raise, converge, plan again smaller, or abort.
import { present, unreachable } from '../../base/fault.ts';
import { type Issue, issue } from '../../base/issue.ts';
import { defined, ownProperty } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { nothing } from '../../budget/amount.ts';
import { readLimit } from '../../budget/limit-text.ts';
import type { GateDecision } from '../gates/gate-answers.ts';
import { releaseHeld } from '../gates/open-gate.ts';
import type { CommandOf } from '../record/command.ts';
import type { Exhaustion } from '../record/event-parts.schema.ts';
import { refuseReplanSmaller, replanSmaller } from '../repair/replan-smaller.ts';
import { failPlanning } from '../repair/retry-or-fail.ts';
import { type Batch, emit } from '../state/batch.ts';
import { exhaustionFailure, holdsAccount } from '../state/exhaustion.ts';
import { type Gate, stepOf } from '../state/state.ts';
import { cancel } from './pause-and-cancel.ts';
import { raise, refuseRaise } from './raise-budget.ts';

/** The reason why the decision cannot be followed. Writes nothing. */
export function refuseExhaustion(batch: Batch, gate: Gate, decision: GateDecision): Issue | undefined {
  switch (answerOf(decision)) {
    case 'raise': {
      const asked = raiseOf(batch, gate, decision);
      return asked.ok ? refuseRaise(batch, asked.value) : asked.error;
    }
    case 'replan':
      return refuseReplanSmaller(batch.state, gate, metAt(gate));
    case 'converge':
    case 'abort':
      return undefined;
  }
}

/** Follows the decision. The gate is over; its steps are still held. */
export function settleExhaustion(batch: Batch, gate: Gate, decision: GateDecision): void {
  const { state } = batch;
  const answer = answerOf(decision);
  if (answer === 'abort') return cancel(batch, decision, state.version);
  if (answer === 'raise') {
    const asked = raiseOf(batch, gate, decision);
    if (asked.ok) raise(batch, state.version, asked.value);
  }
  const met = metAt(gate);
  if (!holdsAccount(met)) return settleDepth(batch, gate, met, answer === 'converge');
  if (answer === 'replan') return replanSmaller(batch, gate, met);
  // Steps that are not cut, because they converge or land, meet the limit themselves.
  releaseHeld(batch, gate);
  if (answer === 'converge') emit(batch, state.version, { type: 'budget.exhausted', ...met });
}

/** Handles a plan that was too deep: its planner plans again, or its phase ends without a plan. */
function settleDepth(batch: Batch, gate: Gate, met: Exhaustion, ends: boolean): void {
  const { state } = batch;
  if (!ends) return releaseHeld(batch, gate);
  for (const id of [...gate.holds])
    failPlanning(batch, stepOf(state, id), { why: exhaustionFailure(met), bill: nothing, stop: met });
}

type Answer = 'raise' | 'converge' | 'replan' | 'abort';

function answerOf({ verdict, value }: GateDecision): Answer {
  switch (verdict) {
    case 'approve':
      return 'converge';
    case 'reject':
      return 'abort';
    case 'answer':
    case 'edit': {
      const answer = ownProperty(value, 'answer');
      return answer === 'raise' || answer === 'replan' || answer === 'abort' ? answer : 'converge';
    }
    default:
      return unreachable(verdict);
  }
}

function raiseOf(
  { at }: Batch,
  gate: Gate,
  { value, by, why }: GateDecision,
): Result<CommandOf<'raise-budget'>, Issue> {
  const { account, resource, key } = metAt(gate);
  const written = ownProperty(value, 'limit');
  if (typeof written !== 'string' && typeof written !== 'number') {
    const hint = 'as in {"answer": "raise", "limit": …}';
    return bad(issue('GATE_ANSWER_INVALID', `gate ${gate.id}: to raise ${key} say to what`, { hint }));
  }
  const read = readLimit(resource, written);
  if (!read.ok) return bad(issue('BUDGET_VALUE_UNREADABLE', `${key} takes ${read.error}`));
  const raised =
    resource === 'time'
      ? { wallClock: read.value }
      : resource === 'planning_depth'
        ? { planningDepth: read.value }
        : { limit: { [resource]: read.value } };
  return good({ type: 'raise-budget', at, account, limit: {}, ...raised, by, ...defined({ why }) });
}

function metAt({ id, exhaustion }: Gate): Exhaustion {
  return present(exhaustion, `the limit that gate ${id} is about`);
}
