// A composition is checked end to end before anything runs: what it calls, what it hands on, where it changes something.
import { expect, test } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { catalog } from '../../src/capabilities/catalog/catalog.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import { checkComposition } from '../../src/template/check/compositions.ts';
import { readComposition } from '../../src/template/keys/composition.ts';

const asking: Declaration = {
  name: 'person.ask',
  description: 'Asks.',
  effects: ['read'],
  tags: [],
  cost: {},
  asks: true,
};
const declarations = Object.fromEntries(
  [...catalog.map(({ declaration }) => declaration), asking].map((each) => [each.name, each]),
);

const wrongs = (written: Json): string[] => {
  const spec = readComposition(written);
  if (spec === undefined) throw new Error('no composition');
  return checkComposition(spec, declarations).map(({ code, path }) => `${code} ${path.join('.')}`);
};

const read = { name: 'rows', call: 'csv.read', input: { path: '{{ input.path }}' } };
const of = (...steps: Json[]): Record<string, Json> => ({
  name: 'a',
  description: 'Does it.',
  input: '{path :string}',
  steps,
});
const write = { call: 'files.write', input: { path: 'x', text: 'y' } };

test.each<[string, Json, string[]]>([
  ['that calls nothing', of(), ['COMPOSITION_EMPTY steps']],
  ['that calls what there is none of', of({ call: 'csv.raed' }), ['CAPABILITY_UNKNOWN steps.0.call']],
  ['for what it leaves out', of({ call: 'csv.read' }), ['INPUT_MISSING_KEY steps.0.input']],
  ['for what does not fit', of({ ...read, input: { path: 7 } }), ['CONTRACT_MISMATCH steps.0.input.path']],
  [
    'for what a call before does not answer',
    of(read, { call: 'data.aggregate', input: { rows: '{{ results.rows.columns }}', measures: {} } }),
    ['CONTRACT_MISMATCH steps.1.input.rows'],
  ],
  [
    'for a path that no contract has',
    of(read, { call: 'data.transform', input: { expr: '1', data: '{{ results.rows.row }}' } }),
    ['REFERENCE_PATH_UNKNOWN steps.1.input.data'],
  ],
  [
    'for a look ahead',
    of({ call: 'data.transform', input: { expr: '1', data: '{{ results.rows }}' } }, read),
    ['REFERENCE_UNKNOWN steps.0.input.data'],
  ],
  ['for a look around', of({ ...read, input: { path: '{{ run.folder }}' } }), ['REFERENCE_UNKNOWN steps.0.input.path']],
  ['for Lisp that is none', of({ ...read, input: { path: { $lisp: '(' } } }), ['LISP_PARSE steps.0.input.path']],
  ['for two calls of one name', of(read, read), ['COMPOSITION_NAME_REPEATED steps.1.name']],
  ['that changes something before its end', of(write, read), ['COMPOSITION_MUTATION_MISPLACED steps.0.call']],
  ['that changes two things', of(write, { ...write, name: 'second' }), ['COMPOSITION_MUTATION_MISPLACED steps.0.call']],
  [
    'that computes behind its change',
    { ...of(write), result: { n: { $lisp: '(+ 1 1)' } } },
    ['COMPOSITION_MUTATION_MISPLACED result'],
  ],
  ['that would ask somebody', of({ call: 'person.ask' }), ['COMPOSITION_ASKS steps.0.call']],
  [
    'that would ask a model',
    of({ call: 'llm.ask' }),
    ['CAPABILITY_UNKNOWN steps.0.call', 'COMPOSITION_ASKS steps.0.call'],
  ],
  ['that does not answer what it promises', { ...of(read), output: '{rows :int}' }, ['CONTRACT_MISMATCH result']],
  [
    'for a part of the answer that does not fit',
    { ...of(read), output: '{n :int}', result: { n: '{{ results.rows.path }}' } },
    ['CONTRACT_MISMATCH result.n'],
  ],
  ['for a contract that is none', { ...of(read), input: '{path :sting}' }, ['SIGNATURE_SYNTAX input']],
])('a composition is refused %s', (_, written, issues) => {
  expect(wrongs(written)).toEqual(issues);
});

test('a composition with fitting contracts is accepted', () => {
  expect(wrongs({ ...of(read, write), result: { path: '{{ results.rows.path }}' }, output: '{path :string}' })).toEqual(
    [],
  );
});

test.each<[string, Json]>([
  ['a call that names nothing', { name: 'a', description: '', steps: [{ cal: 'csv.read' }] }],
  ['no list of calls', { name: 'a', description: '', steps: 'csv.read' }],
  ['no name', { steps: [] }],
])('%s is left to what checks the shape', (_, written) => {
  expect(readComposition(written)).toBeUndefined();
});
