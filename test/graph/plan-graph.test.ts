// The graph survives every name that people and models come up with, and says which nodes a cycle passes.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findCycle } from '../../src/graph/cycle.ts';
import { graftInto } from '../../src/graph/graft.ts';
import {
  addEdge,
  addNode,
  createGraph,
  hasEdge,
  hasNode,
  predecessors,
  successors,
} from '../../src/graph/plan-graph.ts';
import { reachableFrom } from '../../src/graph/reach.ts';

const hostile = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];

describe('a plan graph', () => {
  it('accepts names of properties of Object.prototype', () => {
    const graph = createGraph();
    for (const id of hostile) addNode(graph, { id });
    for (const [index, id] of hostile.entries()) if (index > 0) addEdge(graph, hostile[index - 1] ?? '', id);
    expect(hostile.every((id) => hasNode(graph, id))).toBe(true);
    expect(successors(graph, 'constructor')).toEqual(['__proto__']);
    expect(predecessors(graph, 'toString')).toEqual(['__proto__']);
  });

  it('adds an edge once', () => {
    const graph = createGraph();
    for (const id of ['a', 'b']) addNode(graph, { id });
    expect([addEdge(graph, 'a', 'b'), addEdge(graph, 'a', 'b')]).toEqual([true, false]);
    expect(hasEdge(graph, 'b', 'a')).toBe(false);
  });

  it('lists neighbors in the order of nodes, whatever the order of edges', () => {
    const ids = Array.from({ length: 12 }, (_, i) => `s${i}`);
    const edges = fc.array(fc.tuple(fc.nat(11), fc.nat(11)), { maxLength: 60 });
    fc.assert(
      fc.property(edges, (pairs) => {
        const graph = createGraph();
        for (const id of ids) addNode(graph, { id });
        const known = new Set<string>();
        for (const [from, to] of pairs) {
          expect(addEdge(graph, `s${from}`, `s${to}`)).toBe(!known.has(`${from} ${to}`));
          known.add(`${from} ${to}`);
        }
        for (const [at, id] of ids.entries()) {
          expect(successors(graph, id)).toEqual(ids.filter((_, to) => known.has(`${at} ${to}`)));
          expect(predecessors(graph, id)).toEqual(ids.filter((_, from) => known.has(`${from} ${at}`)));
          for (const [to, other] of ids.entries()) expect(hasEdge(graph, id, other)).toBe(known.has(`${at} ${to}`));
        }
      }),
    );
  });

  it('splices 500 layers of 20 diamonds in at the top without reading the rest', () => {
    const graph = createGraph();
    addNode(graph, { id: 'top' });
    addNode(graph, { id: 'target' });
    addEdge(graph, 'top', 'target');
    let above: readonly string[] = ['top'];
    for (let layer = 0; layer < 500; layer++) {
      const nodes = Array.from({ length: 20 }, (_, i) => ({ id: `l${layer}_${i}`, after: above }));
      const ids = nodes.map(({ id }) => id);
      for (const node of nodes) addNode(graph, node);
      graftInto(graph, { nodes, target: 'target', terminals: ids });
      above = ids;
    }
    addNode(graph, { id: 'late' });
    graftInto(graph, { nodes: [{ id: 'late', after: ['top'] }], target: 'l0_0', terminals: ['late'] });
    expect(graph.living.order).toBe(10_003);
    expect(predecessors(graph, 'l0_0').sort()).toEqual(['late', 'top']);
    expect(predecessors(graph, 'target')).toHaveLength(10_001);
    expect(findCycle([...graph.keys.keys()], (id) => successors(graph, id))).toBeUndefined();
  });
});

describe('findCycle', () => {
  it('lists the nodes of a cycle', () => {
    const edges: Record<string, string[]> = { a: ['b'], b: ['c'], c: ['d', 'b'], d: [] };
    expect(findCycle(Object.keys(edges), (node) => edges[node] ?? [])).toEqual(['b', 'c', 'b']);
  });

  it('finds a node that waits for itself', () => {
    expect(findCycle(['a'], () => ['a'])).toEqual(['a', 'a']);
  });

  it('does not overflow the stack on a chain of 100,000 nodes', () => {
    const nodes = Array.from({ length: 100_000 }, (_, i) => String(i));
    expect(findCycle(nodes, (node) => [String(Number(node) + 1)])).toBeUndefined();
    expect(findCycle(nodes, (node) => [String((Number(node) + 1) % nodes.length)])).toHaveLength(100_001);
  });

  it('finds a cycle exactly when some node can reachableFrom itself', () => {
    const edges = fc.array(fc.tuple(fc.nat(8), fc.nat(8)), { maxLength: 20 });
    fc.assert(
      fc.property(edges, (pairs) => {
        const nodes = Array.from({ length: 9 }, (_, i) => String(i));
        const next = (node: string): string[] =>
          pairs.filter(([from]) => String(from) === node).map(([, to]) => String(to));
        const cycle = findCycle(nodes, next);
        expect(cycle !== undefined).toBe(nodes.some((node) => reachableFrom([node], next).has(node)));
        if (cycle === undefined) return;
        expect(cycle.at(0)).toBe(cycle.at(-1));
        for (const [index, node] of cycle.slice(1).entries()) expect(next(cycle[index] ?? '')).toContain(node);
      }),
    );
  });
});
