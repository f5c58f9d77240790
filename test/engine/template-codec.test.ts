// Stored templates decode to the templates that were encoded.
import { expect, it } from 'vitest';
import { templateFrom, templateText } from '../../src/engine/codec/template-codec.ts';
import type { ModelProfile } from '../../src/model/profile.ts';
import type { Template } from '../../src/template/template.ts';
import { profileOf } from '../profile-of.ts';
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

it('gives models of earlier versions the keys that they lack, also in templates that steps call', () => {
  const { tools: _, fallback: __, api: ___, stallTimeout: ____, ...old } = profileOf({ model: 'gpt-5-mini' });
  const models = { default: old as ModelProfile };
  const child = { ...templateOf({ steps: [] }), models };
  const templates = { child: { template: child } } as unknown as NonNullable<Template['templates']>;
  const again = templateFrom(templateText({ ...templateOf({ steps: [{ name: 'a' }] }), models, templates }));
  for (const { models: read } of [again, again.templates?.child?.template ?? again]) {
    expect(read.default).toEqual({ ...old, tools: true, fallback: [], api: 'auto', stallTimeout: 60_000 });
  }
});
