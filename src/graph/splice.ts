// The mechanical half of a graft: joins new nodes to a graph at the cost of the fragment alone.
import { addEdge, addNode, type PlanGraph } from './plan-graph.ts';

export interface Splice {
  /** New nodes with all that each waits for: nodes of the splice or of the graph. */
  readonly nodes: readonly { readonly id: string; readonly after: readonly string[] }[];
  /** Where the new branches come together again. */
  readonly target: string;
  /** The new nodes that the target waits for. */
  readonly terminals: readonly string[];
}

/**
 * Cannot close a cycle when the splice's own edges have none and its nodes wait only for nodes that the target does
 * not precede: review has seen to both, so nothing here looks at the rest of the graph.
 */
export function splice(graph: PlanGraph, { nodes, target, terminals }: Splice): void {
  for (const { id } of nodes) addNode(graph, id);
  for (const { id, after } of nodes) for (const dependency of after) addEdge(graph, dependency, id);
  for (const terminal of terminals) addEdge(graph, terminal, target);
}
