// The gates of a step, each with its answer, author, reason and time.
import { defined } from '../../base/json.ts';
import type { Instant } from '../../base/quantity.ts';
import type { EventOf, Recorded } from '../../engine/record/event.schema.ts';
import type { StoredValue } from '../../engine/record/event-parts.schema.ts';
import type { GateKind, Grant, Verdict } from '../../engine/record/gate-events.schema.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import type { Expiry } from '../../template/step-spec.ts';

export interface WhyGate {
  readonly gate: string;
  readonly kind: GateKind;
  readonly prompt: string;
  /** The step that asked, if this step was only held too. */
  readonly openedFor?: string;
  readonly since: Instant;
  /** The event with the plan to review. */
  readonly proposed?: number;
  /** `closed`: its step ended without an answer. */
  readonly end: 'open' | 'decided' | 'expired' | 'closed';
  /** The time of the decision or the expiry. */
  readonly at?: Instant;
  readonly verdict?: Verdict;
  /** The answer, or the edited plan. */
  readonly value?: StoredValue;
  /** The further calls that were approved. */
  readonly grant?: Grant;
  readonly by?: string;
  readonly why?: string;
  /** The effect of the expiry. */
  readonly outcome?: Expiry;
  /** The event of the decision. */
  readonly decided?: number;
}

export function gatesOf(state: RunView, events: readonly Recorded[], step: string): readonly WhyGate[] {
  const found = new Map<string, WhyGate>();
  let proposed: number | undefined;
  for (const { at, version, event } of events) {
    switch (event.type) {
      case 'plan.proposed':
        if (event.step === step) proposed = version;
        break;
      case 'gate.opened':
        if (event.step === step) found.set(event.gate, asked(state, event, at, proposed));
        break;
      case 'step.held':
        if (event.step === step) found.set(event.gate, askedForAnother(state, event.gate, at));
        break;
      case 'gate.decided': {
        const { verdict, value, by, why, grant } = event;
        settle(found, event.gate, {
          ...{ at, verdict, by, decided: version },
          ...defined({ value, why, grant }),
        });
        break;
      }
      case 'gate.expired':
        settle(found, event.gate, { at, outcome: event.outcome, decided: version });
        break;
      default:
    }
  }
  return [...found.values()];
}

function asked(
  state: RunView,
  { gate, kind, prompt }: EventOf<'gate.opened'>,
  since: Instant,
  proposed: number | undefined,
): WhyGate {
  const isOfPlan = proposed !== undefined && (kind === 'plan_review' || kind === 'replan' || kind === 'synthesis');
  return { gate, kind, prompt, since, end: endOf(state, gate), ...(isOfPlan ? { proposed } : {}) };
}

function askedForAnother(state: RunView, id: string, since: Instant): WhyGate {
  const { kind = 'exhaustion', prompt = '', step: openedFor = '' } = state.gates.get(id) ?? {};
  return { gate: id, kind, prompt, openedFor, since, end: endOf(state, id) };
}

function endOf(state: RunView, gate: string): WhyGate['end'] {
  return state.gates.get(gate)?.end ?? 'open';
}

function settle(found: Map<string, WhyGate>, id: string, told: Partial<WhyGate>): void {
  const gate = found.get(id);
  if (gate !== undefined) found.set(id, { ...gate, ...told });
}
