// Asks a person about an account that cannot pay, and holds the steps that it pays for until the answer.
import { defined, type Json, type JsonObject } from '../../base/json.ts';
import { type Amount, limitable } from '../../budget/amount.ts';
import { shownFigure } from '../../budget/display-figures.ts';
import { accountChain, available } from '../../budget/ledger.ts';
import { limitText } from '../../budget/limit-text.ts';
import { openGate } from '../gates/open-gate.ts';
import type { Exhaustion } from '../record/event-parts.schema.ts';
import { type Batch, emit, paid } from '../state/batch.ts';
import { exhaustedFor, exhaustionText, holdsAccount, isPaidBy } from '../state/exhaustion.ts';
import { hasBegun, isTerminal, RUN_ACCOUNT, type RunState, type Step, stepOf } from '../state/state.ts';

const decision: JsonObject = {
  type: 'object',
  description:
    'raise: go on with a higher limit; converge: with what there is; replan: plan again, smaller; abort the run.',
  required: ['answer'],
  properties: {
    answer: { enum: ['raise', 'converge', 'replan', 'abort'] },
    limit: { type: ['number', 'string'], description: 'For raise: the new limit, written as in the template.' },
  },
  additionalProperties: false,
};

/**
 * Whether the step is now held. `bill`: the use of an attempt that ends so. `asked`: how much more of the scarce resource
 * the step wants. Steps of the landing set do not ask, but wait with the others.
 */
export function askForBudget(batch: Batch, step: Step, met: Exhaustion, bill: Amount = {}, asked?: number): boolean {
  const { state } = batch;
  const gate = holdsAccount(met) ? state.asking.get(met.account) : undefined;
  if (gate !== undefined) {
    emit(batch, step.since, { type: 'step.held', step: step.id, gate, ...paid(bill) });
    return true;
  }
  if (state.landing.has(step.id) || exhaustedFor(state, step) !== undefined) return false;
  if (state.exhausted.has(met.account) || !asksOnExhaustion(state, met.account)) return false;
  openGate(batch, step, step.since, {
    kind: 'exhaustion',
    prompt: `${exhaustionText(met)}${wants(step, met, asked)}: raise it, converge with what there is, replan smaller, or abort?`,
    decision,
    context: contextOf(state, step, met, asked),
    bill,
    exhaustion: met,
  });
  return true;
}

function wants({ id }: Step, { resource }: Exhaustion, asked: number | undefined): string {
  return asked === undefined ? '' : `; ${id} wants ${limitText(resource, asked)} more`;
}

/** The open question about the nearest account that pays for the step. */
export function openBudgetQuestion({ asking, gates, ledger }: RunState, { account }: Step): Exhaustion | undefined {
  if (asking.size === 0) return undefined;
  const id = accountChain(ledger, account).flatMap((each) => asking.get(each.id) ?? [])[0];
  return id === undefined ? undefined : gates.get(id)?.exhaustion;
}

/** Whether a target of the account's steps says `on_exhaustion: ask`. */
export function asksOnExhaustion(state: RunState, account: string): boolean {
  const steps = [...state.steps.values()];
  const fed = steps.flatMap((step) => {
    if (account === RUN_ACCOUNT) return [step];
    return step.target !== undefined && isPaidBy(state, step, account) ? [stepOf(state, step.target)] : [];
  });
  return fed.some((step) => !isTerminal(step) && step.spec.convergence?.onExhaustion === 'ask');
}

/** The context of the gate: figures as numbers, and one sentence with readable money and time. */
function contextOf(state: RunState, step: Step, met: Exhaustion, asked: number | undefined): Json {
  const { account, resource, limit, spent, reserved, landing } = met;
  const left = limitable.map((of) => [of, available(state.ledger, account, of, false)] as const);
  const open = [...state.steps.values()].filter((each) => !isTerminal(each) && isPaidBy(state, each, account));
  return {
    met: exhaustionText(met),
    account,
    resource,
    limit: shownFigure(resource, limit),
    spent: shownFigure(resource, spent),
    reserved: shownFigure(resource, reserved),
    landing_reserve: shownFigure(resource, landing),
    left: Object.fromEntries(
      left.filter(([, amount]) => Number.isFinite(amount)).map(([of, amount]) => [of, shownFigure(of, amount)]),
    ),
    asked_for: {
      step: step.id,
      ...defined({
        capability: step.spec.capability,
        amount: asked === undefined ? undefined : shownFigure(resource, asked),
      }),
    },
    not_begun: open.filter((each) => !hasBegun(each) && !state.landing.has(each.id)).map(({ id }) => id),
  };
}
