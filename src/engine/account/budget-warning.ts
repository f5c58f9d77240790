// Warns once when an account has used most of a limit, so that planners converge.
import type { Instant } from '../../base/quantity.ts';
import { limitable, quantity } from '../../budget/amount.ts';
import { elapsedAt } from '../../budget/clock.ts';
import { type Account, account, standing } from '../../budget/ledger.ts';
import type { Exhaustion } from '../record/event-parts.schema.ts';
import { type Batch, emit } from '../state/batch.ts';
import { exhaustionOf, timeExhaustion } from '../state/exhaustion.ts';
import { RUN_ACCOUNT, type RunState } from '../state/state.ts';

const watched = [...limitable, 'time'] as const;

export function warnOfLimits(batch: Batch): void {
  const { state } = batch;
  const run = state.ledger.accounts.get(RUN_ACCOUNT);
  if (run === undefined || state.status === 'ended') return;
  const { ample = [], budget } = state.template;
  for (const resource of watched) {
    const percent = resource === 'time' ? percentElapsed(run, batch.at) : percentUsed(run, resource);
    if (percent < budget.warnAt || state.warned.has(`${RUN_ACCOUNT} ${resource}`)) continue;
    if (resource !== 'time' && ample.includes(resource)) continue;
    emit(batch, state.version, { type: 'budget.warned', account: RUN_ACCOUNT, resource, percent: Math.floor(percent) });
  }
}

/** Whether planners should finish rather than plan further. */
export function isConverging(state: RunState): boolean {
  return state.warned.size > 0 || state.exhausted.size > 0;
}

/** The limit because of which planners should finish, with its current figures. */
export function nearestLimit({ state, at }: Pick<Batch, 'state' | 'at'>): Exhaustion | undefined {
  const run = account(state.ledger, RUN_ACCOUNT);
  const near = watched.find((each) => state.warned.has(`${RUN_ACCOUNT} ${each}`));
  if (near === undefined) return [...state.exhausted.values()][0];
  return near === 'time' ? timeExhaustion(state, run, at) : exhaustionOf(standing(run, near));
}

function percentElapsed({ clock }: Account, at: Instant): number {
  return clock === undefined || clock.limit === 0 ? 0 : (elapsedAt(clock, at) * 100) / clock.limit;
}

/** Reservations do not count: phases of authored planning steps are reserved from the start. */
function percentUsed(account: Account, resource: (typeof limitable)[number]): number {
  const limit = account.limit[resource];
  if (limit === undefined || limit === 0) return 0;
  return (quantity(account.spent, resource) * 100) / limit;
}
