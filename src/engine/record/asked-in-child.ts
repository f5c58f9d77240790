// A question to people in a run that a step has started, as the run of that step keeps it.
import type { JsonObject } from '../../base/json.ts';
import type { Instant } from '../../base/quantity.ts';
import type { Expiry } from '../../template/step-spec.ts';
import type { GateKind } from './gate-kind.ts';

/** A question to people that is open in a run which a step has started. */
export interface AskedInChild {
  /** As that run calls it; of a run that it has started itself with the way there: `g1/g2`. */
  readonly gate: string;
  readonly kind: GateKind;
  readonly run: string;
  /** The step of that run. */
  readonly step: string;
  readonly prompt: string;
  readonly decision: JsonObject;
  readonly since: Instant;
  readonly until?: Instant;
  readonly onExpiry?: Expiry;
}
