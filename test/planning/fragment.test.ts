// Reads replies in the spellings that planners really use.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import type { Fragment } from '../../src/planning/fragment.ts';
import { readFragment } from '../../src/planning/read-fragment.ts';
import { read } from './given-frame.ts';
import { malformed } from './malformed-replies.ts';

const plain = {
  rationale: 'look first',
  steps: [{ name: 'sniff', capability: 'csv.sniff', input: { path: 'a.csv' } }],
};

const spellings: readonly { readonly title: string; readonly reply: Json; readonly understood: readonly string[] }[] = [
  { title: 'the plain form', reply: plain, understood: [] },
  {
    title: 'tasks for steps',
    reply: { rationale: 'look first', tasks: plain.steps },
    understood: ['"tasks" for "steps"'],
  },
  {
    title: 'a workflow',
    reply: { rationale: 'look first', workflow: plain.steps },
    understood: ['"workflow" for "steps"'],
  },
  {
    title: 'steps inside a plan',
    reply: { rationale: 'look first', plan: { steps: plain.steps } },
    understood: ['"plan" for "steps"'],
  },
  {
    title: 'id, tool and args',
    reply: { rationale: 'look first', steps: [{ id: 'sniff', tool: 'csv.sniff', args: { path: 'a.csv' } }] },
    understood: ['"id" for "name"', '"args" for "input"'],
  },
  {
    title: 'handler and inputs',
    reply: { rationale: 'look first', steps: [{ name: 'sniff', handler: 'csv.sniff', inputs: { path: 'a.csv' } }] },
    understood: ['"inputs" for "input"'],
  },
  {
    title: 'parameters, and nulls that say nothing',
    reply: {
      rationale: 'look first',
      needs: null,
      steps: [{ name: 'sniff', tool: 'csv.sniff', parameters: { path: 'a.csv' }, when: null }],
    },
    understood: ['"parameters" for "input"'],
  },
  {
    title: 'fenced JSON with prose around it',
    reply: `Here is the plan:\n\`\`\`json\n${JSON.stringify(plain)}\n\`\`\`\nGood luck!`,
    understood: ['fenced text'],
  },
  {
    title: 'fenced JSON beside fences with other things',
    reply: `First \`\`\`sh\nls {a,b}\n\`\`\`, then\n\`\`\`json\r\n${JSON.stringify(plain)}\n\`\`\``,
    understood: ['fenced text'],
  },
  {
    title: 'the last of two plans in fences',
    reply: `\`\`\`json\n{"steps": []}\n\`\`\`\nBetter:\n\`\`\`json\n${JSON.stringify(plain)}\n\`\`\``,
    understood: ['fenced text', 'the last of 2 plans'],
  },
  {
    title: 'a plan after reasoning with a draft, and before an example of something else',
    reply: `<think>Maybe {"steps": []}? No.</think>${JSON.stringify(plain)}\nEach row is like {"id": 7}.`,
    understood: ['text around the plan'],
  },
  {
    title: 'single quotes, a missing comma and a comment',
    reply: `{'rationale': 'look first' 'steps': [ // one is enough
      {'name': 'sniff', 'capability': 'csv.sniff', 'input': {'path': 'a.csv'}}]}`,
    understood: ['JSON with faults'],
  },
  {
    title: 'prose around bare JSON',
    reply: `The plan: ${JSON.stringify(plain)} That is all.`,
    understood: ['text around the plan'],
  },
  {
    title: 'trailing commas',
    reply:
      '{"rationale": "look first", "steps": [{"name": "sniff", "capability": "csv.sniff", "input": {"path": "a.csv",},},],}',
    understood: ['trailing commas'],
  },
  {
    title: 'empty agents beside the steps',
    reply: { ...plain, agents: {} },
    understood: [],
  },
];

const meaningOf = ({ rationale, steps, digest, needs, raw }: Fragment) => ({ rationale, steps, digest, needs, raw });

describe('reading a reply', () => {
  test.each(spellings)('understands $title', ({ reply, understood }) => {
    const fragment = read(reply);
    expect(fragment.steps).toEqual(read(plain).steps);
    expect(fragment.digest).toBe(read(plain).digest);
    expect(fragment.rationale).toBe('look first');
    expect(fragment.understood).toEqual(understood);
    expect(meaningOf(read(fragment.raw))).toEqual(meaningOf(fragment));
    expect(read(fragment.raw).understood).toEqual([]);
  });

  test('understands a bare list', () => {
    const fragment = read(plain.steps);
    expect(fragment.steps).toEqual(read(plain).steps);
    expect(fragment.rationale).toBe('');
    expect(fragment.understood).toEqual(['a list without "steps" around it']);
  });

  test.each(['dependencies', 'depends_on', 'requires', 'after', 'dependsOn'])(
    'understands %s, as a list or as one name',
    (key) => {
      for (const named of ['first', ['first']]) {
        const [, second] = read([
          { name: 'first', tool: 'files.read' },
          { name: 'second', tool: 'files.read', [key]: named },
        ]).steps;
        expect(second?.dependencies).toEqual(['first']);
      }
    },
  );

  test('normalizes the step of a fan-out like any other step', () => {
    const each = (item: Json, name: string): Json => [
      { name: 'Find All', tool: 'files.read' },
      { name: 'map', type: 'fan_out', for_each: [1], max_width: 1, do: { ...(item as object), name } },
    ];
    const spelt = read(
      each({ tool: 'csv.sniff', args: { path: '{{ results["Find All"] }}' }, when: null }, 'Sniff It'),
    );
    const plainly = each({ handler: 'csv.sniff', input: { path: '{{ results.find_all }}' } }, 'sniff_it');
    expect(spelt.digest).toBe(read(plainly).digest);
    expect(spelt.steps[1]).toMatchObject({ implied: ['find_all'], fanOut: { do: { name: 'sniff_it' } } });
    expect(spelt.understood).toContain('"args" for "input"');
  });

  test('accepts a fragment without steps', () => {
    expect(read({ rationale: 'nothing to do', steps: [] }).steps).toEqual([]);
  });

  test('keeps commas inside texts', () => {
    const [step] = read('[{"name": "a", "tool": "files.read", "input": {"text": "x,] ,}"},}]').steps;
    expect(step?.input).toEqual({ text: 'x,] ,}' });
  });

  test.each(malformed)('reports the issues of $title', ({ reply, issues }) => {
    const result = readFragment(reply);
    expect(result.ok).toBe(false);
    expect(result.ok ? [] : result.error.issues.map(({ code, path }) => `${code} ${path.join('.')}`)).toEqual(issues);
  });

  test('suggests the nearest key for a misspelled key', () => {
    const result = readFragment([{ name: 'a', capabilty: 'files.read', capability: 'files.read' }]);
    expect(result.ok ? [] : result.error.issues.map(({ hint }) => hint)).toEqual(['did you mean "capability"?']);
  });
});

describe('a planner that answers "impossible"', () => {
  test.each<Json>([
    { impossible: 'there is no network' },
    { impossible: 'there is no network', rationale: 'tried' },
    { impossible: 'there is no network', steps: [] },
    '```json\n{"impossible": "there is no network"}\n```',
  ])('gives its reason: %j', (reply) => {
    const result = readFragment(reply);
    expect(result.ok && result.value).toEqual({ impossible: 'there is no network' });
  });
});

describe('a planner that asks a question', () => {
  test.each<Json>([
    { needs_clarification: { question: 'Which year?' } },
    { needs_clarification: { question: 'Which year?' }, rationale: 'it says "last"', steps: [] },
    'First: {"needs_clarification": {"question": "Which year?"}}',
  ])('is heard: %j', (reply) => {
    const result = readFragment(reply);
    expect(result.ok && result.value).toEqual({ asks: { question: 'Which year?' } });
  });

  test('asks no question with null', () => {
    expect(read({ steps: [], needs_clarification: null }).steps).toEqual([]);
  });
});

describe('step names', () => {
  const named = (name: Json) => read({ steps: [{ name, tool: 'files.read' }] });

  test.each([
    ['Fetch A', 'fetch_a'],
    ['fetchOrders', 'fetch_orders'],
    ['fetch-orders.2', 'fetch_orders_2'],
    ['Prüfe', 'prufe'],
    ['1', 'step_1'],
    ['__proto__', 'proto'],
  ])('change from %j to %j with a note', (written, given) => {
    const fragment = named(written);
    expect(fragment.steps.map(({ name }) => name)).toEqual([given]);
    expect(fragment.understood).toEqual([`step "${written}" as "${given}"`]);
  });

  test('may be numbers', () => {
    const fragment = read([
      { id: 1, tool: 'files.read' },
      { id: 2, tool: 'files.read', depends_on: [1] },
    ]);
    expect(fragment.steps.map(({ name, dependencies }) => [name, ...dependencies])).toEqual([
      ['step_1'],
      ['step_2', 'step_1'],
    ]);
  });

  test('are renamed in dependencies, references, needs and convergence targets', () => {
    const { steps } = read([
      { id: 'Fetch A', tool: 'files.read' },
      {
        id: 'useIt',
        tool: 'files.read',
        depends_on: ['Fetch A'],
        input: { text: 'got {{ results["Fetch A"].rows }}!' },
      },
      {
        id: 'next',
        type: 'planning',
        planner,
        depends_on: ['useIt'],
        needs: ['Fetch A.rows.0', 'useIt', { step: 'Fetch A', full: true }, 'ingest.files'],
        convergence_target: 'The End',
      },
      { id: 'The End', type: 'deferred', depends_on: ['next'] },
    ]);
    const [, use, next, end] = steps;
    expect(use?.dependencies).toEqual(['fetch_a']);
    expect(use?.input).toEqual({ text: 'got {{ results.fetch_a.rows }}!' });
    expect(next?.planning?.target).toBe('the_end');
    expect(next?.planning?.needs).toEqual([
      { step: 'fetch_a', path: 'rows.0' },
      { step: 'use_it' },
      { step: 'fetch_a', full: true },
      { step: 'ingest', path: 'files' },
    ]);
    expect(end?.dependencies).toEqual(['next']);
  });

  test('become dependencies when a step refers to a sibling', () => {
    const [, use] = read([
      { id: 'fetch', tool: 'files.read' },
      { id: 'use', tool: 'files.read', input: { rows: '{{ results.fetch.rows }}' } },
    ]).steps;
    expect(use).toMatchObject({ dependencies: ['fetch'], implied: ['fetch'] });
  });
});

const planner = { kind: 'fixed', fragment: { steps: [] } };

describe('the digest of a fragment', () => {
  const digest = (steps: Json) => read({ steps }).digest;

  test('is equal for two spellings of the same steps', () => {
    expect(digest([{ name: 'a', tool: 'files.read', max_retries: 2 }])).toBe(
      digest([{ handler: 'files.read', id: 'a', retry: { max_attempts: 3 } }]),
    );
  });

  test('differs when an input differs', () => {
    expect(digest([{ name: 'a', tool: 'files.read', input: 1 }])).not.toBe(
      digest([{ name: 'a', tool: 'files.read', input: 2 }]),
    );
  });
});
