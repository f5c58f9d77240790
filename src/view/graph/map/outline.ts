// The outline of a run: its phases and dependencies, as far as a layout depends on them.
import type { RunView } from '../../../engine/state/run-view.ts';
import { predecessors } from '../../../graph/plan-graph.ts';
import { type PhaseTree, phaseTree } from '../../phases/phase-tree.ts';
import { countedSteps } from '../../phases/shown-status.ts';
import type { Outline } from './footprint.ts';

export function outlineOf(state: RunView, tree: PhaseTree = phaseTree(state)): Outline {
  const needs = new Map([...state.steps.keys()].map((id) => [id, predecessors(state.graph, id)] as const));
  const foldable = new Set<string>();
  for (const [key, { number, counts, replansOf }] of tree.phases) {
    const isDone = counts.completed === countedSteps(counts);
    if (number !== undefined && isDone && replansOf.length === 0) foldable.add(key);
  }
  return { tree, needs, foldable };
}
