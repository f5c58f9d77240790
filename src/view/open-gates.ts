// The questions to people that are open in a run: what is asked, for which step, since when and until when.
import type { JsonObject } from '../base/json.ts';
import type { Instant } from '../base/quantity.ts';
import type { GateKind } from '../engine/event.ts';
import type { Gate, RunState } from '../engine/state.ts';
import type { Expiry } from '../template/step-spec.ts';
import { expiryText } from './expiry-text.ts';
import { instantText } from './instant-text.ts';
import { hanging, type Line, span } from './line.ts';

export interface OpenGate {
  readonly gate: string;
  readonly kind: GateKind;
  /** The step that it was opened for. */
  readonly step: string;
  /** Others that are held for it too. */
  readonly others: readonly string[];
  readonly prompt: string;
  /** JSON Schema of an answer. */
  readonly decision: JsonObject;
  readonly since: Instant;
  /** Until when it waits, and what happens then; absent: for ever. */
  readonly until?: Instant;
  readonly onExpiry?: Expiry;
}

export function openGatesOf(state: RunState): readonly OpenGate[] {
  return [...state.openGates].flatMap((id) => {
    const gate = state.gates.get(id);
    return gate === undefined ? [] : [openGate(gate)];
  });
}

function openGate({ id, kind, step, holds, prompt, decision, openedAt, expiresAt, onExpiry }: Gate): OpenGate {
  return {
    gate: id,
    kind,
    step,
    others: [...holds].filter((each) => each !== step),
    prompt,
    decision,
    since: openedAt,
    ...(expiresAt === undefined ? {} : { until: expiresAt, onExpiry }),
  };
}

/** `g1  approval of write  since 2026-03-01 12:00 UTC`, and under it what is asked. `now` tells what has expired unread. */
export function openGateLines(gates: readonly OpenGate[], now = Number.NEGATIVE_INFINITY): readonly Line[] {
  return gates.flatMap((gate) => [
    [
      span(gate.gate, 'warn'),
      span(`  ${gate.kind} of ${gate.step}${gate.others.length === 0 ? '' : ` and ${gate.others.length} more`}`),
      span(`  since ${instantText(gate.since, gate.until)}${untilText(gate, now)}`, 'dim'),
    ],
    [span('    '), hanging(gate.prompt)],
  ]);
}

function untilText({ since, until, onExpiry }: OpenGate, now: Instant): string {
  if (until === undefined || onExpiry === undefined) return '';
  if (until <= now) return `, expired ${instantText(until, since)}: when the run goes on, ${expiryText[onExpiry]}`;
  return `, until ${instantText(until, since)}: then ${expiryText[onExpiry]}`;
}
