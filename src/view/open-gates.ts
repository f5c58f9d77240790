// The questions to people that are open in a run: what is asked, for which step, since when and until when.
import { defined, type JsonObject } from '../base/json.ts';
import type { Instant } from '../base/quantity.ts';
import type { AskedInChild, GateKind } from '../engine/record/gate-events.schema.ts';
import type { GateView, RunView } from '../engine/state/run-view.ts';
import type { Expiry } from '../template/step-spec.ts';
import { expiryText } from './expiry-text.ts';
import { instantText } from './instant-text.ts';
import { hanging, type Line, span } from './line.ts';

export interface OpenGate {
  /** Of a run that a step has started with the way there: `g1/g2` is `g2` of the run that `g1` waits for. */
  readonly gate: string;
  readonly kind: GateKind;
  /** The run that asks, where a step has started it. */
  readonly run?: string;
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
  /** Agreeing covers this call alone. */
  readonly each?: true;
}

export function openGatesOf(state: RunView): readonly OpenGate[] {
  return [...state.openGates].flatMap((id) => {
    const gate = state.gates.get(id);
    return gate === undefined ? [] : openGates(gate);
  });
}

/** A run that is paused asks nothing, and is waited for all the same. */
function openGates(gate: GateView): readonly OpenGate[] {
  const { asks = [] } = gate.child ?? {};
  if (asks.length === 0) return [openGate(gate)];
  return asks.map((asked) => ({ ...asked, gate: `${gate.id}/${asked.gate}`, others: [] }));
}

/** What a run asks, as that is kept by the one which waits for it. */
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

/** `g1  approval of write  since 2026-03-01 12:00 UTC`, and under it what is asked. `now` tells what has expired unread. */
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
