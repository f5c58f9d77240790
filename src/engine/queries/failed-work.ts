// Lists the failed work of a phase, for the review of its repair.
import type { Digest } from '../../base/digest.ts';
import type { FailedWork } from '../../planning/frame.ts';
import { planHash } from '../../planning/plan-hash.ts';
import { type RepairFacts, type RunState, type Step, stepOf } from '../state/state.ts';
import { rootCauseOf } from './failure-history.ts';
import { stepsOfLineage } from './lineage.ts';

export function failedWork(state: RunState, { lineage }: RepairFacts): FailedWork {
  const steps = stepsOfLineage(state, lineage);
  const planned = new Set(steps.map(({ id }) => id));
  const hashes = new Map<string, Digest>(plansOf(state, lineage).map((id) => [id, lineage]));
  const hashOf = (id: string): Digest => {
    const found = hashes.get(id) ?? (planned.has(id) ? hashOfStep(stepOf(state, id), hashOf) : id);
    hashes.set(id, found);
    return found;
  };
  for (const id of planned) hashOf(id);
  const failed = [...steps.filter(({ status }) => status === 'failed'), ...failingOf(state, lineage)];
  return { hashes, steps: new Map(failed.map((step) => [hashOfStep(step, hashOf), step.id])) };
}

function hashOfStep({ spec, refs }: Step, hashOf: (id: string) => Digest): Digest {
  return planHash(spec, (name) => hashOf(refs?.[name] ?? name));
}

function plansOf(state: RunState, lineage: string): readonly string[] {
  return [lineage, ...(state.lineages.get(lineage)?.repairs ?? [])];
}

/** The root failures that the repairs of a lineage had to mend. */
function failingOf(state: RunState, lineage: string): Step[] {
  const repairs = (state.lineages.get(lineage)?.repairs ?? []).map((id) => stepOf(state, id).repairs);
  return repairs.flatMap((repair) => repair?.failing.map((id) => rootCauseOf(state, stepOf(state, id))) ?? []);
}
