// The ledger: a tree of accounts. Every posting counts for its account and for all accounts above it.
import { Fault } from '../base/fault.ts';
import type { Duration, Instant } from '../base/quantity.ts';
import {
  type Amount,
  type Limit,
  type LimitedResource,
  limitable,
  quantity,
  type Resource,
  resources,
} from './amount.ts';
import { addPending, type Clock, newClock } from './clock.ts';

export interface Account {
  readonly id: string;
  readonly parent: Account | undefined;
  limit: Limit;
  /** The part of `limit` that is reserved for the landing set. */
  landing: Limit;
  readonly spent: Partial<Record<Resource, number>>;
  readonly reserved: Partial<Record<Resource, number>>;
  /** A bill exceeded its reservation; the account admits nothing more. */
  overdrawn: boolean;
  /** Absent when time is unlimited. */
  readonly clock: Clock | undefined;
  /** The deepest planning that the account allows; undefined: unlimited. */
  planningDepth: number | undefined;
}

export interface Ledger {
  readonly accounts: Map<string, Account>;
}

/** An account for readers: the same object, under a type that nobody can write through. */
export interface AccountView extends Readonly<Omit<Account, 'parent' | 'spent' | 'reserved' | 'clock'>> {
  readonly parent: AccountView | undefined;
  readonly spent: Amount;
  readonly reserved: Amount;
  readonly clock: Readonly<Clock> | undefined;
}

export interface LedgerView {
  readonly accounts: ReadonlyMap<string, AccountView>;
}

/** The reason why an amount does not fit. */
export interface Shortfall {
  readonly account: string;
  readonly resource: LimitedResource;
  readonly limit: number;
  readonly spent: number;
  readonly reserved: number;
  readonly asked: number;
  /** The reserve of the landing set; zero when the landing set itself asks. */
  readonly landing: number;
}

export function createLedger(): Ledger {
  return { accounts: new Map() };
}

/** The bounds of an account besides its limits. */
interface AccountBounds {
  readonly landing?: Limit;
  readonly wallClock?: Duration | undefined;
  readonly planningDepth?: number | undefined;
}

export function openAccount(
  ledger: Ledger,
  id: string,
  parent: string | undefined,
  limit: Limit,
  { landing = {}, wallClock, planningDepth }: AccountBounds = {},
): void {
  if (ledger.accounts.has(id)) throw new Fault(`account ${id} is already open`);
  const above = parent === undefined ? undefined : account(ledger, parent);
  const clock = wallClock === undefined ? undefined : newClock(wallClock);
  ledger.accounts.set(id, {
    id,
    parent: above,
    limit,
    landing,
    spent: {},
    reserved: {},
    overdrawn: false,
    clock,
    planningDepth,
  });
}

/** Keeps limits that are not named. An account within its new limits admits again. */
export function raiseLimit(ledger: Ledger, id: string, limit: Limit): Account {
  const raised = account(ledger, id);
  raised.limit = { ...raised.limit, ...limit };
  raised.overdrawn &&= exceedsLimit(raised);
  return raised;
}

export function account<A extends AccountView>(ledger: { readonly accounts: ReadonlyMap<string, A> }, id: string): A {
  const found = ledger.accounts.get(id);
  if (found === undefined) throw new Fault(`no account ${id}`);
  return found;
}

/** The account and all accounts above it, nearest first. */
export function accountChain(ledger: Ledger, id: string): readonly Account[];
export function accountChain(ledger: LedgerView, id: string): readonly AccountView[];
export function accountChain(ledger: LedgerView, id: string): readonly AccountView[] {
  const way: AccountView[] = [];
  for (let each: AccountView | undefined = account(ledger, id); each !== undefined; each = each.parent) way.push(each);
  return way;
}

/** The first account on the way up that cannot take the amount; undefined when all can. */
export function shortfall(ledger: LedgerView, id: string, asked: Amount, landing: boolean): Shortfall | undefined {
  for (let each: AccountView | undefined = account(ledger, id); each !== undefined; each = each.parent) {
    const at: AccountView = each;
    const limited = at.overdrawn ? overdraft(at, asked) : firstUnfit(at, asked, landing);
    if (limited === undefined) continue;
    const kept = landing || at.overdrawn ? 0 : (at.landing[limited] ?? 0);
    return { ...standing(at, limited), asked: quantity(asked, limited), landing: kept };
  }
  return undefined;
}

/** The used part of a limit, and the reserve of the landing set. */
export function standing(of: Account, limited: LimitedResource): Omit<Shortfall, 'asked'> {
  return {
    account: of.id,
    resource: limited,
    limit: of.limit[limited] ?? 0,
    spent: quantity(of.spent, limited),
    reserved: quantity(of.reserved, limited),
    landing: of.landing[limited] ?? 0,
  };
}

/** The first limit that leaves too little for the amount. */
function firstUnfit(at: Account, asked: Amount, landing: boolean): LimitedResource | undefined {
  for (const limited of limitable) {
    const wanted = quantity(asked, limited);
    if (wanted === 0) continue;
    if (wanted > remaining(at, limited) - (landing ? 0 : (at.landing[limited] ?? 0))) return limited;
  }
  return undefined;
}

/** The limit by which an account is overdrawn; an overdrawn account pays for nothing. */
function overdraft(at: Account, asked: Amount): LimitedResource | undefined {
  if (limitable.every((limited) => quantity(asked, limited) === 0)) return undefined;
  return limitable.find((limited) => remaining(at, limited) < 0) ?? limitable.find((limited) => limited in at.limit);
}

/** Reserves an upper estimate. The caller must have checked `shortfall`. */
export function reserve(ledger: Ledger, id: string, amount: Amount): void {
  post(ledger, id, amount, 1, 'reserved');
}

/** Releases a reservation. */
export function release(ledger: Ledger, id: string, amount: Amount): void {
  post(ledger, id, amount, -1, 'reserved');
}

/** Records real usage. Marks accounts on the way up as overdrawn when it exceeds what they have left. */
export function charge(ledger: Ledger, id: string, amount: Amount): void {
  post(ledger, id, amount, 1, 'spent');
  for (let each: Account | undefined = account(ledger, id); each !== undefined; each = each.parent) {
    if (exceedsLimit(each)) each.overdrawn = true;
  }
}

function exceedsLimit(at: Account): boolean {
  for (const limited of limitable) if (remaining(at, limited) < 0) return true;
  return false;
}

/** Cancels the charge for work that will never begin. */
export function refund(ledger: Ledger, id: string, amount: Amount): void {
  post(ledger, id, amount, -1, 'spent');
}

/** Starts (1) or ends (-1) something pending that the account pays for. */
export function countPending(ledger: Ledger, id: string, by: 1 | -1, at: Instant): void {
  for (let each: Account | undefined = account(ledger, id); each !== undefined; each = each.parent) {
    if (each.clock !== undefined) addPending(each.clock, by, at);
  }
}

/** The rest of a limit, computed on demand; infinite when unlimited. */
export function remaining(of: Account, limited: LimitedResource): number {
  const limit = of.limit[limited];
  return limit === undefined
    ? Number.POSITIVE_INFINITY
    : limit - quantity(of.spent, limited) - quantity(of.reserved, limited);
}

/** The smallest rest on the way up, without the reserve of the landing set. */
export function available(ledger: LedgerView, id: string, limited: LimitedResource, landing: boolean): number {
  let least = Number.POSITIVE_INFINITY;
  for (let each: Account | undefined = account(ledger, id); each !== undefined; each = each.parent) {
    const kept = landing ? 0 : (each.landing[limited] ?? 0);
    least = Math.min(least, each.overdrawn ? 0 : remaining(each, limited) - kept);
  }
  return least;
}

function post(ledger: Ledger, id: string, amount: Amount, sign: 1 | -1, column: 'spent' | 'reserved'): void {
  for (let each: Account | undefined = account(ledger, id); each !== undefined; each = each.parent) {
    const totals = each[column];
    for (const resource of resources) {
      const by = amount[resource];
      if (by !== undefined && by !== 0) totals[resource] = (totals[resource] ?? 0) + sign * by;
    }
  }
}
