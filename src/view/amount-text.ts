// Amounts in words: each resource with its unit.
import { durationText, moneyText } from '../base/quantity.ts';
import { type Amount, resources } from '../budget/amount.ts';

/** What one quantity of a resource looks like: `$2.30`, `4m 10s`, `12`. `time` is in milliseconds. */
export function quantityText(resource: string, value: number): string {
  if (resource === 'cost_usd') return moneyText(value);
  return resource === 'time' ? durationText(value) : String(value);
}

/** `3 tool_calls, $0.20`; `nothing` when all is zero. */
export function amountText(amount: Amount): string {
  const parts = resources.flatMap((resource) => {
    const value = amount[resource] ?? 0;
    if (value === 0) return [];
    return [resource === 'cost_usd' ? moneyText(value) : `${value} ${resource}`];
  });
  return parts.length === 0 ? 'nothing' : parts.join(', ');
}
