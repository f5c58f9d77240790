// Answers a gate with a person's decision: refuses the decision with a reason, or records and follows it.

import { counted } from '../../base/counted.ts';
import { type Issue, issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { checkDecision, type GateDecision } from '../gates/gate-answers.ts';
import type { CommandOf } from '../record/command.ts';
import { type Batch, emit, store } from '../state/batch.ts';
import { hasExpired } from '../state/deadline.ts';
import type { RunView } from '../state/run-view.ts';
import type { Gate, RunState } from '../state/state.ts';
import { followDecision, refuseDecision } from './follow-gate-decision.ts';

type Review = CommandOf<'review'>;

export function refuseAnswer(batch: Batch, command: Review): Issue | undefined {
  const judged = judgeReview(batch, command);
  return judged.ok ? undefined : judged.error;
}

export function answerGate(batch: Batch, command: Review): Issue | undefined {
  const judged = judgeReview(batch, command);
  if (!judged.ok) return judged.error;
  const { gate, decision } = judged.value;
  const { verdict, value, grant, by, why } = decision;
  const kept = defined({ value: value === undefined ? undefined : store(batch, value) });
  emit(batch, 0, {
    type: 'gate.decided',
    gate: gate.id,
    verdict,
    ...kept,
    ...defined({ grant }),
    by,
    ...defined({ why }),
  });
  followDecision(batch, gate, decision);
  return undefined;
}

interface JudgedReview {
  readonly gate: Gate;
  readonly decision: GateDecision;
}

/** The checked decision, or the issue that refuses it. Writes nothing. */
function judgeReview(batch: Batch, command: Review): Result<JudgedReview, Issue> {
  const { state, at } = batch;
  const { gate: id, verdict, by, why, grant } = command;
  const gate = state.gates.get(id);
  if (gate === undefined) return bad(unknownGate(state, id));
  if (gate.end !== undefined || hasExpired(gate, at)) return bad(refuseClosed(gate, state));
  const checked = checkDecision(gate, command);
  if (!checked.ok) return bad(checked.error);
  const { value } = checked;
  const size = value === undefined ? 0 : JSON.stringify(value).length;
  const limit = state.template.limits.resultBytes;
  if (size > limit) return bad(refuseSize(gate, size, limit));
  const decision: GateDecision = { verdict, by, ...defined({ value, why, grant }) };
  const refused = refuseDecision(batch, gate, decision);
  return refused === undefined ? good({ gate, decision }) : bad(refused);
}

/** The issue about an unknown gate. Its hint names the open gates first. */
export function unknownGate({ id: run, gates, openGates }: RunView, id: string): Issue {
  const open = [...openGates];
  const none = gates.size === 0 ? 'the run has asked no question' : `its gates were ${[...gates.keys()].join(', ')}`;
  const hint =
    open.length === 0
      ? `see open gates with: reconverge gates; none of this run is open, and ${none}`
      : `choose from ${open.join(', ')}`;
  return issue('GATE_UNKNOWN', `run ${run} has no gate "${id}"`, { hint });
}

function refuseSize({ id }: Gate, size: number, limit: number): Issue {
  const message = `the answer to gate ${id} has ${counted(size, 'character')} of JSON; limits.result_bytes allows ${limit}`;
  return issue('GATE_ANSWER_INVALID', message, { hint: 'store the value elsewhere, and answer with its path or URL' });
}

function refuseClosed({ id, end = 'expired' }: Gate, { id: run }: RunState): Issue {
  const how = {
    decided: 'has been decided, and a decision is final',
    expired: 'has expired',
    closed: 'is closed: what it was opened for has ended without it',
  } as const;
  return issue('GATE_CLOSED', `gate ${id} ${how[end]}`, {
    hint: end === 'expired' ? `go on with the run: reconverge resume ${run}` : 'see open gates with: reconverge gates',
  });
}
