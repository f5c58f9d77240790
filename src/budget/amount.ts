// Amounts: vectors of the resources that add up. One type serves as limit, estimate, reservation and bill.

/** The order in which tables show them. `cost_usd` counts micro-dollars; everything is a whole number. */
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

/** What a limit can be set on: every resource, and both kinds of tokens together. */
export const limitable = [...resources, 'tokens'] as const;

export type Limited = (typeof limitable)[number];

/** An absent limit is no limit. */
export type Limit = Readonly<Partial<Record<Limited, number>>>;

export const nothing: Amount = Object.freeze({});

export function plus(left: Amount, right: Amount): Amount {
  const sum: Partial<Record<Resource, number>> = { ...left };
  for (const resource of resources) {
    const more = right[resource];
    if (more !== undefined) sum[resource] = (sum[resource] ?? 0) + more;
  }
  return sum;
}

/** None of something is none of it, however much one of it is. */
export function times(amount: Amount, factor: number): Amount {
  if (factor === 0) return nothing;
  const product: Partial<Record<Resource, number>> = {};
  for (const resource of resources) {
    const each = amount[resource];
    if (each !== undefined) product[resource] = each * factor;
  }
  return product;
}

/** The most of each resource that any of the amounts holds. */
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

/** How much of a limited thing an amount holds. */
export function quantity(amount: Amount, of: Limited): number {
  return of === 'tokens' ? (amount.tokens_in ?? 0) + (amount.tokens_out ?? 0) : (amount[of] ?? 0);
}
