// Asks a planner: what it may know is put together, kept with the run, and handed out.
import { digestOfText } from '../base/digest.ts';
import { failure } from '../base/failure.ts';
import { present } from '../base/fault.ts';
import type { Json } from '../base/json.ts';
import type { Amount } from '../budget/amount.ts';
import { assemblePacket, type Packet } from '../context/packet.ts';
import { estimateTokens } from '../context/tokens.ts';
import { type Brief, briefOf } from '../planning/brief.ts';
import { type Batch, emit } from './batch.ts';
import { frameOf, planningOf } from './frame-of.ts';
import { packetRequest } from './packet-request.ts';
import { fail } from './settle.ts';
import { graftNothing } from './settle-plan.ts';
import { keyOf, timeoutOf } from './attempt.ts';
import type { Step } from './state.ts';

export function requestPlan(batch: Batch, step: Step, reserved: Amount): void {
  const packet = assemblePacket(packetRequest(batch, step, estimateTokens));
  if (!packet.ok) {
    const [first] = packet.issues;
    return fail(batch, step, failure(first?.code ?? 'CONTEXT_OVER_ALLOWANCE', first?.message ?? '', { issues: packet.issues }));
  }
  emit(batch, step.since, {
    type: 'attempt.started',
    step: step.id,
    attempt: step.attempt + 1,
    ...(Object.keys(reserved).length === 0 ? {} : { reserved }),
  });
  ask(batch, step, packet.value);
}

/** A planning attempt that lost its performer is asked again with what is known now: nothing that it knew has changed. */
export function redeliverPlan(batch: Batch, step: Step): void {
  const packet = assemblePacket(packetRequest(batch, step, estimateTokens));
  if (packet.ok) ask(batch, step, packet.value);
  else fail(batch, step, notAssembled(packet.issues));
}

function ask(batch: Batch, step: Step, packet: Packet): void {
  const brief = briefFor(batch, step, packet);
  const text = JSON.stringify(brief);
  const digest = digestOfText(text);
  batch.blobs.push({ digest, text });
  emit(batch, step.since, {
    type: 'plan.requested',
    step: step.id,
    attempt: step.attempt,
    brief: digest,
    tokens: packet.tokens,
  });
  batch.effects.push({ type: 'ask-planner', ...attemptOf(batch, step), input: null, brief });
}
