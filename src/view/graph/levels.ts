// Adds to each step of a graph its level: the length of the longest way from the beginning.
import { present } from '../../base/fault.ts';
import { generationsOf } from '../../graph/generations.ts';
import type { GraphNode, RunGraph } from './export.ts';

interface LeveledNode extends GraphNode {
  /** 0 without dependencies, else one more than the level of the latest dependency. */
  readonly level: number;
}

interface LeveledGraph extends RunGraph {
  readonly nodes: readonly LeveledNode[];
}

export function withLevels(graph: RunGraph): LeveledGraph {
  const after = Map.groupBy(graph.edges, ({ from }) => from);
  const ids = graph.nodes.map(({ id }) => id);
  const levels = generationsOf(ids, (id) => (after.get(id) ?? []).map(({ to }) => to));
  return {
    ...graph,
    nodes: graph.nodes.map((node) => ({ ...node, level: present(levels.get(node.id), 'a level') })),
  };
}
