// Reads the choice of a decision step, and skips the branches that were not chosen.
import { type Failure, failure } from '../../base/failure.ts';
import { type Json, ownProperty } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { type Batch, emit } from '../state/batch.ts';
import { branchesOf } from '../state/joined-branches.ts';
import { isTerminal, type Step, stepOf } from '../state/state.ts';

/**
 * Reads the names of the chosen branches: a name, a list of names, or nothing; under `branches` if a capability or an
 * agent decides. Choosing none is valid.
 */
export function readChoice({ spec }: Step, value: Json): Result<readonly string[], Failure> {
  const isTold = (spec.capability ?? spec.agent) !== undefined;
  const said = isTold ? (ownProperty(value, 'branches') ?? undecided) : value;
  const names: readonly Json[] = said === null ? [] : Array.isArray(said) ? said : [said];
  const declared = spec.decision?.branches ?? [];
  const branches = names.filter((name): name is string => typeof name === 'string' && declared.includes(name));
  if (branches.length === names.length) return good([...new Set(branches)]);
  const stranger = names.find((name) => typeof name !== 'string' || !declared.includes(name));
  const hint = typeof stranger === 'string' ? didYouMean(stranger, declared) : undefined;
  const what = typeof stranger === 'string' ? `"${stranger}" is no branch of it` : 'its answer names no branches';
  const message = `${what}; it has ${declared.join(', ')}${hint === undefined ? '' : `: ${hint}`}`;
  return bad(failure('DECISION_INVALID', message));
}

/** An answer without `branches`. */
const undecided: Json = false;

/** Skips the branches that were not chosen; the steps behind them are skipped up to the next convergence. */
export function closeBranches(batch: Batch, step: Step, chosen: readonly string[]): void {
  const { state } = batch;
  const cause = state.version;
  const kept = new Set(chosen.map((name) => step.refs?.[name] ?? name));
  for (const id of branchesOf(step)) {
    const branch = stepOf(state, id);
    if (kept.has(id) || isTerminal(branch)) continue;
    emit(batch, cause, { type: 'step.skipped', step: branch.id, reason: 'not_chosen', root: step.id });
  }
}
