// Finds the successful calls of a run by their content, and those that a step may adopt.
import { type Digest, digestOf } from '../../base/digest.ts';
import { calleeOf } from '../queries/callee.ts';
import { lineageOf, plannersAbove } from '../queries/lineage.ts';
import { contentKey } from '../record/content-key.ts';
import type { FinishedWork } from '../record/run-events.schema.ts';
import { FRAME_REPAIR } from '../state/add-steps.ts';
import type { RunState, Step } from '../state/state.ts';
import { callInput, isFixed } from '../values/call-input.ts';
import { outputOf } from '../values/check-result.ts';

/** All finished work of a run, for another run to reuse. */
export function finishedWorkOf(state: RunState): readonly FinishedWork[] {
  return [...state.steps.values()].flatMap((step) => asWork(state, step) ?? []);
}

/** The work that a step may adopt: first from the plans that its repair replaces, then from the reused run, each result once. */
export function adoptableWork(state: RunState, step: Step, key?: Digest): readonly FinishedWork[] {
  const { fresh } = step.spec;
  const capability = calleeOf(state, step.spec);
  if (capability === undefined || fresh === true) return [];
  const isAlike = (work: FinishedWork): boolean =>
    key === undefined ? work.capability === capability : work.key === key;
  const before = replacedSteps(state, step).flatMap((each) => asWork(state, each) ?? []);
  const reused = state.reuse.filter((work) => isAlike(work) && !state.reused.has(`${work.run}/${work.step}`));
  return [...before.filter(isAlike), ...reused];
}

/** The steps of the plans that the nearest repair above a step replaces. */
export function replacedSteps(state: RunState, step: Step): readonly Step[] {
  const repair = plannersAbove(state, step).find(({ repairs }) => repairs !== undefined);
  if (repair === undefined) return [];
  const lineage = lineageOf(repair);
  const isBefore = (each: Step): boolean => {
    const above = [...plannersAbove(state, each)];
    if (above.includes(repair)) return false;
    return above.some((planner) => lineageOf(planner) === lineage) || (lineage === FRAME_REPAIR && above.length === 0);
  };
  return [...state.steps.values()].filter(isBefore);
}

function asWork(state: RunState, step: Step): FinishedWork | undefined {
  const { id, spec, status, result, takenUp } = step;
  const capability = calleeOf(state, spec);
  if (capability === undefined || status !== 'completed' || takenUp !== undefined || result === undefined)
    return undefined;
  const key = keyOf(state, step, capability);
  return key === undefined ? undefined : { run: state.id, step: id, capability, key, value: result };
}

const remembered = new WeakMap<Step, Digest>();

/** The content key of an ended step, whose input no longer changes. */
function keyOf(state: RunState, step: Step, capability: string): Digest | undefined {
  const known = remembered.get(step);
  if (known !== undefined) return known;
  const input = step.inputDigest ?? fixedInput(state, step);
  if (input === undefined) return undefined;
  const key = contentKey(capability, input, outputOf(state, step));
  remembered.set(step, key);
  return key;
}

/** The digest of an input that the step states in full, so that no value has to be loaded. */
function fixedInput(state: RunState, step: Step): Digest | undefined {
  if (!isFixed(step)) return undefined;
  const input = callInput({ state, values: new Map() }, step);
  return input.ok ? digestOf(input.value) : undefined;
}
