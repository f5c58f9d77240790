// Asks a step's planner for a fragment, and gets it what it needs on the way.
import type { Json } from '../base/json.ts';
import { type Amount, nothing, plus } from '../budget/amount.ts';
import type { Outcome } from '../engine/command.ts';
import type { AskPlanner } from '../engine/effect.ts';
import { advance, type NeedOutcome, type Planner } from '../planners/planner.ts';

/** Answers a need of kind `capability`. */
export type CallForPlanner = (capability: string, input: Json) => Promise<Outcome>;

/** The planner is pure and is run again over what has come back so far, until it has its reply. */
export async function askPlanner(planner: Planner, { brief }: AskPlanner, call: CallForPlanner): Promise<Outcome> {
  const recorded: NeedOutcome[] = [];
  let bill: Amount = nothing;
  for (;;) {
    const progress = advance(planner, brief, recorded);
    if (progress.done) {
      const { reply } = progress;
      return reply.ok ? { ok: true, value: reply.fragment, bill } : { ok: false, failure: reply.failure, bill };
    }
    const { name, input } = progress.need;
    const outcome = await call(name, input);
    bill = plus(bill, outcome.bill ?? nothing);
    recorded.push(outcome.ok ? { ok: true, value: outcome.value } : { ok: false, failure: outcome.failure });
  }
}
