// The open gates of a run as callers are told of them.
import type { JsonObject } from '../base/json.ts';
import type { Instant } from '../base/quantity.ts';
import type { GateKind } from '../engine/event.ts';
import type { RunState } from '../engine/state.ts';

export interface OpenGate {
  readonly id: string;
  readonly kind: GateKind;
  /** The step that it was opened for. */
  readonly step: string;
  readonly prompt: string;
  /** JSON Schema of an answer. */
  readonly decision: JsonObject;
  readonly expiresAt?: Instant;
}

/** In the order in which they were opened. */
export function openGatesOf({ gates, openGates }: RunState): readonly OpenGate[] {
  return [...openGates].flatMap((open) => {
    const gate = gates.get(open);
    if (gate === undefined) return [];
    const { id, kind, step, prompt, decision, expiresAt } = gate;
    return [{ id, kind, step, prompt, decision, ...(expiresAt === undefined ? {} : { expiresAt }) }];
  });
}
