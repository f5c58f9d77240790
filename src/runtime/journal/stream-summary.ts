// The summary of a run for lists of runs, kept in its stream header so that listing reads no events.
import { defined } from '../../base/json.ts';
import { type Amount, type Limit, quantity } from '../../budget/amount.ts';
import { stepsWithChild } from '../../engine/state/child-run.ts';
import { RUN_ACCOUNT, type RunState } from '../../engine/state/state.ts';
import { isWaiting } from '../../engine/state/waiting.ts';

interface StreamSummary {
  readonly spent: Readonly<Record<string, number>>;
  readonly limit: Readonly<Record<string, number>>;
  readonly partial: boolean;
  /** The number of open gates. */
  readonly gates: number;
  /** The parent run. */
  readonly parent?: string;
  /** The child runs that have not ended. */
  readonly children?: readonly string[];
}

const shown = ['steps', 'phases', 'cost_usd'] as const;

export function streamStatus(state: RunState): string {
  return state.ended?.status ?? (isWaiting(state) ? 'waiting' : state.status);
}

export function streamSummary(state: RunState): string {
  const account = state.ledger.accounts.get(RUN_ACCOUNT);
  const spent: Amount = account?.spent ?? {};
  const limit: Limit = account?.limit ?? {};
  const children = stepsWithChild(state).flatMap(({ child }) => child ?? []);
  const summary: StreamSummary = {
    spent: Object.fromEntries(shown.map((of) => [of, quantity(spent, of)])),
    limit: Object.fromEntries(shown.flatMap((of) => (limit[of] === undefined ? [] : [[of, limit[of]] as const]))),
    partial: state.partial,
    gates: state.openGates.size,
    ...defined({ parent: state.parent === undefined ? undefined : state.parent.run }),
    ...(children.length === 0 ? {} : { children }),
  };
  return JSON.stringify(summary);
}
