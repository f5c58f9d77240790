// Opens a gate with its question, its valid answers and its expiry.
import type { Digest } from '../../base/digest.ts';
import { defined, type Json, type JsonObject } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import type { Amount } from '../../budget/amount.ts';
import type { Expiry } from '../../template/step-spec.ts';
import type { EventOf } from '../record/event.schema.ts';
import type { Exhaustion } from '../record/event-parts.schema.ts';
import type { CallFacts, GateKind } from '../record/gate-events.schema.ts';
import { type Batch, emit, paid, store } from '../state/batch.ts';
import type { Gate, Step } from '../state/state.ts';

export interface GateQuestion {
  readonly kind: GateKind;
  readonly prompt: string;
  /** JSON Schema of an answer; absent if any value is valid. */
  readonly decision?: JsonObject;
  /** The facts that a person should see before deciding. */
  readonly context?: Json;
  readonly call?: CallFacts;
  readonly child?: NonNullable<EventOf<'gate.opened'>['child']>;
  /** The key of the step's input that takes an answer which is no object. */
  readonly as?: string;
  readonly expiresIn?: Duration | undefined;
  readonly onExpiry?: Expiry | undefined;
  /** The use of the attempt that asks. */
  readonly bill?: Amount;
  readonly exhaustion?: Exhaustion;
  readonly accepts?: readonly Digest[];
}

/** Holds the step until the gate is over. Returns the id of the gate. */
export function openGate(batch: Batch, step: Step, cause: number, question: GateQuestion): string {
  const {
    kind,
    prompt,
    decision = {},
    context,
    call,
    as,
    child,
    expiresIn,
    onExpiry,
    bill,
    exhaustion,
    accepts,
  } = question;
  const gate = `g${batch.state.gates.size + 1}`;
  emit(batch, cause, {
    type: 'gate.opened',
    gate,
    step: step.id,
    kind,
    prompt,
    decision,
    ...defined({
      context: context === undefined ? undefined : store(batch, context),
      call,
      as,
      child,
      expiresAt: expiresIn === undefined ? undefined : batch.at + expiresIn,
      onExpiry,
    }),
    ...paid(bill ?? {}),
    ...defined({ exhaustion, accepts }),
  });
  return gate;
}

/** Lets the steps that the gate holds start. */
export function releaseHeld(batch: Batch, { holds }: Gate): void {
  emit(batch, batch.state.version, { type: 'steps.released', steps: [...holds] });
}
