// The budget in one line: `7 of 100 steps, 2 of 5 phases, 1 of 5 replans, $0.00 of $5.00`; replans when there were any.
import { counted, shareOf } from '../../base/counted.ts';
import { moneyText } from '../../base/quantity.ts';
import { quantity } from '../../budget/amount.ts';
import type { Account } from '../../budget/ledger.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import { RUN_ACCOUNT } from '../../engine/state/state.ts';

export function budgetLine(state: RunView): string {
  const account = state.ledger.accounts.get(RUN_ACCOUNT);
  if (account === undefined) return '';
  const shares = [
    countText(account, 'steps', 'step'),
    countText(account, 'phases', 'phase'),
    ...(quantity(account.spent, 'replans') === 0 ? [] : [countText(account, 'replans', 'replan')]),
    ...(quantity(account.spent, 'llm_calls') === 0 ? [] : [countText(account, 'llm_calls', 'LLM call')]),
    moneyShare(quantity(account.spent, 'cost_usd'), account.limit.cost_usd),
  ];
  return shares.join(', ');
}

function countText({ spent, limit }: Account, of: 'steps' | 'phases' | 'replans' | 'llm_calls', noun: string): string {
  const [count, most] = [quantity(spent, of), limit[of]];
  return most === undefined ? counted(count, noun) : shareOf(count, most, noun);
}

function moneyShare(spent: number, limit: number | undefined): string {
  return limit === undefined ? moneyText(spent) : `${moneyText(spent)} of ${moneyText(limit)}`;
}
