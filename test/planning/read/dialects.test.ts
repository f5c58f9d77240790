// Plans in the formats of public data sets: graphs, call sequences, nested calls, arguments by position.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { readFragment } from '../../../src/planning/read-fragment.ts';
import { declaration } from '../given-frame.ts';

const text = { type: 'object', properties: { text: { type: 'string' }, voice: { type: 'string' } } };
const declarations = {
  text_to_speech: declaration('text_to_speech', { input: text }),
  'rental_cars.get_cars': declaration('rental_cars.get_cars'),
};

function steps(plan: Json): readonly Json[] {
  const read = readFragment(plan, declarations);
  if (!read.ok) throw new Error(read.error.issues.map(({ message }) => message).join('\n'));
  if (!('steps' in read.value)) throw new Error('no plan');
  const { raw } = read.value;
  return Array.isArray(raw.steps) ? raw.steps : [];
}

function read(plan: Json) {
  const fragment = readFragment(plan, declarations);
  return fragment.ok ? fragment.value : undefined;
}

function issues(plan: Json): readonly string[] {
  const read = readFragment(plan, declarations);
  return read.ok ? [] : read.error.issues.map(({ code, path }) => `${code} ${path.join('.')}`);
}

function understood(plan: Json): readonly string[] {
  const read = readFragment(plan, declarations);
  return read.ok && 'steps' in read.value ? read.value.understood : [];
}

describe('a graph of tools', () => {
  const record = {
    id: '1',
    user_request: 'Say what is in the picture.',
    task_steps: ['Step 1: read it', 'Step 2: say it'],
    task_nodes: [
      { task: 'Image-to-Text', arguments: ['a.jpg'] },
      { task: 'Text-to-Speech', arguments: ['<node-0>', 'female'] },
      { task: 'Image-to-Text', arguments: ['b.jpg'] },
    ],
    task_links: [
      { source: 'Image-to-Text', target: 'Text-to-Speech' },
      { source: 'Text-to-Speech', target: 'Image-to-Text' },
    ],
  };

  test('becomes steps named by their tools, which wait as the links say', () => {
    expect(steps(record)).toEqual([
      { name: 'image_to_text', capability: 'Image-to-Text', input: { arguments: ['a.jpg'] } },
      {
        name: 'text_to_speech',
        capability: 'text_to_speech',
        input: { text: '{{ results.image_to_text }}', voice: 'female' },
        depends_on: ['image_to_text'],
      },
      {
        name: 'image_to_text_2',
        capability: 'Image-to-Text',
        input: { arguments: ['b.jpg'] },
        depends_on: ['text_to_speech'],
      },
    ]);
  });

  test('keeps steps in words that are maps', () => {
    const inWords = [{ step: 1, description: 'read it' }, 'then say it', 3];
    expect(read({ ...record, task_steps: inWords })).toMatchObject({ rationale: 'read it\nthen say it\n3' });
  });

  test('tells how each of its parts was understood', () => {
    expect(understood(record)).toEqual(
      expect.arrayContaining([
        '"task_nodes" and "task_links" as steps',
        '"task_steps" as the rationale',
        '"user_request" as a remark',
        'arguments by their position',
        '"Text-to-Speech" as the capability "text_to_speech"',
      ]),
    );
  });

  test.each<[string, Json]>([
    ['source and target', [{ source: 'a', target: 'b' }]],
    ['from and to', [{ from: 'a', to: 'b' }]],
    ['pairs', [['a', 'b']]],
    ['arrows', ['a -> b']],
  ])('may have links with %s', (_, links) => {
    const nodes = [
      { id: 'a', tool: 'files.read', args: { path: 'x' } },
      { id: 'b', tool: 'files.read', args: { path: 'y' } },
    ];
    for (const key of ['links', 'edges'])
      expect(steps({ nodes, [key]: links })[1]).toMatchObject({ depends_on: ['a'] });
  });

  test('may have links by the places of nodes without numbers', () => {
    const nodes = [
      { task: 'A', arguments: [] },
      { task: 'B', arguments: [] },
    ];
    expect(steps({ nodes, edges: [[0, 1]] })[1]).toMatchObject({ depends_on: ['a'] });
  });

  test('reports a link to no node at its place, and drops none', () => {
    const links = [
      { source: 'Text-to-Speech', target: '1' },
      { source: 'Step 2' },
      { source: 'Nobody', target: 'Step 3' },
    ];
    expect(issues({ ...record, task_links: links })).toEqual([
      'DEPENDENCY_UNKNOWN task_links.0.target',
      'FRAGMENT_UNREADABLE task_links.1',
      'DEPENDENCY_UNKNOWN task_links.2.source',
      'DEPENDENCY_UNKNOWN task_links.2.target',
    ]);
  });

  test('reports keys of links and of nodes that nobody knows', () => {
    const nodes = [
      { id: 'a', tool: 'files.read', mood: 1 },
      { id: 'b', tool: 'files.read' },
    ];
    expect(issues({ nodes, links: [{ source: 'a', target: 'b', condition: 'x' }] })).toEqual([
      'SHAPE_UNKNOWN_KEY links.0.condition',
      'SHAPE_UNKNOWN_KEY nodes.0.mood',
    ]);
  });
});

describe('a sequence of calls', () => {
  test('with task, dep and args becomes steps', () => {
    const plan = [
      { task: 'image-to-text', id: 0, dep: [-1], args: { image: 'a.jpg' } },
      { task: 'text-to-speech', id: 1, dep: [0], args: { text: '<GENERATED>-0', voice: 'as <resource-0> says' } },
    ];
    expect(steps(plan)[1]).toEqual({
      name: 'step_1',
      capability: 'text_to_speech',
      input: { text: '{{ results.step_0 }}', voice: 'as {{ results.step_0 }} says' },
      depends_on: ['step_0'],
    });
  });

  test('with labels refers to results, and ends with the result of the plan', () => {
    const plan = [
      { name: 'RentalCars.GetCars', arguments: { city: 'Rome' }, label: 'var1' },
      { name: 'convert', arguments: { sum: '5 * $var1.Daily Price$', car: '$var_1.cars[0]$' }, label: '$var2' },
      { name: 'var_result', arguments: { cars: '$var1$', price: '$var2.sum$' } },
    ];
    expect(steps(plan)).toEqual([
      { name: 'var1', capability: 'rental_cars.get_cars', input: { city: 'Rome' } },
      {
        name: 'var2',
        capability: 'convert',
        input: { sum: '5 * {{ results.var1["Daily Price"] }}', car: '{{ results.var1.cars.0 }}' },
      },
      {
        name: 'var_result',
        type: 'compute',
        expr: '{"cars" (get-in data/results ["var1"]) "price" (get-in data/results ["var2" "sum"])}',
      },
    ]);
  });

  test('as a model calls tools becomes steps, with arguments out of a text', () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'files.read', arguments: '{"path": "a"}' } };
    expect(steps({ tool_calls: [call] })).toEqual([{ name: 'call_1', capability: 'files.read', input: { path: 'a' } }]);
  });

  test('in one another becomes steps, the innermost first', () => {
    const airport = { name: 'airport', arguments: { city: 'Rome' } };
    const plan = { name: 'book', arguments: { flight: { name: 'find', arguments: { to: airport } }, seats: 2 } };
    expect(steps(plan)).toEqual([
      { name: 'airport', capability: 'airport', input: { city: 'Rome' } },
      { name: 'find', capability: 'find', input: { to: '{{ results.airport }}' } },
      { name: 'book', capability: 'book', input: { flight: '{{ results.find }}', seats: 2 } },
    ]);
  });

  test('with a number for the call itself is refused, because numbers count from 0', () => {
    const plan = [
      { task: 'a', args: { x: 1 } },
      { task: 'b', args: { x: '<node-1>' } },
    ];
    const found = readFragment(plan, declarations);
    expect(found.ok ? [] : found.error.issues).toMatchObject([
      { code: 'REFERENCE_FOREIGN', path: [1, 'args', 'x'], hint: expect.stringContaining('<node-0> is the first') },
    ]);
  });

  test('with two calls of one label is refused', () => {
    const call = { name: 'files.read', arguments: {}, label: 'var1' };
    expect(issues([call, { ...call, arguments: { path: '$var2$' } }])).toContain('REFERENCE_FOREIGN 1.arguments.path');
  });
});

describe('a reference in the argument of a call', () => {
  const planned = (argument: string): Json => [
    { task: 'Text Expander', arguments: ['a'] },
    { task: 'Image Search', arguments: [argument] },
  ];

  test.each([
    ['[Output of Text Expander]', '{{ results.text_expander }}'],
    ['[expanded text from Text Expander]', '{{ results.text_expander }}'],
    ['output_of_Text_Expander', '{{ results.text_expander }}'],
    ['<node-0>.title', '{{ results.text_expander.title }}'],
    ['See <node-0>. Then stop.', 'See {{ results.text_expander }}. Then stop.'],
  ])('%s is read', (written, meant) => {
    expect(steps(planned(written))[1]).toMatchObject({ input: { arguments: [meant] } });
  });

  test.each([
    '<node-7>',
    '<GENERATED>-0-text',
    '<GENERATED>',
    'output_of_step_1',
    'output from Step 1',
    '[Output of Text Shortener]',
    'search words from Text Expander',
    '${expanded_text}',
    '$[0].output',
    '%{TextExpander#output}%',
    '$var1.field$',
    'twice $var3.Exchange Rate$',
  ])('%s is refused, and never taken for text', (written) => {
    expect(issues(planned(written))).toEqual(['REFERENCE_FOREIGN 1.arguments.0']);
  });

  test.each(['The output is good', 'a < b', '$5 and $7', 'result', 'Output format: paragraph'])(
    '"%s" stays a text',
    (written) => {
      expect(steps(planned(written))[1]).toMatchObject({ input: { arguments: [written] } });
    },
  );
});

describe('the arguments of a call', () => {
  const called = (given: Json): Json => ({ steps: [{ name: 'say', tool: 'Text-to-Speech', args: given }] });

  test('by name and value become an input', () => {
    expect(
      steps(
        called([
          { name: 'voice', value: 'low' },
          { name: 'text', value: 'a' },
        ]),
      ),
    ).toMatchObject([{ input: { voice: 'low', text: 'a' } }]);
  });

  test('by position take the fields of the contract in their order', () => {
    expect(steps(called(['a', 'low']))).toMatchObject([{ input: { text: 'a', voice: 'low' } }]);
    expect(steps(called(['low', { name: 'text', value: 'a' }]))).toMatchObject([
      { input: { text: 'a', voice: 'low' } },
    ]);
  });

  test('that are too many, or twice the same, are refused', () => {
    expect(issues(called(['a', 'low', 'loud']))).toEqual(['ARGUMENT_UNEXPECTED steps.0.args']);
    const twice = { name: 'text', value: 'a' };
    expect(issues(called([twice, twice]))).toEqual(['SHAPE_KEY_REPEATED steps.0.args']);
  });
});
