// Stored templates decode to the templates that were encoded.
import { expect, it } from 'vitest';
import { templateFrom, templateText } from '../../src/engine/codec/template-codec.ts';
import { type StepSketch, templateOf } from './template-of.ts';

const patient = { maxAttempts: 5, backoff: 'linear', base: 10, max: 100, jitter: 0 } as const;

const templates: readonly (readonly [string, readonly StepSketch[]])[] = [
  ['no steps', []],
  ['one step', [{ name: 'a', input: { n: 1 } }]],
  [
    'steps that differ in everything',
    [
      { name: 'a', critical: false, timeout: 1, retry: patient, implied: ['b'], input: null },
      { name: 'b', type: 'compute', expr: { $lisp: '1' }, onFailure: 'retry', maxDeliveries: 1 },
      { name: 'c', planning: { target: 'd' } },
      { name: 'd', type: 'deferred', after: ['a', 'b', 'c'] },
    ],
  ],
  ['a first step that calls nothing', [{ name: 'a', type: 'compute', expr: { $lisp: '1' } }, { name: 'b' }]],
];

it.each(templates)('a template with %s reads as it was written', (_what, steps) => {
  const template = templateOf({ steps });
  const again = templateFrom(templateText(template));
  expect(again).toEqual(template);
  expect(JSON.stringify(again).length).toBe(JSON.stringify(template).length);
});

it('stores fields that steps share once', () => {
  const text = (count: number): string =>
    templateText(templateOf({ steps: Array.from({ length: count }, (_, i) => ({ name: `s${i}` })) }));
  expect(text(12).length - text(11).length).toBe(',{"name":"s11","dependencies":[]}'.length);
});
