// Deadlines: when the time of an account ends, and when a gate expires.
import type { Duration, Instant } from '../../base/quantity.ts';
import { elapsedAt } from '../../budget/clock.ts';
import { type AccountView, account, accountChain } from '../../budget/ledger.ts';
import { landingTime } from './landing-set.ts';
import type { RunView } from './run-view.ts';
import { type Gate, RUN_ACCOUNT, type Step } from './state.ts';

/**
 * The time that an account has left; infinite without a limit. `landing`: includes the time that is reserved for the
 * landing set.
 */
export function timeLeft(state: RunView, of: AccountView, at: Instant, landing = false): Duration {
  if (of.clock === undefined) return Number.POSITIVE_INFINITY;
  return of.clock.limit - (landing ? 0 : landingTime(state, of)) - elapsedAt(of.clock, at);
}

/** The nearest account of a step whose time is over. */
export function timeUpFor(state: RunView, step: Step, at: Instant): AccountView | undefined {
  const landing = state.landing.has(step.id);
  let each: AccountView | undefined = account(state.ledger, step.account);
  while (each !== undefined && timeLeft(state, each, at, landing) > 0) each = each.parent;
  return each;
}

/** Whether the journal already records that the account has no time left. */
function isOutOfTime({ exhausted }: RunView, { id }: AccountView): boolean {
  return exhausted.get(id)?.resource === 'time';
}

/**
 * The accounts whose time runs, each with the instant at which it ends; parents come before children. An instant in the
 * past is due.
 */
export function deadlines(state: RunView, at: Instant): readonly (readonly [AccountView, Instant])[] {
  return ticking(state).flatMap((each) => {
    const left = timeLeft(state, each, at);
    const stands = left > 0 && (each.clock?.pending ?? 0) === 0;
    return stands || isOutOfTime(state, each) ? [] : [[each, at + left] as const];
  });
}

/** The account of the run, and the accounts that pay for pending attempts. */
function ticking({ ledger, steps, running, retrying, status }: RunView): readonly AccountView[] {
  if (status === 'new') return [];
  const found = new Set([account(ledger, RUN_ACCOUNT)]);
  for (const id of [...running, ...retrying]) {
    const way = accountChain(ledger, steps.get(id)?.account ?? RUN_ACCOUNT);
    for (const each of way.toReversed()) if (each.clock !== undefined) found.add(each);
  }
  return [...found];
}

interface GatesOf<G> {
  readonly gates: ReadonlyMap<string, G>;
  readonly openGates: ReadonlySet<string>;
}

/** The open gates, oldest first. */
export function openGatesOf<G>(state: GatesOf<G>): G[] {
  return [...state.openGates].flatMap((id) => state.gates.get(id) ?? []);
}

export function hasExpired({ expiresAt }: Pick<Gate, 'expiresAt'>, at: Instant): boolean {
  return expiresAt !== undefined && expiresAt <= at;
}
