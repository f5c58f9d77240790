// The graph of a run's steps: a graphology DirectedGraph whose keys are numbers, so that no step name can meet its plain-object maps.
import { DirectedGraph } from 'graphology';
import { topologicalGenerations } from 'graphology-dag';
import { Fault } from '../base/fault.ts';

interface Node {
  readonly id: string;
}

/**
 * Nodes are step ids; an edge says that its head waits for its tail. Numbers are also what the maps take best: names
 * would make a hidden class of each node's neighbours, which costs thrice the time and shows when a run is reopened.
 */
export interface PlanGraph {
  readonly digraph: DirectedGraph<Node>;
  /** Keys by id, counted up. */
  readonly keys: Map<string, string>;
}

/** Far from 0, since V8 would keep room in each node's map for everything below a small number. */
const FIRST = 1_000_000;

/** One for all edges: they carry nothing. */
const NOTHING = Object.freeze({});

export function createGraph(): PlanGraph {
  return { digraph: new DirectedGraph(), keys: new Map() };
}

/** Faults when the graph has it already. */
export function addNode({ digraph, keys }: PlanGraph, id: string): void {
  if (keys.has(id)) throw new Fault(`the graph has the node ${id} already`);
  const key = String(FIRST + keys.size);
  keys.set(id, key);
  digraph.addNode(key, { id });
}

export function hasNode({ keys }: PlanGraph, id: string): boolean {
  return keys.has(id);
}

/** Adds `from → to` once; true when it was not there before. */
export function addEdge(graph: PlanGraph, from: string, to: string): boolean {
  const tail = keyOf(graph, from);
  const head = keyOf(graph, to);
  if (graph.digraph.hasDirectedEdge(tail, head)) return false;
  graph.digraph.addDirectedEdge(tail, head, NOTHING);
  return true;
}

export function hasEdge(graph: PlanGraph, from: string, to: string): boolean {
  return graph.digraph.hasDirectedEdge(keyOf(graph, from), keyOf(graph, to));
}

/** In the order in which the successors were added as nodes, as everywhere here. */
export function forEachSuccessor(graph: PlanGraph, id: string, visit: (successor: string) => void): void {
  graph.digraph.forEachOutNeighbor(keyOf(graph, id), (_key, node) => visit(node.id));
}

export function successors(graph: PlanGraph, id: string): string[] {
  return graph.digraph.mapOutNeighbors(keyOf(graph, id), (_key, node) => node.id);
}

export function predecessors(graph: PlanGraph, id: string): string[] {
  return graph.digraph.mapInNeighbors(keyOf(graph, id), (_key, node) => node.id);
}

/** Steps by how far they stand from the sources. Costs the whole graph: for loading and drawing, never per step. */
export function generations({ digraph }: PlanGraph): string[][] {
  return topologicalGenerations(digraph).map((keys) => keys.map((key) => digraph.getNodeAttribute(key, 'id')));
}

function keyOf({ keys }: PlanGraph, id: string): string {
  const key = keys.get(id);
  if (key === undefined) throw new Fault(`the graph has no node ${id}`);
  return key;
}
