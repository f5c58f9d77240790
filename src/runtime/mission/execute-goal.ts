// Pursues a goal until the run comes to rest, and returns the outcome of its plan.
import { good, type Result } from '../../base/result.ts';
import type { Engine, PursueOptions } from '../api/engine.ts';
import { type PlanOutcome, planOutcome } from '../api/plan-outcome.ts';

/** Runs until the run has ended or only people can move it. `given` holds results of tasks, by the names of their steps. */
export async function executeGoal(
  engine: Engine,
  goal: string,
  options: PursueOptions = {},
): Promise<Result<PlanOutcome>> {
  const begun = await engine.pursue(goal, options);
  if (!begun.ok) return begun;
  const report = await begun.value.done;
  const record = engine.read(report.run);
  return record.ok ? good(planOutcome(report, record.value), begun.warnings) : record;
}
