// The graph of a run's steps as it lives: who waits for whom, in lists that an edge costs next to nothing to join.
import { Fault, present } from '../base/fault.ts';

interface Node {
  readonly id: string;
  /** Its place among all nodes. */
  readonly place: number;
  /** Both in the order of places. */
  successors: Node[];
  predecessors: Node[];
}

/** Most steps have few neighbours: up to so many, a list is made anew for each, and holds no room for more. */
const FEW = 8;

/** Nodes are step ids; an edge says that its head waits for its tail. */
export interface PlanGraph {
  /** In the order in which they were added. */
  readonly nodes: Map<string, Node>;
}

const NONE: Node[] = [];

export function createGraph(): PlanGraph {
  return { nodes: new Map() };
}

/** Faults when the graph has it already. */
export function addNode({ nodes }: PlanGraph, id: string): void {
  if (nodes.has(id)) throw new Fault(`the graph has the node ${id} already`);
  nodes.set(id, { id, place: nodes.size, successors: NONE, predecessors: NONE });
}

export function hasNode({ nodes }: PlanGraph, id: string): boolean {
  return nodes.has(id);
}

/** Adds `from → to` once; true when it was not there before. */
export function addEdge(graph: PlanGraph, from: string, to: string): boolean {
  const tail = nodeOf(graph, from);
  const head = nodeOf(graph, to);
  const place = placeIn(tail.successors, head);
  if (tail.successors[place] === head) return false;
  tail.successors = joined(tail.successors, place, head);
  head.predecessors = joined(head.predecessors, placeIn(head.predecessors, tail), tail);
  return true;
}

export function hasEdge(graph: PlanGraph, from: string, to: string): boolean {
  const { successors: list } = nodeOf(graph, from);
  const head = nodeOf(graph, to);
  return list[placeIn(list, head)] === head;
}

/** In the order in which the successors were added as nodes, as everywhere here. */
export function forEachSuccessor(graph: PlanGraph, id: string, visit: (successor: string) => void): void {
  for (const node of nodeOf(graph, id).successors) visit(node.id);
}

export function successors(graph: PlanGraph, id: string): string[] {
  return nodeOf(graph, id).successors.map((node) => node.id);
}

export function predecessors(graph: PlanGraph, id: string): string[] {
  return nodeOf(graph, id).predecessors.map((node) => node.id);
}

/** For each node in turn, how far before it in that order the nodes stand that it waits for. */
export function distances({ nodes }: PlanGraph): number[][] {
  return [...nodes.values()].map(({ place, predecessors: list }) => list.map((each) => place - each.place));
}

/** The graph of these ids, in this order, that has these distances. */
export function graphFrom(ids: readonly string[], apart: readonly (readonly number[])[]): PlanGraph {
  const graph = createGraph();
  for (const id of ids) addNode(graph, id);
  const nodes = [...graph.nodes.values()];
  for (const [place, node] of nodes.entries()) {
    node.predecessors = (apart[place] ?? []).map((distance) =>
      present(nodes[place - distance], 'a node that far before'),
    );
    for (const each of node.predecessors) each.successors = joined(each.successors, each.successors.length, node);
  }
  return graph;
}

function joined(list: Node[], place: number, node: Node): Node[] {
  if (list.length < FEW) return list.toSpliced(place, 0, node);
  if (place === list.length) list.push(node);
  else list.splice(place, 0, node);
  return list;
}

/** Where the node stands in the list, or would: at the end of it nearly always, as what is added later comes later. */
function placeIn(list: readonly Node[], { place }: Node): number {
  let [low, high] = [0, list.length];
  if ((list[high - 1]?.place ?? -1) < place) return high;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((list[middle]?.place ?? place) < place) low = middle + 1;
    else high = middle;
  }
  return low;
}

function nodeOf({ nodes }: PlanGraph, id: string): Node {
  const node = nodes.get(id);
  if (node === undefined) throw new Fault(`the graph has no node ${id}`);
  return node;
}
