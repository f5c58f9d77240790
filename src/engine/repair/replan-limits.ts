// Finds the planner that would repair a failure, and the limits that forbid the repair.
import { type Failure, failure } from '../../base/failure.ts';
import { present } from '../../base/fault.ts';
import { shortfall } from '../../budget/ledger.ts';
import { successors } from '../../graph/plan-graph.ts';
import { defaultReplan, type ReplanSpec } from '../../template/step-spec.ts';
import { replanSettings } from '../packet/planning-settings.ts';
import { isDecided } from '../queries/branch-ends.ts';
import { lineageOf } from '../queries/lineage.ts';
import { FRAME_REPAIR } from '../state/add-steps.ts';
import { exhaustedAbove, exhaustionOf, exhaustionText } from '../state/exhaustion.ts';
import { RUN_ACCOUNT, type RunState, type Step, stepOf } from '../state/state.ts';

/** The planning step whose plan failed, or the template's own repair planner. */
export interface Replanner {
  /** Absent: the template's own repair planner. */
  readonly planner: Step | undefined;
  readonly lineage: string;
  readonly target: Step;
  readonly account: string;
  readonly spec: Required<ReplanSpec>;
  /** The number that the next repair would have. */
  readonly trial: number;
}

/** A step outside every phase has a planner only if the template has `repair`. */
export function replannerOf(state: RunState, step: Step): Replanner | undefined {
  if (step.provenance !== undefined) return replannerFor(state, stepOf(state, step.provenance.planner));
  const { repair } = state.template;
  const target = repair === undefined ? undefined : nearestConvergence(state, step);
  if (repair === undefined || target === undefined) return undefined;
  const spec: Replanner['spec'] = { ...defaultReplan, ...repair.planning?.replan, scope: 'tail', max: 0 };
  return { planner: undefined, lineage: FRAME_REPAIR, target, account: RUN_ACCOUNT, spec, trial: 1 };
}

export function replannerFor(state: RunState, planner: Step): Replanner {
  return {
    planner,
    lineage: lineageOf(planner),
    target: stepOf(state, present(planner.target, `convergence target of ${planner.id}`)),
    account: planner.account,
    spec: replanSettings(state, planner),
    trial: (planner.repairs?.trial ?? 0) + 1,
  };
}

/** The convergence step that is the fewest steps away. */
function nearestConvergence(state: RunState, step: Step): Step | undefined {
  const seen = new Set([step.id]);
  for (const id of seen) {
    const at = stepOf(state, id);
    if (at.converges && at !== step) return at;
    for (const next of successors(state.graph, id)) seen.add(next);
  }
  return undefined;
}

export interface Obstacle {
  readonly reason: string;
  /** The target of the phase accepts no more steps. */
  readonly late: boolean;
  /** Only a limit above zero forbids the repair, so a person may allow one more. */
  readonly mayAsk: boolean;
}

/** `scope`: `target` when whole phases failed at their target. `beside`: other repairs that start at the same time. */
export function obstacleTo(
  state: RunState,
  replanner: Replanner,
  scope: ReplanSpec['scope'] | 'target',
  beside = 0,
): Obstacle | undefined {
  const { lineage, spec, trial } = replanner;
  const always = obstacleToAny(state, replanner, beside);
  if (always !== undefined) return always;
  const whole = state.lineages.get(lineage)?.whole ?? 0;
  const met = limitMet(spec, trial, whole, scope);
  return met === undefined ? undefined : { ...met, late: false, mayAsk: met.mayAsk && spec.afterLast === 'ask' };
}

/** The obstacle that holds even if a person asks for the repair. */
export function obstacleToAny(state: RunState, { target, account }: Replanner, beside = 0): Obstacle | undefined {
  const closed = closedBecause(state, target);
  if (closed !== undefined) return { reason: `${target.id} ${closed}`, late: true, mayAsk: false };
  const unpaid = state.template.failFast
    ? 'fail_fast ends the run at its first failure'
    : unpaidFrom(state, account, beside + 1);
  return unpaid === undefined ? undefined : { reason: unpaid, late: false, mayAsk: false };
}

/**
 * A target that has begun accepts no more steps, also while it waits for its own items. A target that is held because a
 * person is asked about a repair still accepts them.
 */
function closedBecause(state: RunState, target: Step): string | undefined {
  const { status, convergence, waiting, spec, expanded } = target;
  if (expanded !== undefined) return 'has begun already';
  if (status !== 'waiting' && !(status === 'held' && convergence === undefined)) return 'has begun already';
  const isEarly = spec.convergence?.early === true && waiting > 0;
  return isEarly && isDecided(state, target) ? 'is decided already' : undefined;
}

function unpaidFrom(state: RunState, account: string, repairs: number): string | undefined {
  const [spent] = exhaustedAbove(state, account);
  if (spent !== undefined) return exhaustionText(spent);
  const own = shortfall(state.ledger, account, { steps: 1, replans: 1 }, false);
  const short = own ?? shortfall(state.ledger, RUN_ACCOUNT, { steps: repairs, replans: repairs }, false);
  return short === undefined ? undefined : exhaustionText(exhaustionOf(short));
}

/** `max_replan_attempts` limits repairs of repairs; `max` limits how often a whole phase is planned again. */
function limitMet(
  { max, maxAttempts }: Required<ReplanSpec>,
  trial: number,
  whole: number,
  scope: ReplanSpec['scope'] | 'target',
): Pick<Obstacle, 'reason' | 'mayAsk'> | undefined {
  if (scope !== 'target' && trial > maxAttempts) {
    return { reason: `replan.max_replan_attempts is ${maxAttempts}`, mayAsk: maxAttempts > 0 };
  }
  return scope !== 'tail' && whole >= max ? { reason: `replan.max is ${max}`, mayAsk: max > 0 } : undefined;
}

/** The failure, with the reason why it is not repaired. */
export function withObstacle(why: Failure, { reason, late }: Obstacle): Failure {
  const message = `${why.message}; it is not planned again: ${reason}`;
  return late ? failure('REPLAN_TOO_LATE', message, { retry: 'never', cause: why }) : { ...why, message };
}
