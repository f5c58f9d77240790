// What is asked of a graph as a whole, answered by graphology: built for the question, at the cost of the graph.
import { DirectedGraph } from 'graphology';
import { topologicalGenerations } from 'graphology-dag';
import type { PlanGraph } from './plan-graph.ts';

/** One for all edges: they carry nothing. */
const NOTHING = Object.freeze({});

/**
 * Steps by how far they stand from the sources; throws for a graph with a cycle. For loading and drawing, never per step.
 * Places are the library's keys: its maps are plain objects, which names of steps would meet.
 */
export function generations({ nodes }: PlanGraph): string[][] {
  const graph = new DirectedGraph<{ readonly id: string }>();
  for (const { id, place } of nodes.values()) graph.addNode(place, { id });
  for (const { place, successors } of nodes.values()) {
    for (const successor of successors) graph.addDirectedEdge(place, successor.place, NOTHING);
  }
  return topologicalGenerations(graph).map((keys) => keys.map((key) => graph.getNodeAttribute(key, 'id')));
}
