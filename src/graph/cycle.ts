// Finds one cycle and names the nodes on it.
import { hasCycle } from 'graphology-dag';
import { present } from '../base/fault.ts';
import { generationsOf } from './generations.ts';
import { type PlanGraphView, successors as successorsIn } from './plan-graph.ts';

/** One cycle of a living graph, or undefined. Looks at the whole graph: a graft never asks. */
export function cycleIn(graph: PlanGraphView): readonly string[] | undefined {
  if (!hasCycle(graph.living)) return undefined;
  return findCycle([...graph.keys.keys()], (id) => successorsIn(graph, id));
}

/**
 * One cycle as a closed walk (`a → b → a` is `['a', 'b', 'a']`) from its earliest node, or undefined. Linear in nodes
 * and edges. Successors that are not among the nodes do not count.
 */
export function findCycle(
  nodes: readonly string[],
  successors: (node: string) => readonly string[],
): readonly string[] | undefined {
  if (isInOrder(nodes, successors)) return undefined;
  const generations = generationsOf(nodes, successors);
  const left = nodes.filter((node) => !generations.has(node));
  const [first] = left;
  if (first === undefined) return undefined;
  // Each node that is left has a predecessor that is left, so the way back from any of them enters a cycle.
  const predecessors = new Map<string, string>();
  for (const node of left) for (const next of successors(node)) predecessors.set(next, node);
  const seen = new Set<string>();
  let entry = first;
  for (; !seen.has(entry); entry = present(predecessors.get(entry), 'a predecessor')) seen.add(entry);
  const way = [...seen];
  const cycle = way.slice(way.indexOf(entry)).reverse();
  const onCycle = new Set(cycle);
  const start = cycle.indexOf(left.find((node) => onCycle.has(node)) ?? entry);
  return [...cycle.slice(start), ...cycle.slice(0, start + 1)];
}

/** Whether all edges lead forward in the list of nodes, or all lead back: most lists do, and such graphs have no cycle. */
function isInOrder(nodes: readonly string[], successors: (node: string) => readonly string[]): boolean {
  const places = new Map(nodes.map((node, place) => [node, place]));
  let direction = 0;
  for (const [node, place] of places) {
    for (const next of successors(node)) {
      const way = Math.sign((places.get(next) ?? Number.NaN) - place);
      if (Number.isNaN(way)) continue;
      if (way === 0 || way === -direction) return false;
      direction = way;
    }
  }
  return true;
}
