// Decides whether a step can be paid for; otherwise a person is asked, or the account is exhausted.
import type { Amount } from '../../budget/amount.ts';
import { shortfall } from '../../budget/ledger.ts';
import type { Exhaustion } from '../record/event-parts.schema.ts';
import { type Batch, emit } from '../state/batch.ts';
import { timeUpFor } from '../state/deadline.ts';
import { exhaustedFor, exhaustionOf, timeExhaustion } from '../state/exhaustion.ts';
import type { Step } from '../state/state.ts';
import { askForBudget, openBudgetQuestion } from './ask-for-budget.ts';

/** `held`: a person is asked first. `no`: the shortfall is recorded. */
export type Affordability = 'yes' | 'held' | 'no';

/**
 * Decides whether a step may begin. No step begins on an exhausted account, however cheap it is, or while a person is
 * asked about the account.
 */
export function afford(batch: Batch, step: Step, amount: Amount): Affordability {
  const { state } = batch;
  if (exhaustedFor(state, step) !== undefined) return 'no';
  const question = state.landing.has(step.id) ? undefined : openBudgetQuestion(state, step);
  if (question !== undefined && askForBudget(batch, step, question)) return 'held';
  return affordAmount(batch, step, amount);
}

/** Like `afford`, for work that began before its account was exhausted. */
export function affordAmount(batch: Batch, step: Step, amount: Amount): Affordability {
  const { state } = batch;
  const shortage = shortageOf(batch, step, amount);
  if (shortage === undefined) return 'yes';
  const { met, asked } = shortage;
  if (askForBudget(batch, step, met, {}, asked)) return 'held';
  if (!state.exhausted.has(met.account)) emit(batch, step.since, { type: 'budget.exhausted', ...met });
  return 'no';
}

/** Like `afford`, but asks nobody and records nothing. */
export function canAfford(batch: Batch, step: Step, amount: Amount): boolean {
  return shortageOf(batch, step, amount) === undefined;
}

/** A limit that does not allow what a step or a plan asks for. */
export interface BudgetShortage {
  readonly met: Exhaustion;
  /** The amount that is asked for; absent for the end of time. */
  readonly asked?: number;
}

function shortageOf({ state, at }: Batch, step: Step, amount: Amount): BudgetShortage | undefined {
  const landing = state.landing.has(step.id);
  const late = timeUpFor(state, step, at);
  if (late !== undefined) return { met: timeExhaustion(state, late, at, landing) };
  const short = shortfall(state.ledger, step.account, amount, landing);
  return short === undefined ? undefined : { met: exhaustionOf(short), asked: short.asked };
}
