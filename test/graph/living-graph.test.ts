// The living graph of a run: others read it with graphology's libraries, copy it, and cannot write it.
import { DirectedGraph } from 'graphology';
import { hasCycle, topologicalGenerations } from 'graphology-dag';
import { describe, expect, it } from 'vitest';
import type { LivingGraph } from '../../src/graph/living-graph.ts';
import { addEdge, addNode, createGraph } from '../../src/graph/plan-graph.ts';

interface Part {
  readonly id: string;
  status: string;
}

function diamond() {
  const graph = createGraph<Part>();
  for (const id of ['top', 'left', 'right', 'end']) addNode(graph, { id, status: 'waiting' });
  for (const id of ['left', 'right']) {
    addEdge(graph, 'top', id);
    addEdge(graph, id, 'end');
  }
  return graph;
}

describe('a living graph', () => {
  it('can be read by libraries of graphology', () => {
    const { living } = diamond();
    expect(topologicalGenerations(living)).toEqual([['1000000'], ['1000001', '1000002'], ['1000003']]);
    expect(hasCycle(living)).toBe(false);
    expect(living.inNeighbors(living.keyOf('end'))).toEqual(['1000001', '1000002']);
    expect(living.export().edges).toHaveLength(4);
    expect(living.keyOf('nowhere')).toBeUndefined();
  });

  it('has the step itself as attributes, so that they are never out of date', () => {
    const graph = createGraph<Part>();
    const part = { id: 'a', status: 'waiting' };
    addNode(graph, part);
    part.status = 'running';
    expect(graph.living.getNodeAttributes('1000000')).toBe(part);
    expect(graph.living.findNode((_key, { status }) => status === 'running')).toBe('1000000');
  });

  it('rejects writes at compile time and at run time', () => {
    const living: LivingGraph<Part> = diamond().living;
    // @ts-expect-error writing methods are closed
    expect(() => living.addNode('1000004', { id: 'more', status: 'waiting' })).toThrow('graph.copy()');
    // @ts-expect-error writing methods are closed
    expect(() => living.addDirectedEdgeWithKey('e', '1000000', '1000003')).toThrow('graph.copy()');
    // @ts-expect-error writing methods are closed
    expect(() => living.dropNode('1000000')).toThrow('dropNode() cannot write to the graph of a run');
    // @ts-expect-error writing methods are closed
    expect(() => living.setNodeAttribute('1000000', 'status', 'failed')).toThrow('graph.copy()');
    // @ts-expect-error writing methods are closed
    expect(() => living.import(new DirectedGraph())).toThrow('graph.copy()');
    // @ts-expect-error listeners are closed
    expect(() => living.on('nodeAdded', () => undefined)).toThrow('graph.copy()');
    expect([living.order, living.size]).toEqual([4, 4]);
  });

  it('closes every writing method of graphology', () => {
    const { living } = diamond();
    const arities = new Map(methodsOf(DirectedGraph.prototype));
    const [before, keys] = [JSON.stringify(living), living.nodes()];
    for (const [name, call] of arities) {
      if (name === 'constructor' || name === '_resetInstanceCounters') continue;
      const own: unknown = Reflect.get(living, name);
      if (own !== call || typeof own !== 'function') continue;
      // A reading method may refuse these arguments, and must leave the graph as it is.
      for (const words of [
        [],
        ['1000000'],
        ['1000000', '1000001'],
        ['1000004'],
        [() => ({})],
        ['1000000', 'x', 1],
        ['1000001', { id: 'x' }],
      ]) {
        try {
          Reflect.apply(own, living, words);
        } catch {}
      }
      expect([name, JSON.stringify(living), living.nodes()]).toEqual([name, before, keys]);
    }
  });

  it('has a copy that is an ordinary graph, which can be written and does not change', () => {
    const graph = diamond();
    const copy = graph.living.copy();
    copy.addNode('1000004', { id: 'more', status: 'waiting' });
    copy.addDirectedEdge('1000003', '1000004');
    copy.setNodeAttribute('1000000', 'status', 'failed');
    addNode(graph, { id: 'late', status: 'waiting' });
    expect(copy.mapNodes((_key, { id, status }) => `${id} ${status}`)).toEqual([
      'top failed',
      'left waiting',
      'right waiting',
      'end waiting',
      'more waiting',
    ]);
    expect(graph.living.mapNodes((_key, { id, status }) => `${id} ${status}`)).toEqual([
      'top waiting',
      'left waiting',
      'right waiting',
      'end waiting',
      'late waiting',
    ]);
  });
});

function methodsOf(prototype: object): readonly (readonly [string, unknown])[] {
  const above: unknown = Object.getPrototypeOf(prototype);
  const inherited = typeof above === 'object' && above !== null && above !== Object.prototype ? methodsOf(above) : [];
  return [
    ...inherited,
    ...Object.getOwnPropertyNames(prototype).map((name) => [name, Reflect.get(prototype, name)] as const),
  ];
}
