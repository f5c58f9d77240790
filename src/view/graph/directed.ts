// The graph of a run as graphology has it, for whatever its libraries can tell of a graph.
import { DirectedGraph } from 'graphology';
import { topologicalGenerations } from 'graphology-dag';
import type { GraphEdge, GraphNode, RunGraph } from './export.ts';

export interface StepNode extends GraphNode {
  /** How far it stands from the steps that wait for nothing: 0 for those. */
  readonly generation: number;
}

export type StepEdge = Pick<GraphEdge, 'kind' | 'untravelled'>;

/** A copy: what is changed in it changes nothing of the run. Keys are step ids behind `step:`, which its plain-object maps can bear. */
export function directedGraphOf({ title, nodes, edges }: RunGraph): DirectedGraph<StepNode, StepEdge> {
  const graph = new DirectedGraph<StepNode, StepEdge>();
  graph.setAttribute('name', title);
  for (const node of nodes) graph.addNode(keyOf(node.id), { ...node, generation: 0 });
  for (const { from, to, ...edge } of edges) graph.addDirectedEdge(keyOf(from), keyOf(to), edge);
  for (const [generation, keys] of topologicalGenerations(graph).entries())
    for (const key of keys) graph.setNodeAttribute(key, 'generation', generation);
  return graph;
}

function keyOf(id: string): string {
  return `step:${id}`;
}
