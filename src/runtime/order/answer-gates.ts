// Answers the gates of a run by a function, until the run has ended or asks a question without an answer.
import { type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { gateAnswers } from '../../engine/gates/gate-answers.ts';
import type { RunOrder } from '../../engine/record/order.schema.ts';
import type { OpenGate } from '../../view/open-gates.ts';
import { localName } from '../../view/status.ts';
import type { DriveOptions, Engine, RunHandle } from '../api/engine.ts';
import type { RunReport } from '../api/run-report.ts';

/** Undefined leaves the gate open. `true` approves a gate that takes a decision. */
type AnswerOf = (gate: OpenGate) => Json | undefined;

export async function answerGates(
  engine: Engine,
  handle: RunHandle,
  answerOf: AnswerOf,
  options: DriveOptions,
): Promise<Result<RunReport>> {
  const { by = 'api', record: _, replay: __, ...driven } = options;
  const seen = new Set<string>();
  let report = await handle.done;
  for (;;) {
    const gate = report.gates?.find((open) => !seen.has(open.gate) && answerOf(open) !== undefined);
    const answer = gate === undefined ? undefined : answerOf(gate);
    if (gate === undefined || answer === undefined) return good(report);
    seen.add(gate.gate);
    const order = { type: 'review', gate: gate.gate, by, ...decisionBy(answer, gate) } as const;
    const ordered = await engine.order(report.run, order, driven);
    if (!ordered.ok) return bad(ordered.error);
    if (ordered.value.handle !== undefined) report = await ordered.value.handle.done;
  }
}

/** The answer for a step by its id, or else by its name. */
export function answerIn(answers: JsonObject, step: string): Json | undefined {
  return ownProperty(answers, step) ?? ownProperty(answers, localName(step));
}

export type GateDecision = Pick<Extract<RunOrder, { type: 'review' }>, 'verdict' | 'value' | 'why'>;

/** The decision that an answer makes at a gate. */
export function decisionBy(answer: Json, gate: Parameters<typeof gateAnswers>[0]): GateDecision {
  const { verdicts } = gateAnswers(gate);
  const approved = answer === true || ownProperty(answer, 'approved') === true;
  if (answer === true && verdicts.includes('approve')) return { verdict: 'approve' };
  if (verdicts.includes('answer')) return { verdict: 'answer', value: answer };
  const notes = ownProperty(answer, 'notes');
  return {
    verdict: approved ? 'approve' : 'reject',
    ...(typeof notes === 'string' && notes !== '' ? { why: notes } : {}),
  };
}
