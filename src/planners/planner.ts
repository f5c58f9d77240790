// The planner port: who answers a brief with a fragment, asking for what it needs one thing at a time.
import type { Failure } from '../base/failure.ts';
import type { Json } from '../base/json.ts';
import type { Brief } from '../planning/brief.ts';

/** What a planner asks of the world. Each is an effect of its own, recorded before the planner goes on. */
type Need = { readonly kind: 'capability'; readonly name: string; readonly input: Json };

export type NeedOutcome =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly failure: Failure };

/** `fragment` is whatever the planner answered, unread: a fragment, or `{"impossible": "reason"}`. */
export type Reply = { readonly ok: true; readonly fragment: Json } | { readonly ok: false; readonly failure: Failure };

/** Pure: the same brief and the same outcomes bring the same needs and the same reply, so it can be run again. */
type Proposal = Generator<Need, Reply, NeedOutcome>;

export interface Planner {
  propose(brief: Brief): Proposal;
}

export type Progress = { readonly done: true; readonly reply: Reply } | { readonly done: false; readonly need: Need };

/** Runs a planner over the outcomes recorded so far, up to its next need or its reply. */
export function advance(planner: Planner, brief: Brief, recorded: readonly NeedOutcome[]): Progress {
  const proposal = planner.propose(brief);
  let step = proposal.next();
  for (const outcome of recorded) {
    if (step.done) break;
    step = proposal.next(outcome);
  }
  return step.done ? { done: true, reply: step.value } : { done: false, need: step.value };
}
