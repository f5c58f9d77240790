// The meters of a run: what is spent of each limit, what is reserved, and what is kept for landing.
import { durationText } from '../../base/quantity.ts';
import { limitText } from '../../budget/limit-text.ts';
import type { BudgetAccount } from '../budget/budget-tree.ts';
import { shortMoneyText } from '../short-money-text.ts';

export type BudgetRow = BudgetAccount['rows'][number];

/** The order of the meters; a head has room for seven. */
const order: readonly string[] = [
  'cost_usd',
  'time',
  'steps',
  'phases',
  'llm_calls',
  'tool_calls',
  'replans',
  'tokens',
  'tokens_out',
  'tokens_in',
];

const MOST_METERS = 7;

const names: Readonly<Record<string, string>> = {
  cost_usd: 'cost',
  llm_calls: 'model calls',
  tool_calls: 'tool calls',
  tokens_in: 'tokens in',
  tokens_out: 'tokens out',
};

/** `model calls` of `llm_calls` */
export function resourceName(resource: string): string {
  return names[resource] ?? resource.replaceAll('_', ' ');
}

/** The limits first; amounts without a limit only where there is room. */
export function metersOf(rows: readonly BudgetRow[]): readonly BudgetRow[] {
  const known = order.flatMap((resource) => rows.find((row) => row.resource === resource) ?? []);
  const limited = known.filter(({ limit }) => limit !== undefined);
  const others = known.filter(({ limit, resource }) => limit === undefined && !resource.startsWith('tokens'));
  const chosen = new Set([...limited, ...others].slice(0, MOST_METERS));
  return known.filter((row) => chosen.has(row));
}

/** `$0.16`, `34.9s`, `2,906` */
export function shortAmount(resource: string, amount: number): string {
  if (resource === 'cost_usd') return shortMoneyText(amount);
  return resource === 'time' ? durationText(amount) : amount.toLocaleString('en');
}

/** Nine tenths of what may be spent before landing are spent. */
export function isNearlySpent({ limit, landing, spent }: BudgetRow): boolean {
  return limit !== undefined && spent >= 0.9 * (limit - landing);
}

/** `$0.023105 spent, $0.10 kept for landing, limit $1.00` */
export function meterText({ resource, limit, spent, reserved, landing }: BudgetRow): string {
  const text = (value: number): string => limitText(resource, value);
  return [
    `${text(spent)} spent`,
    ...(reserved > 0 ? [`${text(reserved)} reserved for running steps`] : []),
    ...(landing > 0 ? [`${text(landing)} kept for landing`] : []),
    limit === undefined ? 'no limit' : `limit ${text(limit)}`,
  ].join(', ');
}
