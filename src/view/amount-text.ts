// Amounts in words: each resource with its unit.
import { moneyText } from '../base/quantity.ts';
import { type Amount, resources } from '../budget/amount.ts';
import { unitText } from '../budget/limit-text.ts';

/** `3 tool_calls, $0.20`; `nothing` when all is zero. */
export function amountText(amount: Amount): string {
  const parts = resources.flatMap((resource) => {
    const value = amount[resource] ?? 0;
    if (value === 0) return [];
    return [resource === 'cost_usd' ? moneyText(value) : unitText(value, resource)];
  });
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
