// Whether a step can be paid for, and what becomes of the account when it cannot.
import type { Amount } from '../../budget/amount.ts';
import { shortfall } from '../../budget/ledger.ts';
import type { Batch } from '../batch.ts';
import { timeLeft } from '../deadline.ts';
import type { Step } from '../state.ts';
import { askAbout, openQuestion } from './ask-for-budget.ts';
import { exhaust, exhaustedFor, exhaustionOf, timeExhaustion } from './exhaustion.ts';

/** `held`: people are asked first. `no`: what it was short of is recorded. */
export type Afforded = 'yes' | 'held' | 'no';

/** Of a spent account nothing begins any more, whatever it costs; of one that people are asked about, not yet. */
export function afford(batch: Batch, step: Step, amount: Amount): Afforded {
  const { state, at } = batch;
  if (state.landing.has(step.id)) return affordAmount(batch, step, amount);
  if (exhaustedFor(state, step.account) !== undefined) return 'no';
  const question = openQuestion(state, step);
  if (question !== undefined && askAbout(batch, step, question)) return 'held';
  const isLate = timeLeft(state, at, false) <= 0;
  if (isLate && askAbout(batch, step, timeExhaustion(state, at))) return 'held';
  return affordAmount(batch, step, amount);
}

/** As for work that had begun before its account was spent. */
export function affordAmount(batch: Batch, step: Step, amount: Amount): Afforded {
  const { state } = batch;
  const short = shortfall(state.ledger, step.account, amount, state.landing.has(step.id));
  if (short === undefined) return 'yes';
  if (askAbout(batch, step, exhaustionOf(short), {}, short.asked)) return 'held';
  if (!state.exhausted.has(short.account)) exhaust(batch, step.since, short);
  return 'no';
}
