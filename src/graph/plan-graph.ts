// The graph of a run's steps: a graphology DirectedGraph whose keys carry a prefix, so that no step name can meet its plain-object maps.
import { DirectedGraph } from 'graphology';
import { topologicalGenerations } from 'graphology-dag';

/** Nodes are step ids; an edge says that its head waits for its tail. */
export type PlanGraph = DirectedGraph;

const PREFIX = 's:';

function key(id: string): string {
  return PREFIX + id;
}

function idOf(nodeKey: string): string {
  return nodeKey.slice(PREFIX.length);
}

export function createGraph(): PlanGraph {
  return new DirectedGraph();
}

export function addNode(graph: PlanGraph, id: string): void {
  graph.addNode(key(id));
}

export function hasNode(graph: PlanGraph, id: string): boolean {
  return graph.hasNode(key(id));
}

/** Adds `from → to` once; true when it was not there before. */
export function addEdge(graph: PlanGraph, from: string, to: string): boolean {
  const tail = key(from);
  const head = key(to);
  if (graph.hasDirectedEdge(tail, head)) return false;
  graph.addDirectedEdge(tail, head);
  return true;
}

export function hasEdge(graph: PlanGraph, from: string, to: string): boolean {
  return graph.hasDirectedEdge(key(from), key(to));
}

export function forEachSuccessor(graph: PlanGraph, id: string, visit: (successor: string) => void): void {
  graph.forEachOutNeighbor(key(id), (neighbor) => visit(idOf(neighbor)));
}

export function successors(graph: PlanGraph, id: string): string[] {
  return graph.outNeighbors(key(id)).map(idOf);
}

export function predecessors(graph: PlanGraph, id: string): string[] {
  return graph.inNeighbors(key(id)).map(idOf);
}

/** Steps by how far they stand from the sources. Costs the whole graph: for loading and drawing, never per step. */
export function generations(graph: PlanGraph): string[][] {
  return topologicalGenerations(graph).map((generation) => generation.map(idOf));
}
