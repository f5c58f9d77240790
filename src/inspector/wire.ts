// What the inspector's server and its page say to each other.
import type { Issue } from '../base/issue.ts';
import type { Recorded } from '../engine/record/event.schema.ts';
import type { GateKind, Grant, Verdict } from '../engine/record/gate-events.schema.ts';
import type { RunSummary } from '../runtime/api/run-record.ts';

/** Messages of the stream `api/stream?run=ID&after=VERSION`; `events` carry the version of their last event as the id. */
export interface StreamMessages {
  readonly runs: readonly RunSummary[];
  readonly events: readonly Recorded[];
  /** Sent first where the store can be read, but not written: no order is taken. */
  readonly readonly: true;
  /** The run cannot be read any further: nothing more is told of it. */
  readonly damage: Issue;
}

/** One thing that an answer is made of. */
export interface FormField {
  readonly name: string;
  /** In plain words: "How many items per page?" */
  readonly question: string;
  readonly required: boolean;
  /** What may be said, where that is listed. */
  readonly choices?: readonly string[];
}

/** `api/runs/ID/gates/GATE`: how a gate may be answered. */
export interface GateForm {
  readonly gate: string;
  readonly kind: GateKind;
  readonly step: string;
  readonly prompt: string;
  readonly open: boolean;
  readonly verdicts: readonly Verdict[];
  /** Whether one agreement may cover all such calls. */
  readonly wider: boolean;
  /** Nothing but a yes is needed to go on. */
  readonly consent: boolean;
  /** An answer is an object of these; none: one value. */
  readonly fields: readonly FormField[];
  /** What an answer is, in words; absent where none is taken. */
  readonly wanted?: string;
  /** What a person should know, as YAML; the plan apart. */
  readonly context: readonly { readonly name: string; readonly text: string }[];
  /** The plan that it is about, as YAML. */
  readonly plan?: string;
}

/** Of whatever is ordered. */
export interface Signed {
  /** Idempotency key: posted again, it is answered as before, and nothing is done twice. */
  readonly key?: string;
  /** Who orders it; unless said, who serves the page. */
  readonly by?: string;
  readonly why?: string;
}

/** What is posted to `api/runs/ID/gates/GATE`. */
export type GateReply = Signed &
  (
    | { readonly verdict: 'approve'; readonly grant?: Grant }
    | { readonly verdict: 'reject' }
    /** What was typed, read by the gate's contract: field by field, or whole. */
    | { readonly verdict: 'answer'; readonly fields?: Readonly<Record<string, string>>; readonly text?: string }
    /** In YAML or JSON. */
    | { readonly verdict: 'edit'; readonly plan: string }
  );

/** What is posted to `api/runs/ID/orders`. */
export type RunWish = Signed &
  (
    | { readonly order: 'pause' | 'resume' | 'cancel' }
    /** Keys and limits as on a command line. */
    | { readonly order: 'raise-budget'; readonly account: string; readonly budget: Readonly<Record<string, string>> }
    | { readonly order: 'retry-step'; readonly step: string }
    /** Its result as it was typed, read by the step's contract. */
    | { readonly order: 'resolve-step'; readonly step: string; readonly text: string }
  );

/** What is posted to `api/runs/ID/forks`. */
export interface ForkWish extends Signed {
  /** The last event that both runs have. */
  readonly at: number;
  /** Limits of the fork, tighter or looser. */
  readonly budget?: Readonly<Record<string, string>>;
}

/** `pending`: whoever drives the run is busy and will follow it; `run`: the fork. */
export type Answered =
  | { readonly ok: true; readonly pending: boolean; readonly run?: string }
  | { readonly ok: false; readonly issues: readonly Issue[] };
