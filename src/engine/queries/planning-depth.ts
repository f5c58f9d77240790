// How deep planning may still nest below a planning step, and which limit decides it.
import { present } from '../../base/fault.ts';
import { type Account, accountChain } from '../../budget/ledger.ts';
import type { Exhaustion } from '../record/event-parts.schema.ts';
import { limitPlace } from '../state/exhaustion.ts';
import { RUN_ACCOUNT, type RunState, type Step } from '../state/state.ts';

interface DepthLevel {
  readonly account: Account;
  readonly limit: number;
  /** Levels of planning under the account, with the step's own. */
  readonly used: number;
}

/** The number of planning steps that may still nest below this one. */
export function depthLeft(state: RunState, step: Step): number {
  return levelsOver(state, step).reduce(
    (least, { limit, used }) => Math.min(least, Math.max(0, limit - used)),
    Infinity,
  );
}

/** The nearest limit that forbids planning below the step. */
export function depthExhaustion(state: RunState, step: Step): Exhaustion {
  const met = levelsOver(state, step).find(({ limit, used }) => used >= limit);
  const { account, limit, used } = present(met, `planning depth that ${step.id} met`);
  const key = limitPlace(account.id, 'planning_depth');
  return { account: account.id, resource: 'planning_depth', limit, spent: used, reserved: 0, landing: 0, key };
}

/** Nearest first. */
function levelsOver(state: RunState, step: Step): readonly DepthLevel[] {
  return accountChain(state.ledger, step.account).flatMap((account) => {
    const { planningDepth } = account;
    if (planningDepth === undefined) return [];
    const top = account.id === RUN_ACCOUNT ? 0 : levelOf(state.steps.get(account.id));
    return [{ account, limit: planningDepth, used: levelOf(step) - top + 1 }];
  });
}

/** The planning depth of a step: 0 for authored steps. */
function levelOf(step: Step | undefined): number {
  return step?.provenance?.depth ?? 0;
}
