// The graph of a run in each format: groups for phases, marks for grafts and states, dashes for skipped steps.
import { describe, expect, it } from 'vitest';
import { graphOfRun, graphOfTemplate } from '../../src/view/graph/export.ts';
import { graphFormats } from '../../src/view/graph/formats.ts';
import { withLevels } from '../../src/view/graph/levels.ts';
import { planText } from '../../src/view/plan-text.ts';
import { repairOf, templateOf } from '../engine/template-of.ts';
import { asked, began, expanded, failed, frame, mapping, mended, ragged, tell, textOf } from './story.ts';

const { mermaid, dot, svg, json } = graphFormats;

function passedOver() {
  return tell(frame, [
    began('ingest'),
    { type: 'step.failed', step: 'ingest', failure: { code: 'FILE_MISSING', message: 'no folder', retry: 'never' } },
    { type: 'step.skipped', step: 'plan', reason: 'upstream', root: 'ingest' },
  ]).state;
}

describe('the graph of a run', () => {
  it('marks each step with the planning step that planned it', () => {
    const { nodes } = graphOfRun(ragged().state);
    expect(nodes.map(({ id, phase }) => [id, phase])).toEqual([
      ['ingest', undefined],
      ['plan', undefined],
      ['report', undefined],
      ['plan.1/orders', 'plan'],
      ['plan.1/broken', 'plan'],
    ]);
  });

  it('distinguishes edges to a convergence target', () => {
    const { edges } = graphOfRun(ragged().state);
    expect(edges).toContainEqual({ from: 'plan', to: 'report', kind: 'converges', untravelled: false });
    expect(edges).toContainEqual({ from: 'ingest', to: 'plan', kind: 'waits', untravelled: false });
    expect(edges).toContainEqual({ from: 'plan.1/broken', to: 'report', kind: 'waits', untravelled: false });
  });

  it('marks edges of steps that never ran', () => {
    expect(graphOfRun(passedOver()).edges).toContainEqual({
      from: 'ingest',
      to: 'plan',
      kind: 'waits',
      untravelled: true,
    });
  });

  it('has the same shape for a template', () => {
    const { nodes, edges, phases } = graphOfTemplate(frame);
    expect(nodes.map(({ text }) => text)).toEqual(['waiting', 'waiting', 'waiting']);
    expect(edges).toContainEqual({ from: 'plan', to: 'report', kind: 'converges', untravelled: false });
    expect(phases).toEqual([]);
  });
});

describe('the levels of a graph', () => {
  it('count the steps on the longest way from the beginning', () => {
    const levels = withLevels(graphOfRun(ragged().state)).nodes.map(({ id, level }) => [id, level]);
    expect(levels).toEqual([
      ['ingest', 0],
      ['plan', 1],
      ['report', 3],
      ['plan.1/orders', 2],
      ['plan.1/broken', 2],
    ]);
  });

  it('accept names of properties of Object.prototype', () => {
    const names = ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf'];
    const steps = names.map((name, at) => ({ name, after: names.slice(Math.max(0, at - 1), at) }));
    const { nodes } = withLevels(graphOfTemplate(templateOf({ steps })));
    expect(nodes.map(({ name, level }) => [name, level])).toEqual(names.map((name, at) => [name, at]));
  });
});

describe('the SVG picture', () => {
  it('draws phases as bands, and states as signs, words and classes', () => {
    const text = svg?.(graphOfRun(ragged().state)) ?? '';
    expect(text).toContain('>grafted by plan<');
    expect(text).toMatch(/<g class="card bad".*>broken<.*✗ failed</);
    expect(text).toMatch(/^<svg [^>]*viewBox="0 0 \d+ \d+"/);
  });

  it('dashes the edges of steps that never ran', () => {
    expect(svg?.(graphOfRun(passedOver()))).toContain('<path class="edge untravelled"');
    expect(svg?.(graphOfTemplate(frame))).not.toContain('class="edge untravelled"');
  });

  it('contains the lines that lead from row to row', () => {
    const steps = Array.from({ length: 40 }, (_, at) => ({ name: `s${at}`, after: at === 0 ? [] : [`s${at - 1}`] }));
    const text = svg?.(graphOfTemplate(templateOf({ steps }))) ?? '';
    const [, width = '0', height = '0'] = /viewBox="0 0 (\d+) (\d+)"/.exec(text) ?? [];
    const [, left = '0', top = '0'] = /<g transform="translate\((\d+) (\d+)\)">/.exec(text) ?? [];
    const rowToRow = [...text.matchAll(/ d="M([^"]*L[^"]*)" marker/g)].map(([, path = '']) => path.split('L'));
    expect(rowToRow.length).toBeGreaterThan(0);
    for (const [x = 0, y = 0] of rowToRow.flat().map((point) => point.split(' ').map(Number))) {
      expect([x + Number(left) > 0, x + Number(left) < Number(width)]).toEqual([true, true]);
      expect([y + Number(top) > 0, y + Number(top) < Number(height)]).toEqual([true, true]);
    }
  });

  it('escapes names that look like markup', () => {
    const text = svg?.({ ...graphOfTemplate(frame), title: '<script>&"' }) ?? '';
    expect(text).toContain('&lt;script&gt;&amp;&quot;');
    expect(text).not.toContain('<script');
  });
});

describe('the Mermaid text', () => {
  it('groups phases, and gives each state a class and a text', () => {
    const text = mermaid?.(graphOfRun(ragged().state)) ?? '';
    expect(text).toContain('subgraph p0["grafted by plan"]');
    expect(text).toContain('s4["broken<br/>work<br/>✗ failed"]:::failed');
    expect(text).toContain('classDef failed ');
    expect(text).toContain('s1 ==> s2');
  });

  it('dashes skipped steps', () => {
    expect(mermaid?.(graphOfRun(passedOver()))).toContain('s0 -.-> s1');
  });

  it('escapes the syntax of Mermaid', () => {
    const graph = graphOfTemplate(frame);
    const [first] = graph.nodes;
    const odd = { ...graph, nodes: first === undefined ? [] : [{ ...first, name: 'a"]<b>' }], edges: [] };
    expect(mermaid?.(odd)).toContain('"a#34;]#60;b#62;<br/>');
  });
});

describe('repairs, gates and fan-outs in a graph', () => {
  it('draw a repair as a planning step with the repaired steps, and group the steps of its plan', () => {
    const graph = graphOfRun(tell(frame, mended()).state);
    expect(graph.nodes).toContainEqual(expect.objectContaining({ id: 'plan~2', repairs: ['plan.1/b'] }));
    expect(mermaid?.(graph)).toMatch(/\{\{"plan~2<br\/>repairs b<br\/>✓ completed"\}\}:::completed/);
    expect(mermaid?.(graph)).toContain('subgraph p1["grafted by plan~2"]');
    expect(dot?.(graph)).toMatch(/"plan~2" \[label="plan~2\\nrepairs b\\n✓ completed".*shape=hexagon/);
  });

  it('dash steps that a repair superseded', () => {
    const graph = graphOfRun(tell(frame, mended()).state);
    expect(mermaid?.(graph)).toMatch(/⊘ superseded by plan~2"\]:::superseded/);
    expect(dot?.(graph)).toMatch(/superseded by plan~2".*dashed/);
  });

  it('mark held steps with their gates', () => {
    const graph = graphOfRun(tell(frame, [asked('ingest', 'approval')]).state);
    expect(mermaid?.(graph)).toContain('? held: g1 approval"]:::held');
  });

  it('group the items of a fan-out', () => {
    const graph = graphOfRun(tell(mapping, [expanded(3)]).state);
    expect(graph.fanOuts).toEqual([{ step: 'map', items: 3 }]);
    expect(mermaid?.(graph)).toContain('subgraph f0["items of map"]');
    expect(dot?.(graph)).toContain('subgraph cluster_f0 {');
    expect(mermaid?.(graph)).toContain('["2<br/>work<br/>○ ready"]');
  });

  it('draw a wide fan-out as one node with counts and the worst status, but list every item in JSON', () => {
    const graph = graphOfRun(tell(mapping, [expanded(30), failed('map/7', 'CSV_RAGGED', 'row 4')]).state);
    const text = mermaid?.(graph) ?? '';
    expect(text).toContain('["30 items<br/>work<br/>✗ 29 ready, 1 failed"]:::failed');
    expect(text.match(/<br\/>/g)).toHaveLength(6);
    expect(text.match(/-->/g)).toHaveLength(2);
    expect(JSON.parse(json?.(graph) ?? '').nodes).toHaveLength(32);
  });
});

describe('the DOT text', () => {
  it('draws phases as clusters and dashes skipped steps', () => {
    expect(dot?.(graphOfRun(ragged().state))).toContain('subgraph cluster_p0 {');
    expect(dot?.(graphOfRun(passedOver()))).toContain('"ingest" -> "plan" [style=dashed');
  });

  it('escapes quotes', () => {
    expect(dot?.({ ...graphOfTemplate(frame), title: 'a"b\\' })).toContain('digraph "a\\"b\\\\" {');
  });
});

describe('the JSON of a graph', () => {
  it('holds the level of each step', () => {
    const graph = graphOfRun(ragged().state);
    expect(JSON.parse(json?.(graph) ?? '')).toEqual(withLevels(graph));
  });
});

describe('the plan of a template', () => {
  it('lists every step behind its dependencies', () => {
    const lines = textOf(planText({ ...frame, steps: frame.steps.toReversed() })).split('\n');
    expect(lines.slice(1).map((line) => line.split(' ')[0])).toEqual(['ingest', 'plan', 'report']);
    expect(lines[2]).toContain('plans (lisp), converges at report');
  });

  it('shows the width of a fan-out and the step that it repeats', () => {
    expect(textOf(planText(mapping))).toContain('work for each item, at most 50 wide');
  });

  it("shows a planner's rule for repairs, and the repair planner of the template", () => {
    const rule = { $lisp: '{:steps []}' };
    const planner = { kind: 'lisp', source: rule, repair: rule } as const;
    const repair = repairOf({ planner });
    expect(textOf(planText({ ...frame, repair }))).toMatch(
      /^repair +planning +repairs \(lisp, and a rule for repairs\)/m,
    );
  });
});
