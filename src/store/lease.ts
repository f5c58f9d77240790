// Leases: who may append to a stream, and when another may take it over.
import type { Instant } from '../base/quantity.ts';

/** The epoch of a new stream's lease. Each new holder raises the epoch, so that appends of former holders are refused. */
export const FIRST_EPOCH = 1;

export interface Holder {
  readonly host: string;
  readonly pid: number;
  /** Tells holders in one process apart. */
  readonly nonce: string;
  /** The start of the process, in a unit of its host; distinguishes it from a later process with the same pid. */
  readonly startedAt?: number;
}

export interface Lease {
  readonly stream: string;
  readonly epoch: number;
  readonly holder: Holder;
}

export interface Tenure {
  readonly holder: Holder;
  readonly until: Instant;
}

/** Whether the process that holds a lease still runs; `unknown` in case of doubt. */
export type Fate = 'alive' | 'dead' | 'unknown';

export type FateOf = (holder: Holder) => Fate;

/** A lease expires only when the fate of its holder is unknown: a busy process that is alive may renew it late. */
export function isHeld({ holder, until }: Tenure, now: Instant, fateOf: FateOf): boolean {
  const fate = fateOf(holder);
  return fate === 'unknown' ? now < until : fate === 'alive';
}

/** Whether `holder` may have the lease that `current` has. */
export function mayTake(current: Tenure | undefined, holder: Holder, now: Instant, fateOf: FateOf): boolean {
  return current === undefined || isSameHolder(current.holder, holder) || !isHeld(current, now, fateOf);
}

function isSameHolder(one: Holder, other: Holder): boolean {
  return one.nonce === other.nonce && one.pid === other.pid && one.host === other.host;
}
