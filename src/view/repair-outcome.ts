// The outcome of the repair that took up a step's failure: repaired, under way, or failed again.
import type { RunView } from '../engine/state/run-view.ts';
import { isSatisfying, isTerminal, type Step, stepOf } from '../engine/state/state.ts';

export interface RepairOutcome {
  /** The repair step. */
  readonly by: string;
  readonly outcome: 'repaired' | 'under way' | 'failed';
  /** The repair has planned: a later failure is one of its plan. */
  readonly planned?: true;
}

/** Undefined if the step has not failed, or if no repair took it up. */
export function repairOutcomeOf(state: RunView, { status, takenUp }: Step): RepairOutcome | undefined {
  if (status !== 'failed' || takenUp === undefined) return undefined;
  const planned = state.phases.has(takenUp) ? ({ planned: true } as const) : {};
  return { by: takenUp, outcome: outcomeOf(state, stepOf(state, takenUp)), ...planned };
}

/** `repaired by plan~2`, `plan~2 repairs it`, `its repair plan~2 failed`, `what its repair plan~2 planned failed` */
export function repairOutcomeText({ by, outcome, planned }: RepairOutcome): string {
  if (outcome === 'repaired') return `repaired by ${by}`;
  if (outcome === 'under way') return `${by} repairs it`;
  return planned ? `what its repair ${by} planned failed` : `its repair ${by} failed`;
}

/** The outcome of a repair: the worst of its steps. */
function outcomeOf(state: RunView, step: Step): RepairOutcome['outcome'] {
  if (!isTerminal(step)) return 'under way';
  const again = repairOutcomeOf(state, step);
  if (again !== undefined) return again.outcome;
  if (step.status === 'superseded' && step.root !== undefined) return outcomeOf(state, stepOf(state, step.root));
  if (step.status === 'failed' || step.status === 'cancelled') return 'failed';
  const phase = state.phases.get(step.id);
  if (phase === undefined) return step.spec.type === 'planning' && !isSatisfying(step) ? 'failed' : 'repaired';
  const outcomes = new Set(phase.steps.map((id) => outcomeOf(state, stepOf(state, id))));
  if (outcomes.has('failed')) return 'failed';
  return outcomes.has('under way') ? 'under way' : 'repaired';
}
