// The open gates of a run: the question, its step, its age and its expiry.
import { defined, type JsonObject } from '../base/json.ts';
import type { Instant } from '../base/quantity.ts';
import type { AskedInChild, GateKind } from '../engine/record/gate-events.schema.ts';
import type { GateView, RunView } from '../engine/state/run-view.ts';
import type { Expiry } from '../template/step-spec.ts';
import { expiryText } from './expiry-text.ts';
import { instantText } from './instant-text.ts';
import { hanging, type Line, span } from './line.ts';

export interface OpenGate {
  /** The gate's id; `g1/g2` is gate `g2` of the child run that `g1` waits for. */
  readonly gate: string;
  readonly kind: GateKind;
  /** The child run that asks. */
  readonly run?: string;
  /** The step that asks. */
  readonly step: string;
  /** Other steps that are held for the gate. */
  readonly others: readonly string[];
  readonly prompt: string;
  /** JSON Schema of an answer. */
  readonly decision: JsonObject;
  readonly since: Instant;
  /** The expiry; absent: the gate waits forever. */
  readonly until?: Instant;
  readonly onExpiry?: Expiry;
  /** An approval covers this call alone. */
  readonly each?: true;
}

export function openGatesOf(state: RunView): readonly OpenGate[] {
  return [...state.openGates].flatMap((id) => {
    const gate = state.gates.get(id);
    return gate === undefined ? [] : openGates(gate);
  });
}

/** The gates below a gate: a paused child run has none and still keeps its parent waiting. */
function openGates(gate: GateView): readonly OpenGate[] {
  const { asks = [] } = gate.child ?? {};
  if (asks.length === 0) return [openGate(gate)];
  return asks.map((asked) => ({ ...asked, gate: `${gate.id}/${asked.gate}`, others: [] }));
}

/** The open gates of a child run, as its parent keeps them. */
export function asksOf(run: string, gates: readonly OpenGate[]): readonly AskedInChild[] {
  return gates.map(({ others: _, ...gate }) => ({ run, ...gate }));
}

function openGate({
  id,
  kind,
  step,
  holds,
  prompt,
  decision,
  call,
  openedAt,
  expiresAt,
  onExpiry,
}: GateView): OpenGate {
  return {
    gate: id,
    kind,
    step,
    others: [...holds].filter((each) => each !== step),
    prompt,
    decision,
    since: openedAt,
    ...defined({ until: expiresAt, onExpiry: expiresAt === undefined ? undefined : onExpiry }),
    ...(call?.each === true ? { each: true } : {}),
  };
}

/** `g1  approval of write  since 2026-03-01 12:00 UTC`, with the question below. `now`: marks expired gates. */
export function openGateLines(gates: readonly OpenGate[], now = Number.NEGATIVE_INFINITY): readonly Line[] {
  return gates.flatMap((gate) => [
    [
      span(gate.gate, 'warn'),
      span(`  ${gate.kind} of ${gate.step}${gate.run === undefined ? '' : ` in run ${gate.run}`}${othersText(gate)}`),
      span(`  since ${instantText(gate.since, gate.until)}${untilText(gate, now)}`, 'dim'),
    ],
    [span('    '), hanging(gate.prompt)],
  ]);
}

function othersText({ others }: OpenGate): string {
  return others.length === 0 ? '' : ` and ${others.length} more`;
}

function untilText({ since, until, onExpiry }: OpenGate, now: Instant): string {
  if (until === undefined || onExpiry === undefined) return '';
  if (until <= now) return `, expired ${instantText(until, since)}: when the run goes on, ${expiryText[onExpiry]}`;
  return `, until ${instantText(until, since)}: then ${expiryText[onExpiry]}`;
}
