// The edges of a graft: joins new nodes to a graph at the cost of the fragment alone.
import { addEdge, type PlanGraph } from './plan-graph.ts';

export interface GraftedNodes {
  /** New nodes, and the nodes of the graft or of the graph that each of them waits for. */
  readonly nodes: readonly { readonly id: string; readonly after: readonly string[] }[];
  /** The node where the new branches come together. */
  readonly target: string;
  /** The new nodes that the target waits for. */
  readonly terminals: readonly string[];
}

/**
 * Cannot close a cycle when the new edges alone have none and the new nodes wait only for nodes that the target does
 * not precede. The review of a fragment checks both, so nothing here looks at the rest of the graph.
 */
export function graftInto(graph: PlanGraph, { nodes, target, terminals }: GraftedNodes): void {
  for (const { id, after } of nodes) for (const dependency of after) addEdge(graph, dependency, id);
  for (const terminal of terminals) addEdge(graph, terminal, target);
}
