// Computes when an idle driver wakes: at the next retry, the next expiry of a gate, or the end of an account's time.
import type { Instant } from '../../base/quantity.ts';
import { deadlines } from '../../engine/state/deadline.ts';
import type { RunState } from '../../engine/state/state.ts';

/** Undefined: only an outcome or an order can change the run. `told`: the driver has already handled everything that is due. */
export function nextWake(state: RunState, at: Instant, told: boolean): Instant | undefined {
  const retries = [...state.retrying].flatMap((id) => state.steps.get(id)?.retryAt ?? []).filter((each) => each > at);
  const expiries = [...gateExpiries(state), ...ends(state, at)].filter((each) => !told || each > at);
  const next = Math.min(...retries, ...expiries);
  return Number.isFinite(next) ? Math.max(at, next) : undefined;
}

/** True when an account has run out of time or an open gate has expired. */
export function isExpiryDue(state: RunState, at: Instant): boolean {
  return [...gateExpiries(state), ...ends(state, at)].some((each) => each <= at);
}

function gateExpiries({ gates, openGates }: RunState): readonly Instant[] {
  return [...openGates].flatMap((id) => gates.get(id)?.expiresAt ?? []);
}

/** Time that a run waits for people does not count. */
function ends(state: RunState, at: Instant): readonly Instant[] {
  return deadlines(state, at).map(([, end]) => end);
}
