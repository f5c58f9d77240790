// Losses within successful branches: failed items of fan-outs, and tolerated failures.
import { defined } from '../../base/json.ts';
import { predecessors } from '../../graph/plan-graph.ts';
import type { FailedFeeder, ToleratedStep } from '../record/convergence.schema.ts';
import { type RunState, type Step, stepOf } from '../state/state.ts';
import { describeEnd } from './branch-ends.ts';

export interface BranchLosses {
  readonly failed: readonly FailedFeeder[];
  readonly tolerated: readonly ToleratedStep[];
}

/** Looks at the steps since the last convergence before the target: that one has reported its own losses. */
export function lossesOf(state: RunState, target: Step): BranchLosses {
  const direct = new Set(predecessors(state.graph, target.id));
  const seen = new Set<string>();
  const failed: FailedFeeder[] = [];
  const tolerated: ToleratedStep[] = [];
  const pending = [...direct].reverse();
  for (let id = pending.pop(); id !== undefined; id = pending.pop()) {
    const step = stepOf(state, id);
    if (seen.has(id) || step.item !== undefined) continue;
    seen.add(id);
    if (step.takenUp === undefined) {
      if (step.skipped === 'tolerated' && !direct.has(id)) tolerated.push(toleratedStep(step));
      if (step.status === 'completed') {
        const items = (step.expanded ?? []).map((item) => stepOf(state, item));
        failed.push(...items.filter(hasFailed).map((item) => failedItem(step, item)));
        tolerated.push(...items.filter(({ skipped }) => skipped === 'tolerated').map((item) => toleratedStep(item)));
      }
    }
    if (!step.converges) pending.push(...predecessors(state.graph, id).reverse());
  }
  return { failed, tolerated };
}

/** Whether an item of a fan-out failed without being tolerated. */
export function hasFailed({ status }: Step): boolean {
  return status === 'failed' || status === 'cancelled';
}

function toleratedStep(step: Step): ToleratedStep {
  return { step: step.id, ...of(step), ...describeEnd(step) };
}

function failedItem(fanOut: Step, item: Step): FailedFeeder {
  return { step: item.id, of: fanOut.id, root: item.root ?? item.id, ...describeEnd(item) };
}

function of({ item }: Step): Pick<ToleratedStep, 'of'> {
  return defined({ of: item === undefined ? undefined : item.of });
}
