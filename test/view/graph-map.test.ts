// The graph as a map: where things stand, what is drawn at each level, and that every text can be read.
import { describe, expect, it } from 'vitest';
import type { RunState } from '../../src/engine/state/state.ts';
import type { Box } from '../../src/view/graph/geometry.ts';
import { cameraOfLevel, cameraOfStep, cameraOfWhole, partInView } from '../../src/view/graph/map/camera-moves.ts';
import { layoutRun } from '../../src/view/graph/map/chain-layout.ts';
import { type Camera, type DisplayList, estimatedWidth, type Label } from '../../src/view/graph/map/display-list.ts';
import { drawGraph } from '../../src/view/graph/map/draw-graph.ts';
import { STEP } from '../../src/view/graph/map/footprint.ts';
import { outlineOf } from '../../src/view/graph/map/outline.ts';
import { svgOf } from '../../src/view/graph/map/paint-svg.ts';
import { type Look, levelFor, relatedTo, type ShownGraph } from '../../src/view/graph/map/shown-graph.ts';
import { barParts } from '../../src/view/graph/map/status-bar.ts';
import { countStatuses, shownStatusOf } from '../../src/view/phases/shown-status.ts';
import { localName } from '../../src/view/status.ts';
import { type StepSketch, templateOf } from '../engine/template-of.ts';
import { began, completed, expanded, failed, frame, grafted, map, mended, tell } from './story.ts';

const view = { width: 1360, height: 560 };

function graphOf(state: RunState, latest: RunState = state): ShownGraph {
  const { tree, needs, ...rest } = outlineOf(latest);
  return {
    footprint: layoutRun({ tree, needs, ...rest }, view),
    tree,
    needs,
    stepFacts(id) {
      const step = state.steps.get(id);
      const status = step === undefined ? undefined : shownStatusOf(state, step);
      return { name: localName(id), status, tries: step?.attempt ?? 0, time: '1.2s' };
    },
    phaseFacts: ({ all }) => ({ counts: countStatuses(state, all), time: '3.4s', cost: '$0.12' }),
  };
}

function drawn(graph: ShownGraph, camera: Camera, more: Partial<Look> = {}): DisplayList {
  return drawGraph(graph, {
    camera,
    ...view,
    margin: 0,
    level: levelFor(STEP.width * camera.scale, undefined),
    chosen: undefined,
    cursor: undefined,
    related: undefined,
    found: undefined,
    widthOf: estimatedWidth,
    ...more,
  });
}

/** Phases in a row; every sixth has more chains of two steps. Each reads, checks and maps twelve regions; every third fails in one of them. */
function phases(count: number, chained = 0): RunState {
  const regions = ['north', 'south', 'east', 'west', 'alps', 'baltic', 'iberia', 'nordics'];
  const planners = Array.from({ length: count }, (_, at) => `plan_${at + 1}_customers`);
  const steps: StepSketch[] = planners.map((name, at) => ({
    name,
    type: 'planning',
    after: at === 0 ? [] : [planners[at - 1] ?? ''],
    planning: { target: planners[at + 1] ?? 'finalize', goal: 'look' },
  }));
  const template = templateOf({
    steps: [...steps, { name: 'finalize', type: 'deferred', after: planners.slice(-1) }],
  });
  const events = planners.flatMap((planner, at) => {
    const chain = (kind: string, before?: string) =>
      regions.map((region) => ({
        name: `${kind}_${region}`,
        ...(before === undefined ? {} : { after: [`${planner}.1/${before}_${region}`] }),
      }));
    const more = Array.from({ length: at % 6 === 0 ? chained : 0 }, (_, row) => [
      { name: `load_${row}`, after: [`${planner}.1/read_north`] },
      { name: `rank_${row}`, after: [`${planner}.1/load_${row}`] },
    ]).flat();
    const sketches = [...chain('read'), ...chain('check', 'read'), ...chain('map', 'check'), ...more];
    const fails = at % 3 === 0 ? `${planner}.1/map_west` : '';
    return [
      began(planner),
      grafted(planner, planners[at + 1] ?? 'finalize', sketches),
      completed(planner),
      ...sketches.flatMap(({ name }) => {
        const id = `${planner}.1/${name}`;
        return [began(id), id === fails ? failed(id, 'DOWN', 'no answer') : completed(id)];
      }),
    ];
  });
  return tell(template, events).state;
}

function overlaps(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width - 0.5 &&
    other.x < one.x + one.width - 0.5 &&
    one.y < other.y + other.height - 0.5 &&
    other.y < one.y + one.height - 0.5
  );
}

function labelsOf({ things }: DisplayList): readonly Label[] {
  return things.filter(({ kind }) => kind !== 'sticky').flatMap(({ labels }) => labels);
}

function names(list: DisplayList): readonly string[] {
  return labelsOf(list).flatMap(({ text, part }) => (part === 'name' ? [text] : []));
}

function colliding(labels: readonly Label[]): readonly string[] {
  return labels.flatMap((one, at) =>
    labels.slice(at + 1).flatMap((other) => (overlaps(one.box, other.box) ? [`${one.text} | ${other.text}`] : [])),
  );
}

describe('the footprint of a run', () => {
  it('lets no card overlap another', () => {
    const { footprint } = graphOf(phases(6));
    const boxes = [...footprint.cells.values()];
    expect(boxes.length).toBe(6 * 24 + 1);
    expect(boxes.filter((one, at) => boxes.slice(at + 1).some((other) => overlaps(one, other)))).toEqual([]);
  });

  it('places each step right of its dependencies, in the row of the first of them', () => {
    const { footprint } = graphOf(phases(1));
    const [read, check] = ['read_west', 'check_west'].map((name) => footprint.cells.get(`plan_1_customers.1/${name}`));
    expect(check?.x).toBeGreaterThan((read?.x ?? 0) + STEP.width);
    expect(check?.y).toBe(read?.y);
  });

  it('wraps a long chain like text, and keeps every block in the order of the chain', () => {
    const { footprint } = graphOf(phases(60));
    expect(footprint.rows.length).toBeGreaterThan(2);
    const places = footprint.parts.map(({ row, box }) => row * 1e7 + box.x);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(footprint.parts.filter(({ kind }) => kind === 'phase')).toHaveLength(60);
  });

  it('shows the whole of some sixty phases, also if single phases are very high', () => {
    const graph = graphOf(phases(63, 60));
    const { footprint } = graph;
    expect(footprint.width * footprint.fit).toBeLessThanOrEqual(view.width);
    expect(footprint.height * footprint.fit).toBeLessThanOrEqual(view.height);
    expect(cameraOfWhole(graph, view).scale).toBe(footprint.fit);
  });

  it('folds runs of finished phases of a very long chain, but no phase with a failure', () => {
    const state = phases(130);
    const { parts } = layoutRun({ ...outlineOf(state), foldable: new Set(['plan_2_customers']) }, view);
    expect(parts.filter(({ kind }) => kind === 'fold')).toEqual([]);
    const { tree, needs, foldable } = outlineOf(state);
    expect(foldable.size).toBe(86);
    const more = new Set([...tree.phases.keys()].slice(10, 30));
    const folds = layoutRun({ tree, needs, foldable: more }, view).parts.filter(({ kind }) => kind === 'fold');
    expect(folds.map(({ members }) => members.length)).toEqual([20]);
  });

  it('puts hundreds of items into banks side by side', () => {
    const template = templateOf({ steps: [map, { name: 'end', after: ['map'] }] });
    const { footprint } = graphOf(tell(template, [expanded(300)]).state);
    const box = footprint.phases.get('map')?.box ?? { width: 1, height: 99 };
    expect(box.height / box.width).toBeLessThan(1.5);
    expect(box.height / box.width).toBeGreaterThan(0.3);
  });

  it('puts a replan inside its phase, right of the step that it replaces', () => {
    const { footprint } = graphOf(tell(frame, mended()).state);
    const [phase, replan] = ['plan', 'plan~2'].map((key) => footprint.phases.get(key)?.box);
    const broken = footprint.cells.get('plan.1/b');
    expect(replan?.x).toBeGreaterThan((broken?.x ?? 0) + STEP.width);
    expect((replan?.x ?? 0) + (replan?.width ?? 0)).toBeLessThanOrEqual((phase?.x ?? 0) + (phase?.width ?? 0));
    expect((replan?.y ?? 0) + (replan?.height ?? 0)).toBeLessThanOrEqual((phase?.y ?? 0) + (phase?.height ?? 0));
  });
});

describe('the display list of a graph', () => {
  const scales = [0.02, 0.08, 0.16, 0.2, 0.3, 0.45, 0.6, 0.8, 1, 1.4];

  it.each([1, 12, 60])(
    'has no text under 10 pixels and no label over another, with %i phases at any scale',
    (count) => {
      const graph = graphOf(phases(count));
      for (const scale of [graph.footprint.fit, ...scales]) {
        const whole = cameraOfWhole(graph, view);
        const camera = scale === graph.footprint.fit ? whole : { scale, x: 20, y: 20 };
        const labels = labelsOf(drawn(graph, camera));
        expect(Math.min(12, ...labels.map(({ size }) => size))).toBeGreaterThanOrEqual(10);
        expect(colliding(labels)).toEqual([]);
      }
    },
  );

  it('names what failed in the whole picture of some hundred steps', () => {
    const graph = graphOf(phases(6));
    const list = drawn(graph, cameraOfWhole(graph, view));
    expect(list.level).toBe('middle');
    expect(names(list).filter((name) => name === '✗ map_west')).toHaveLength(2);
  });

  it('draws blocks when cards are small, cells when names do not fit, and cards when they do', () => {
    const graph = graphOf(phases(6));
    const kinds = (scale: number) => new Set(drawn(graph, { scale, x: 20, y: 20 }).things.map(({ kind }) => kind));
    expect([...kinds(0.1)]).toEqual(['lines', 'block', 'cell']);
    expect([...kinds(0.3)]).toEqual(['lines', 'frame', 'header', 'cell']);
    expect([...kinds(0.9)]).toEqual(['lines', 'frame', 'header', 'card']);
  });

  it('leaves a level a little later than it enters it', () => {
    expect(levelFor(95, 'near')).toBe('near');
    expect(levelFor(95, 'middle')).toBe('middle');
    expect(levelFor(19, 'middle')).toBe('middle');
    expect(levelFor(19, 'far')).toBe('far');
  });

  it('draws only what is in view', () => {
    const graph = graphOf(phases(60));
    const list = drawn(graph, { scale: 1, x: 0, y: 0 });
    expect(list.things.length).toBeLessThan(80);
  });

  it('draws steps that are not planned yet at a moment without a name', () => {
    const state = phases(2);
    const before = graphOf(tell(state.template, [began('plan_1_customers')]).state, state);
    const cells = drawn(before, cameraOfWhole(before, view)).things.filter(({ id }) => id.includes('/'));
    expect(cells).toHaveLength(48);
    expect(cells.flatMap(({ labels }) => labels)).toEqual([]);
  });

  it('escapes names in the picture', () => {
    const state = tell(templateOf({ steps: [{ name: '<b>"&' }] }), []).state;
    const graph = graphOf(state);
    const text = svgOf(drawn(graph, { scale: 1, x: 0, y: 0 }));
    expect(text).toContain('&lt;b&gt;&quot;&amp;');
    expect(text).not.toContain('<b>');
  });
});

describe('a bar of statuses', () => {
  const none = countStatuses(phases(1), []);

  it('keeps five pixels for a single failure among hundreds, at its end', () => {
    const parts = barParts({ ...none, completed: 400, failed: 1 }, 401, 100);
    expect(parts.map(({ status }) => status)).toEqual(['completed', 'failed']);
    expect(parts[1]).toMatchObject({ x: 95, width: 5 });
  });

  it('leaves room for steps that are not planned yet', () => {
    const [only] = barParts({ ...none, completed: 5 }, 10, 100);
    expect(only).toMatchObject({ x: 0, width: 50 });
  });
});

describe('the camera', () => {
  it('shows a chosen step so large that its name can be read, and does not move when it is', () => {
    const graph = graphOf(phases(60));
    const step = 'plan_40_customers.1/map_west';
    const camera = cameraOfStep(graph, step, cameraOfWhole(graph, view), 'far', view);
    expect(camera?.scale).toBeGreaterThanOrEqual(0.95);
    if (camera === undefined) return;
    const list = drawn(graph, camera, { chosen: step, related: relatedTo(graph.needs, step) });
    expect(names(list)).toContain('map_west');
    expect(cameraOfStep(graph, step, camera, 'near', view)).toBeUndefined();
    // A panel at the right takes a quarter of the view.
    const narrow = { ...view, width: 1020 };
    expect(cameraOfStep(graph, step, camera, 'near', narrow)?.scale ?? camera.scale).toBe(camera.scale);
  });

  it('begins with a whole row where the whole is higher than the view', () => {
    const graph = graphOf(phases(220));
    const { rows, height } = graph.footprint;
    const { y, scale } = cameraOfWhole(graph, view);
    expect(height * scale).toBeGreaterThan(view.height);
    expect(rows.map((row) => Math.round(y + row.y * scale))).toContain(14);
  });

  it('shows a chosen step on a small screen below the name of its phase, also beside a large panel', () => {
    const graph = graphOf(phases(6));
    const step = 'plan_3_customers.1/map_baltic';
    const box = graph.footprint.cells.get(step) ?? { y: Number.NaN };
    for (const height of [160, 200, 470]) {
      const camera = cameraOfStep(graph, step, { x: 0, y: 0, scale: 0.1 }, 'far', { width: 390, height });
      const top = (camera?.y ?? Number.NaN) + box.y * (camera?.scale ?? Number.NaN);
      expect(top).toBeGreaterThanOrEqual(44);
      expect(top).toBeLessThan(height / 2);
    }
  });

  it('frames in the minimap only what the run has', () => {
    const whole = { width: 1_000, height: 500 };
    expect(partInView(whole, { x: 100, y: -600, scale: 2 }, view)).toEqual({ x: 0, y: 300, width: 630, height: 200 });
    expect(partInView(whole, { x: 0, y: 0, scale: 0.1 }, view)).toEqual({ x: 0, y: 0, ...whole });
  });

  it('goes to the most urgent step when a person asks for cards', () => {
    const graph = graphOf(phases(12));
    const camera = cameraOfLevel(graph, 'near', undefined, cameraOfWhole(graph, view), view);
    expect(names(drawn(graph, camera))).toContain('map_west');
  });
});

describe('the steps related to a chosen one', () => {
  it('are those it needs and those that need it', () => {
    const needs = new Map([
      ['a', []],
      ['b', ['a']],
      ['c', ['b']],
      ['d', ['a']],
    ]);
    expect([...relatedTo(needs, 'b')].toSorted()).toEqual(['a', 'b', 'c']);
  });
});
