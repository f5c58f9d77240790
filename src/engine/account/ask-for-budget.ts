// Asks people what to do about an account that cannot pay, and holds what it would have paid for until they have said it.
import { defined, type Json, type JsonObject } from '../../base/json.ts';
import { type Amount, limitable } from '../../budget/amount.ts';
import { available, wayUp } from '../../budget/ledger.ts';
import { limitText } from '../../budget/limit-text.ts';
import { shownFigure } from '../../budget/shown.ts';
import type { Exhaustion } from '../record/event-parts.schema.ts';
import { type Batch, emit, paid } from '../state/batch.ts';
import { exhaustedFor, exhaustionText, holdsAccount, isPaidBy } from '../state/exhaustion.ts';
import { hasBegun, isTerminal, RUN_ACCOUNT, type RunState, type Step, stepOf } from '../state/state.ts';
import { openGate } from './open-gate.ts';

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
 * Whether the step is now held. `bill` is what an attempt has used that ends so; `asked`, of what is short, what the step
 * wanted in addition. Only what is not of the landing set asks; it waits with the others.
 */
export function askAbout(batch: Batch, step: Step, met: Exhaustion, bill: Amount = {}, asked?: number): boolean {
  const { state } = batch;
  const gate = holdsAccount(met) ? state.asking.get(met.account) : undefined;
  if (gate !== undefined) {
    emit(batch, step.since, { type: 'step.held', step: step.id, gate, ...paid(bill) });
    return true;
  }
  if (state.landing.has(step.id) || exhaustedFor(state, step) !== undefined) return false;
  if (state.exhausted.has(met.account) || !isToAsk(state, met.account)) return false;
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

/** What is asked about an account that the step's postings would reach, nearest first. */
export function openQuestion({ asking, gates, ledger }: RunState, { account }: Step): Exhaustion | undefined {
  if (asking.size === 0) return undefined;
  const id = wayUp(ledger, account).flatMap((each) => asking.get(each.id) ?? [])[0];
  return id === undefined ? undefined : gates.get(id)?.exhaustion;
}

/** Whether what the account pays for comes together where people want to be asked. */
export function isToAsk(state: RunState, account: string): boolean {
  const steps = [...state.steps.values()];
  const fed = steps.flatMap((step) => {
    if (account === RUN_ACCOUNT) return [step];
    return step.target !== undefined && isPaidBy(state, step, account) ? [stepOf(state, step.target)] : [];
  });
  return fed.some((step) => !isTerminal(step) && step.spec.convergence?.onExhaustion === 'ask');
}

/** All figures are numbers; the sentence beside them says money and time as people write them. */
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
