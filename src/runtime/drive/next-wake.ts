// When a driver looks again although nothing has come back: at the next retry, the next expiry of a gate, or the end of an account's time.
import type { Instant } from '../../base/quantity.ts';
import { deadlines } from '../../engine/state/deadline.ts';
import type { RunState } from '../../engine/state/state.ts';

/** Undefined: nothing but an outcome or an order can change anything. `told`: that what is due has been told already. */
export function nextWake(state: RunState, at: Instant, told: boolean): Instant | undefined {
  const retries = [...state.retrying].flatMap((id) => state.steps.get(id)?.retryAt ?? []).filter((each) => each > at);
  const expiries = [...gateExpiries(state), ...ends(state, at)].filter((each) => !told || each > at);
  const next = Math.min(...retries, ...expiries);
  return Number.isFinite(next) ? Math.max(at, next) : undefined;
}

/** The time of an account is over, or a gate is open that nobody has answered in time. */
export function isExpiryDue(state: RunState, at: Instant): boolean {
  return [...gateExpiries(state), ...ends(state, at)].some((each) => each <= at);
}

function gateExpiries({ gates, openGates }: RunState): readonly Instant[] {
  return [...openGates].flatMap((id) => gates.get(id)?.expiresAt ?? []);
}

/** Waiting for people costs no wall clock, but what has been used of it before counts. */
function ends(state: RunState, at: Instant): readonly Instant[] {
  return deadlines(state, at).map(([, end]) => end);
}
