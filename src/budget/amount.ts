// Amounts: vectors of resources that add up, used for limits, estimates, reservations and bills.

/** In the order of tables. `cost_usd` counts micro-dollars; all numbers are integers. */
export const resources = [
  'phases',
  'steps',
  'llm_calls',
  'tokens_in',
  'tokens_out',
  'cost_usd',
  'tool_calls',
  'replans',
] as const;

export type Resource = (typeof resources)[number];

/** An absent resource is zero. */
export type Amount = Readonly<Partial<Record<Resource, number>>>;

/** The targets of limits: every resource, and the sum of both kinds of tokens. */
export const limitable = [...resources, 'tokens'] as const;

export type LimitedResource = (typeof limitable)[number];

/** An absent limit means unlimited. */
export type Limit = Readonly<Partial<Record<LimitedResource, number>>>;

export const nothing: Amount = Object.freeze({});

export function plus(left: Amount, right: Amount): Amount {
  const sum: Partial<Record<Resource, number>> = { ...left };
  for (const resource of resources) {
    const more = right[resource];
    if (more !== undefined) sum[resource] = (sum[resource] ?? 0) + more;
  }
  return sum;
}

/** Zero times infinity is zero here. */
export function times(amount: Amount, factor: number): Amount {
  if (factor === 0) return nothing;
  const product: Partial<Record<Resource, number>> = {};
  for (const resource of resources) {
    const each = amount[resource];
    if (each !== undefined) product[resource] = each * factor;
  }
  return product;
}

/** The maximum of each resource over all amounts. */
export function mostOf(amounts: Iterable<Amount>): Amount {
  const most: Partial<Record<Resource, number>> = {};
  for (const amount of amounts) {
    for (const resource of resources) {
      const each = amount[resource];
      if (each !== undefined) most[resource] = Math.max(most[resource] ?? 0, each);
    }
  }
  return most;
}

/** The part of an amount that a limit counts. */
export function quantity(amount: Amount, of: LimitedResource): number {
  return of === 'tokens' ? (amount.tokens_in ?? 0) + (amount.tokens_out ?? 0) : (amount[of] ?? 0);
}
