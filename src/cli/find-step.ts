// Finds a step by its id, or by the last part of its id if only one step's id ends with that part.
import { issue } from '../base/issue.ts';
import { didYouMean } from '../base/nearest.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { RunView } from '../engine/state/run-view.ts';
import type { Step } from '../engine/state/state.ts';
import { localName } from '../view/status.ts';

export function findStep(state: RunView, named: string): Result<Step> {
  const exact = state.steps.get(named);
  if (exact !== undefined) return good(exact);
  const steps = [...state.steps.values()];
  const ending = steps.filter(({ id }) => localName(id) === named);
  const [only] = ending;
  if (only !== undefined && ending.length === 1) return good(only);
  if (ending.length > 1) {
    const hint = `choose from ${ending.map(({ id }) => id).join(', ')}`;
    return bad([issue('STEP_AMBIGUOUS', `${ending.length} steps of run ${state.id} are called "${named}"`, { hint })]);
  }
  const names = steps.flatMap(({ id }) => [id, localName(id)]);
  const hint = didYouMean(named, names) ?? `see its steps: reconverge show ${state.id}`;
  return bad([issue('STEP_MISSING', `run ${state.id} has no step "${named}"`, { hint })]);
}
