// When time brings something of itself: the end of an account's time, and the expiry of gates.
import type { Duration, Instant } from '../../base/quantity.ts';
import { elapsedAt } from '../../budget/clock.ts';
import { type AccountView, account, wayUp } from '../../budget/ledger.ts';
import { landingTime } from './landing-set.ts';
import type { RunView } from './run-view.ts';
import { type Gate, RUN_ACCOUNT, type Step } from './state.ts';

/** Milliseconds until its time is over, infinite where nothing limits it; for all but the landing set that of the run is over earlier. */
export function timeLeft(state: RunView, of: AccountView, at: Instant, landing = false): Duration {
  if (of.clock === undefined) return Number.POSITIVE_INFINITY;
  return of.clock.limit - (landing ? 0 : landingTime(state, of)) - elapsedAt(of.clock, at);
}

/** The first account on a step's way up whose time is over. */
export function timeUpFor(state: RunView, step: Step, at: Instant): AccountView | undefined {
  const landing = state.landing.has(step.id);
  return wayUp(state.ledger, step.account).find((each) => timeLeft(state, each, at, landing) <= 0);
}

/** The end of its time has been met and told. */
function isOutOfTime({ exhausted }: RunView, { id }: AccountView): boolean {
  return exhausted.get(id)?.resource === 'time';
}

/** Accounts whose time ends by itself, those above before those below, and when; one that is past it is due. */
export function deadlines(state: RunView, at: Instant): readonly (readonly [AccountView, Instant])[] {
  return ticking(state).flatMap((each) => {
    const left = timeLeft(state, each, at);
    const stands = left > 0 && (each.clock?.pending ?? 0) === 0;
    return stands || isOutOfTime(state, each) ? [] : [[each, at + left] as const];
  });
}

/** Those that pay for what is pending, and the run's own. */
function ticking({ ledger, steps, running, retrying, status }: RunView): readonly AccountView[] {
  if (status === 'new') return [];
  const found = new Set([account(ledger, RUN_ACCOUNT)]);
  for (const id of [...running, ...retrying]) {
    const way = wayUp(ledger, steps.get(id)?.account ?? RUN_ACCOUNT);
    for (const each of way.toReversed()) if (each.clock !== undefined) found.add(each);
  }
  return [...found];
}

interface GatesOf<G> {
  readonly gates: ReadonlyMap<string, G>;
  readonly openGates: ReadonlySet<string>;
}

/** In the order in which they were opened. */
export function openGatesOf<G>(state: GatesOf<G>): G[] {
  return [...state.openGates].flatMap((id) => state.gates.get(id) ?? []);
}

export function hasExpired({ expiresAt }: Pick<Gate, 'expiresAt'>, at: Instant): boolean {
  return expiresAt !== undefined && expiresAt <= at;
}
