// Levels of a directed graph, by the topological order of graphology-dag.
import { DirectedGraph } from 'graphology';
import { forEachNodeInTopologicalOrder } from 'graphology-dag';
import { FIRST_KEY } from './plan-graph.ts';

interface Named {
  readonly name: string;
}

/**
 * The generation of each node, in topological order: 0 without predecessors, else one more than that of its latest
 * predecessor. A node on a cycle or behind one has none. Successors that are not among the nodes do not count.
 */
export function generationsOf(
  nodes: readonly string[],
  successors: (node: string) => readonly string[],
): ReadonlyMap<string, number> {
  if (nodes.length === 0) return new Map();
  const graph = new DirectedGraph<Named>();
  const keys = new Map(nodes.map((name, key) => [name, graph.addNode(FIRST_KEY + key, { name })]));
  for (const [name, tail] of keys) {
    for (const head of successors(name))
      if (keys.has(head)) graph.mergeDirectedEdgeWithKey(graph.size, tail, keys.get(head));
  }
  const generations = new Map<string, number>();
  try {
    forEachNodeInTopologicalOrder(graph, (_key, { name }, generation) => generations.set(name, generation));
  } catch (error) {
    // graphology-dag reports a cycle by an error after the last node that is behind no cycle.
    if (generations.size === graph.order) throw error;
  }
  return generations;
}
