// The budget in one line: `7 of 100 steps, 2 of 5 phases, 1 of 5 replans, $0.00 of $5.00`; replans when there were any.
import { moneyText } from '../base/quantity.ts';
import { quantity } from '../budget/amount.ts';
import type { Account } from '../budget/ledger.ts';
import { RUN_ACCOUNT, type RunState } from '../engine/state.ts';

export function budgetLine(state: RunState): string {
  const account = state.ledger.accounts.get(RUN_ACCOUNT);
  if (account === undefined) return '';
  const shares = [
    counted(account, 'steps'),
    counted(account, 'phases'),
    ...(quantity(account.spent, 'replans') === 0 ? [] : [counted(account, 'replans')]),
    share(moneyText(quantity(account.spent, 'cost_usd')), account.limit.cost_usd, moneyText),
  ];
  return shares.join(', ');
}

function counted(account: Account, of: 'steps' | 'phases' | 'replans'): string {
  return `${share(String(quantity(account.spent, of)), account.limit[of], String)} ${of}`;
}

function share(spent: string, limit: number | undefined, show: (value: number) => string): string {
  return limit === undefined ? spent : `${spent} of ${show(limit)}`;
}
