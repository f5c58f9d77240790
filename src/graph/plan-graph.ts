// The graph of a run's steps, on graphology: an edge says that its head waits for its tail.
import { DirectedGraph } from 'graphology';
import { Fault, present } from '../base/fault.ts';
import { createLivingGraph, type LivingGraph } from './living-graph.ts';

interface Identified {
  readonly id: string;
}

/**
 * The keys of nodes count up from `FIRST_KEY`: an integer cannot meet a name of `Object.prototype`, and graphology lists
 * neighbors with integer keys in ascending order. The attributes of a node are the node that was added.
 */
export interface PlanGraph<Node extends Identified = Identified> extends PlanGraphView<Node> {
  readonly keys: Map<string, string>;
}

/** The graph for readers, who cannot add nodes or edges. */
export interface PlanGraphView<Node extends Identified = Identified> {
  readonly living: LivingGraph<Node>;
  /** The key of each node by its id. */
  readonly keys: ReadonlyMap<string, string>;
}

/**
 * V8 keeps a property named 500 in an array of 500 places, and one named above 1,024 in a small table. graphology has two
 * such objects for each node: a graph of 1,000 nodes takes 12.5 KB a node with keys from 0, and 0.9 KB with these.
 */
export const FIRST_KEY = 1_000_000;

/** One object for all edges. */
const NO_ATTRIBUTES = Object.freeze({});

const { addNode: append, addDirectedEdgeWithKey: connect } = DirectedGraph.prototype;

export function createGraph<Node extends Identified>(): PlanGraph<Node> {
  const keys = new Map<string, string>();
  return { keys, living: createLivingGraph(keys) };
}

/** Faults when the graph has a node with this id already. */
export function addNode<Node extends Identified>({ living, keys }: PlanGraph<Node>, node: Node): void {
  if (keys.has(node.id)) throw new Fault(`the graph has the node ${node.id} already`);
  const key = String(FIRST_KEY + living.order);
  keys.set(node.id, key);
  append.call(living, key, node);
}

export function hasNode({ keys }: PlanGraphView, id: string): boolean {
  return keys.has(id);
}

/** Adds `from → to` once; true when the edge is new. */
export function addEdge(graph: PlanGraph, from: string, to: string): boolean {
  const { living } = graph;
  const tail = keyIn(graph, from);
  const head = keyIn(graph, to);
  if (living.hasDirectedEdge(tail, head)) return false;
  connect.call(living, living.size, tail, head, NO_ATTRIBUTES);
  return true;
}

export function hasEdge(graph: PlanGraphView, from: string, to: string): boolean {
  return graph.living.hasDirectedEdge(keyIn(graph, from), keyIn(graph, to));
}

/** Visits successors in the order in which they were added as nodes. */
export function forEachSuccessor<Node extends Identified>(
  graph: PlanGraphView<Node>,
  id: string,
  visit: (successor: Node) => void,
): void {
  graph.living.forEachOutNeighbor(keyIn(graph, id), (_key, node) => visit(node));
}

/** Ids in the order in which the successors were added as nodes. */
export function successors(graph: PlanGraphView, id: string): string[] {
  return graph.living.mapOutNeighbors(keyIn(graph, id), (_key, node) => node.id);
}

/** Ids in the order in which the predecessors were added as nodes. */
export function predecessors(graph: PlanGraphView, id: string): string[] {
  return graph.living.mapInNeighbors(keyIn(graph, id), (_key, node) => node.id);
}

/** Lists for each node in turn how many places before it each of its predecessors stands. */
export function distances({ living }: PlanGraphView): number[][] {
  return living.mapNodes((key) => living.inNeighbors(key).map((before) => Number(key) - Number(before)));
}

/** The graph of these nodes, in this order, that has these distances. */
export function graphFrom<Node extends Identified>(
  nodes: readonly Node[],
  apart: readonly (readonly number[])[],
): PlanGraph<Node> {
  const graph = createGraph<Node>();
  for (const node of nodes) addNode(graph, node);
  for (const [place, { id }] of nodes.entries()) {
    for (const distance of apart[place] ?? [])
      addEdge(graph, present(nodes[place - distance], 'a node that far before').id, id);
  }
  return graph;
}

function keyIn({ keys }: PlanGraphView, id: string): string {
  const key = keys.get(id);
  if (key === undefined) throw new Fault(`the graph has no node ${id}`);
  return key;
}
