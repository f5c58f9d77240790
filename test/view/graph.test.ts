// The graph of a run in each format: phases as groups, grafts and states marked, what was passed over dashed.
import { describe, expect, it } from 'vitest';
import { graphOfRun, graphOfTemplate } from '../../src/view/graph-export.ts';
import { graphFormats } from '../../src/view/graph-formats.ts';
import { planText } from '../../src/view/plan-text.ts';
import { began, frame, ragged, tell, textOf } from './story.ts';

const { mermaid, dot, json } = graphFormats;

function passedOver() {
  return tell(frame, [
    began('ingest'),
    { type: 'step.failed', step: 'ingest', failure: { code: 'FILE_MISSING', message: 'no folder', retry: 'never' } },
    { type: 'step.skipped', step: 'plan', reason: 'upstream', root: 'ingest' },
  ]).state;
}

describe('the graph of a run', () => {
  it('has every step, marked with the planning step that brought it', () => {
    const { nodes } = graphOfRun(ragged().state);
    expect(nodes.map(({ id, phase }) => [id, phase])).toEqual([
      ['ingest', undefined],
      ['plan', undefined],
      ['report', undefined],
      ['plan.1/orders', 'plan'],
      ['plan.1/broken', 'plan'],
    ]);
  });

  it('tells the edge to a convergence target from the others', () => {
    const { edges } = graphOfRun(ragged().state);
    expect(edges).toContainEqual({ from: 'plan', to: 'report', kind: 'converges', untravelled: false });
    expect(edges).toContainEqual({ from: 'ingest', to: 'plan', kind: 'waits', untravelled: false });
    expect(edges).toContainEqual({ from: 'plan.1/broken', to: 'report', kind: 'waits', untravelled: false });
  });

  it('marks edges along which nothing ever went', () => {
    expect(graphOfRun(passedOver()).edges).toContainEqual({
      from: 'ingest',
      to: 'plan',
      kind: 'waits',
      untravelled: true,
    });
  });

  it('is of the same shape for a template that has not run', () => {
    const { nodes, edges, phases } = graphOfTemplate(frame);
    expect(nodes.map(({ text }) => text)).toEqual(['waiting', 'waiting', 'waiting']);
    expect(edges).toContainEqual({ from: 'plan', to: 'report', kind: 'converges', untravelled: false });
    expect(phases).toEqual([]);
  });
});

describe('mermaid', () => {
  it('groups a phase and gives each state a class and a text', () => {
    const text = mermaid?.(graphOfRun(ragged().state)) ?? '';
    expect(text).toContain('subgraph p0["grafted by plan"]');
    expect(text).toContain('s4["broken<br/>work<br/>✗ failed"]:::failed');
    expect(text).toContain('classDef failed ');
    expect(text).toContain('s1 ==> s2');
  });

  it('dashes what was passed over', () => {
    expect(mermaid?.(graphOfRun(passedOver()))).toContain('s0 -.-> s1');
  });

  it('escapes what Mermaid would read', () => {
    const graph = graphOfTemplate(frame);
    const [first] = graph.nodes;
    const odd = { ...graph, nodes: first === undefined ? [] : [{ ...first, name: 'a"]<b>' }], edges: [] };
    expect(mermaid?.(odd)).toContain('"a#34;]#60;b#62;<br/>');
  });
});

describe('dot', () => {
  it('makes a cluster of a phase and dashes what was passed over', () => {
    expect(dot?.(graphOfRun(ragged().state))).toContain('subgraph cluster_p0 {');
    expect(dot?.(graphOfRun(passedOver()))).toContain('"ingest" -> "plan" [style=dashed');
  });

  it('quotes quotes', () => {
    expect(dot?.({ ...graphOfTemplate(frame), title: 'a"b\\' })).toContain('digraph "a\\"b\\\\" {');
  });
});

describe('json', () => {
  it('is the graph itself', () => {
    const graph = graphOfRun(ragged().state);
    expect(JSON.parse(json?.(graph) ?? '')).toEqual(graph);
  });
});

describe('the plan of a template', () => {
  it('lists the steps so that none stands before what it waits for', () => {
    const lines = textOf(planText({ ...frame, steps: frame.steps.toReversed() })).split('\n');
    expect(lines.slice(1).map((line) => line.split(' ')[0])).toEqual(['ingest', 'plan', 'report']);
    expect(lines[2]).toContain('plans (fixed), converges at report');
  });
});
