// The burn of a run: spent amounts, limits and landing reserves over time, as the ledger of the run counts them.
import type { Instant } from '../../base/quantity.ts';
import { type LimitedResource, quantity } from '../../budget/amount.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import { RUN_ACCOUNT } from '../../engine/state/state.ts';

/** The resources with a lane of their own, in the order of the lanes. */
export const burning = ['cost_usd', 'llm_calls', 'tool_calls', 'tokens'] as const satisfies readonly LimitedResource[];
export type BurningResource = (typeof burning)[number];

/** The spent amount from this moment on; cost in micro-dollars. */
interface BurnPoint {
  readonly at: Instant;
  readonly spent: number;
}

/** The limit from this moment on. */
export interface BurnLimit {
  readonly at: Instant;
  /** Absent: unlimited. */
  readonly limit?: number;
  /** The part of the limit that only the landing set may use. */
  readonly landing: number;
}

interface ResourceBurn {
  /** Only changes, the oldest first; empty when nothing was spent. */
  readonly points: readonly BurnPoint[];
  readonly limits: readonly BurnLimit[];
}

export type Burn = Readonly<Record<BurningResource, ResourceBurn>>;

/** A burn that grows with the run. */
export type BurnRecord = Readonly<
  Record<BurningResource, { readonly points: BurnPoint[]; readonly limits: BurnLimit[] }>
>;

export function newBurn(): BurnRecord {
  const fresh = (): { points: BurnPoint[]; limits: BurnLimit[] } => ({ points: [], limits: [] });
  return { cost_usd: fresh(), llm_calls: fresh(), tool_calls: fresh(), tokens: fresh() };
}

/** Records the state of the ledger after an event. */
export function recordBurn(burn: BurnRecord, { ledger, at }: RunView): void {
  const account = ledger.accounts.get(RUN_ACCOUNT);
  if (account === undefined) return;
  for (const resource of burning) {
    const { points, limits } = burn[resource];
    const spent = quantity(account.spent, resource);
    if (spent !== (points.at(-1)?.spent ?? 0)) put(points, { at, spent });
    const limit = account.limit[resource];
    const landing = account.landing[resource] ?? 0;
    const last = limits.at(-1);
    if (last === undefined || last.limit !== limit || last.landing !== landing)
      put(limits, limit === undefined ? { at, landing } : { at, limit, landing });
  }
}

/** Events of one batch have one time; the last of them counts. */
function put<T extends { readonly at: Instant }>(list: T[], next: T): void {
  if (list.at(-1)?.at === next.at) list[list.length - 1] = next;
  else list.push(next);
}

/** The last entry up to a moment. */
export function entryAt<T extends { readonly at: Instant }>(list: readonly T[], at: Instant): T | undefined {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = list[middle];
    if (entry !== undefined && entry.at <= at) low = middle + 1;
    else high = middle;
  }
  return list[low - 1];
}

export function spentAt(burn: Burn, resource: BurningResource, at: Instant): number {
  return entryAt(burn[resource].points, at)?.spent ?? 0;
}
