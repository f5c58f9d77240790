// Whether a step can be paid for, and what becomes of the account when it cannot.
import type { Amount } from '../../budget/amount.ts';
import { shortfall } from '../../budget/ledger.ts';
import type { Exhaustion } from '../record/event-parts.schema.ts';
import { type Batch, emit } from '../state/batch.ts';
import { timeUpFor } from '../state/deadline.ts';
import { exhaustedFor, exhaustionOf, timeExhaustion } from '../state/exhaustion.ts';
import type { Step } from '../state/state.ts';
import { askAbout, openQuestion } from './ask-for-budget.ts';

/** `held`: people are asked first. `no`: what it was short of is recorded. */
export type Afforded = 'yes' | 'held' | 'no';

/** Of a spent account nothing begins any more, whatever it costs; of one that people are asked about, not yet. */
export function afford(batch: Batch, step: Step, amount: Amount): Afforded {
  const { state } = batch;
  if (exhaustedFor(state, step) !== undefined) return 'no';
  const question = state.landing.has(step.id) ? undefined : openQuestion(state, step);
  if (question !== undefined && askAbout(batch, step, question)) return 'held';
  return affordAmount(batch, step, amount);
}

/** As for work that had begun before its account was spent. */
export function affordAmount(batch: Batch, step: Step, amount: Amount): Afforded {
  const { state } = batch;
  const short = shortOf(batch, step, amount);
  if (short === undefined) return 'yes';
  const { met, asked } = short;
  if (askAbout(batch, step, met, {}, asked)) return 'held';
  if (!state.exhausted.has(met.account)) emit(batch, step.since, { type: 'budget.exhausted', ...met });
  return 'no';
}

/** Nothing is asked or recorded when it is not. */
export function canAfford(batch: Batch, step: Step, amount: Amount): boolean {
  return shortOf(batch, step, amount) === undefined;
}

interface Short {
  readonly met: Exhaustion;
  /** What it wants of what adds up. */
  readonly asked?: number;
}

function shortOf({ state, at }: Batch, step: Step, amount: Amount): Short | undefined {
  const landing = state.landing.has(step.id);
  const late = timeUpFor(state, step, at);
  if (late !== undefined) return { met: timeExhaustion(state, late, at, landing) };
  const short = shortfall(state.ledger, step.account, amount, landing);
  return short === undefined ? undefined : { met: exhaustionOf(short), asked: short.asked };
}
