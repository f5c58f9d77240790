// The layout of a graph: cards side by side in their bands, in the order of dependencies, broken into rows.
import { describe, expect, it } from 'vitest';
import type { GraphNode, RunGraph } from '../../src/view/graph/export.ts';
import type { Box } from '../../src/view/graph/geometry.ts';
import { layoutOf } from '../../src/view/graph/layout.ts';
import { sceneOf } from '../../src/view/graph/scene.ts';

function node(id: string, more: Partial<GraphNode> = {}): GraphNode {
  return { id, name: id, type: 'task', status: 'completed', text: 'completed', ...more };
}

/** A chain of planning steps, each with a number of steps in two layers. */
function phases(count: number, steps: number): RunGraph {
  const waits = (from: string, to: string) => ({ from, to, kind: 'waits', untravelled: false }) as const;
  const planners = Array.from({ length: count }, (_, i) => `p${i}`);
  const next = (i: number): string => planners[i + 1] ?? 'end';
  const half = steps / 2;
  const each = <T>(many: number, make: (i: number) => T): T[] => Array.from({ length: many }, (_, i) => make(i));
  return {
    title: 'phases',
    nodes: [
      ...planners.flatMap((planner) => [
        node(planner, { type: 'planning' }),
        ...each(steps, (i) => node(`${planner}.1/s${i}`, { phase: planner })),
      ]),
      node('end'),
    ],
    edges: planners.flatMap((planner, at) => [
      { ...waits(planner, next(at)), kind: 'converges' as const },
      ...each(half, (i) => waits(planner, `${planner}.1/s${i}`)),
      ...each(half, (i) => waits(`${planner}.1/s${i}`, `${planner}.1/s${i + half}`)),
      ...each(half, (i) => waits(`${planner}.1/s${i + half}`, next(at))),
    ]),
    phases: planners.map((planner, at) => ({ planner, target: next(at) })),
    fanOuts: [],
  };
}

function fanOut(items: number): RunGraph {
  const names = Array.from({ length: items }, (_, i) => `map/${i}`);
  return {
    title: 'fan-out',
    nodes: [node('map', { type: 'fan_out' }), ...names.map((name) => node(name, { fanOut: 'map' }))],
    edges: names.map((from) => ({ from, to: 'map', kind: 'waits', untravelled: false })),
    phases: [],
    fanOuts: [{ step: 'map', items }],
  };
}

function laidOut(graph: RunGraph, turned: ReadonlyMap<string, boolean> = new Map()) {
  const scene = sceneOf(graph, turned);
  const layout = layoutOf(scene);
  const box = (id: string): Box => layout.boxes.get(id) ?? { x: -1, y: -1, width: 0, height: 0 };
  return { scene, layout, box };
}

function endOf({ x, y, width, height }: Box) {
  return { x: x + width, y: y + height };
}

function overlap(one: Box, other: Box): boolean {
  const [end, otherEnd] = [endOf(one), endOf(other)];
  return one.x < otherEnd.x && other.x < end.x && one.y < otherEnd.y && other.y < end.y;
}

function holds(outer: Box, inner: Box): boolean {
  const [end, innerEnd] = [endOf(outer), endOf(inner)];
  return outer.x <= inner.x && outer.y <= inner.y && end.x >= innerEnd.x && end.y >= innerEnd.y;
}

describe('the layout of a graph', () => {
  it('lets no card overlap another', () => {
    const { scene, box } = laidOut(phases(9, 6));
    const boxes = scene.cards.map(({ id }) => box(id));
    expect(boxes.filter((one, i) => boxes.some((other, j) => j > i && overlap(one, other)))).toEqual([]);
  });

  it('puts exactly the cards of a phase into its band', () => {
    const { scene, box } = laidOut(phases(9, 6));
    for (const band of scene.bands) {
      const inside = scene.cards.filter(({ id }) => overlap(box(band.id), box(id)));
      expect(inside).toEqual(scene.cards.filter((card) => card.band === band.id));
      expect(inside.every(({ id }) => holds(box(band.id), box(id)))).toBe(true);
    }
    expect(scene.bands).toHaveLength(9);
  });

  it('places each step to the right of its dependencies', () => {
    const { box } = laidOut(phases(1, 4));
    const places = ['p0', 'p0.1/s0', 'p0.1/s2', 'end'].map((id) => box(id).x);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(new Set(places).size).toBe(4);
  });

  it('breaks a long line into rows below each other', () => {
    const { layout, box } = laidOut(phases(40, 6));
    expect(layout.whole.width).toBeLessThan(5 * layout.whole.height);
    expect(box('p39').y).toBeGreaterThan(endOf(box('p0')).y);
    expect(layout.lines.every(({ path }) => /^M[-\d. CL]+$/.test(path))).toBe(true);
  });

  it('lays out a chain of thousands of steps', () => {
    const { scene, layout } = laidOut(phases(3_000, 0));
    expect(layout.boxes.size).toBe(scene.cards.length);
  });

  it('draws one line from the items of a fan-out instead of one for each item', () => {
    const { layout } = laidOut(fanOut(12));
    expect(layout.lines.map(({ from, to }) => ({ from, to }))).toEqual([{ from: 'items map', to: 'map' }]);
  });
});

describe('the drawing of a graph', () => {
  it('folds wide fan-outs unless a person unfolds them', () => {
    const { scene } = laidOut(fanOut(50));
    expect(scene.cards.map((card) => [card.id, card.holds])).toEqual([
      ['map', 1],
      ['items map', 50],
    ]);
    expect(laidOut(fanOut(50), new Map([['items map', false]])).scene.cards).toHaveLength(51);
  });

  it('folds the largest phases until the graph is small enough to draw', () => {
    const { scene } = laidOut(phases(500, 20));
    expect(scene.cards.length).toBeLessThanOrEqual(1_500);
    expect(scene.cardOf.size).toBe(10_501);
    const folded = scene.cards.find((card) => card.holds > 1);
    expect(folded).toMatchObject({ title: 'grafted by p0', text: '20 completed' });
  });

  it('shows the worst status of a folded band', () => {
    const graph = phases(1, 2);
    const nodes = graph.nodes.map((each) => (each.id === 'p0.1/s1' ? { ...each, status: 'failed' as const } : each));
    const { scene } = laidOut({ ...graph, nodes }, new Map([['phase p0', true]]));
    const folded = scene.cards.find(({ id }) => id === 'phase p0');
    expect(folded).toMatchObject({ status: 'failed', text: '1 completed, 1 failed' });
  });
});
