// Gates in the state: opens, decides and closes them, and holds their steps.
import { defined } from '../../base/json.ts';
import type { EventOf } from '../record/event.schema.ts';
import { holdsAccount } from './exhaustion.ts';
import { keepApproval, keepGrant, keyOfCall } from './grants.ts';
import { type Gate, type HumanInput, type RunState, type Step, stepOf } from './state.ts';

/** Adds an opened gate. The caller then holds its step. */
export function addGate(state: RunState, event: EventOf<'gate.opened'>): void {
  const { gate, step, kind, prompt, decision, context, call, as, child, expiresAt } = event;
  const { onExpiry = 'fail', exhaustion, accepts } = event;
  const openedAt = state.at;
  state.gates.set(gate, {
    id: gate,
    step,
    kind,
    prompt,
    decision,
    context,
    call,
    as,
    child,
    openedAt,
    expiresAt,
    onExpiry,
    exhaustion,
    ...defined({ accepts }),
    holds: new Set(),
    end: undefined,
  });
  state.openGates.add(gate);
  if (exhaustion !== undefined && holdsAccount(exhaustion)) state.asking.set(exhaustion.account, gate);
  if (kind === 'clarification') countQuestion(stepOf(state, step));
  if (kind === 'outcome') countLost(stepOf(state, step));
}

/** An attempt that ends with a question does not count against the retry policy. */
function countQuestion(step: Step): void {
  peopleOf(step).asked += 1;
  step.uncounted += 1;
}

/** An attempt whose call was lost does not count against the retry policy; the number of questions is bounded. */
function countLost(step: Step): void {
  const people = peopleOf(step);
  people.lost = (people.lost ?? 0) + 1;
  step.uncounted += 1;
}

/** Call this when the step's status is `held`. */
export function holdForGate(state: RunState, step: Step, gate: string): void {
  peopleOf(step).gate = gate;
  state.gates.get(gate)?.holds.add(step.id);
}

/** Closes the gate of a step when it holds no other step. */
export function leaveGate(state: RunState, { id, people }: Step): void {
  if (people?.gate === undefined) return;
  const gate = state.gates.get(people.gate);
  people.gate = undefined;
  if (gate === undefined) return;
  gate.holds.delete(id);
  if (gate.holds.size === 0 && gate.end === undefined) close(state, gate, 'closed');
}

export function decideGate(state: RunState, event: EventOf<'gate.decided'>): void {
  const gate = state.gates.get(event.gate);
  if (gate === undefined) return;
  close(state, gate, 'decided');
  const step = stepOf(state, gate.step);
  const { verdict, value, grant } = event;
  if (verdict === 'approve') approve(state, gate);
  if (verdict === 'reject') refuse(state, gate, event);
  if (grant !== undefined) keepGrant(state, gate, grant);
  if (verdict === 'edit') step.proposal = value;
  if (gate.kind === 'clarification' && value !== undefined) {
    const people = peopleOf(step);
    people.answers = [...people.answers, { question: gate.prompt, answer: value, as: gate.as ?? 'answer' }];
  }
}

export function expireGate(state: RunState, { gate: id, outcome }: EventOf<'gate.expired'>): void {
  const gate = state.gates.get(id);
  if (gate === undefined) return;
  close(state, gate, 'expired');
  if (outcome === 'approve') approve(state, gate);
}

function approve(state: RunState, gate: Gate): void {
  for (const key of gate.accepts ?? []) state.agreed.add(key);
  if (gate.kind !== 'approval' && gate.kind !== 'llm_prompt') return;
  if (gate.kind === 'approval') peopleOf(stepOf(state, gate.step)).approved = gate.context;
  keepApproval(state, gate);
}

function refuse(state: RunState, { id, step, call }: Gate, { by, why }: EventOf<'gate.decided'>): void {
  if (call === undefined) return;
  const refused = { gate: id, by, ...defined({ why }) };
  state.refused.set(keyOfCall(stepOf(state, step), call), refused);
}

/** The end of the gate is the cause of the next event of each step that it holds. */
function close(state: RunState, gate: Gate, end: Gate['end']): void {
  gate.end = end;
  for (const id of gate.holds) stepOf(state, id).since = state.version;
  state.openGates.delete(gate.id);
  const { exhaustion } = gate;
  if (exhaustion !== undefined && holdsAccount(exhaustion)) state.asking.delete(exhaustion.account);
}

function peopleOf(step: Step): HumanInput {
  step.people ??= { gate: undefined, asked: 0, answers: [], approved: undefined };
  return step.people;
}
