// Given results: the options of a run give steps their results, and those steps do not run.

import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import { World } from '../../src/testing/world.ts';
import { templateOf } from './template-of.ts';

const template = templateOf({
  steps: [
    { name: 'plan', planning: { target: 'end' } },
    { name: 'end', type: 'deferred', after: ['plan'] },
  ],
});

const plan: readonly Json[] = [
  { name: 'a', capability: 'work' },
  { name: 'b', capability: 'work', input: { n: '{{ results.a.n }}' } },
  { name: 'c', type: 'compute', expr: '(get-in data/results ["b" "n"])' },
];

function worldOf(given: Readonly<Record<string, Json>>, steps: readonly Json[] = plan): World {
  return new World(template, {
    given,
    perform: ({ type }) => (type === 'ask-planner' ? good({ steps }) : good({ n: 1 })),
  })
    .begin()
    .run();
}

const statuses = ({ state }: World) =>
  Object.fromEntries([...state.steps.values()].map(({ spec, status }) => [spec.name, status]));
const called = ({ performed }: World) => performed.flatMap(({ step }) => (step === 'plan' ? [] : [step]));

describe('a given result', () => {
  it('becomes the result of its step, and is shown as given', () => {
    const world = worldOf({ b: { n: 7 } });
    expect(statuses(world)).toMatchObject({ a: 'completed', b: 'resolved', c: 'completed', end: 'completed' });
    expect(world.state.steps.get('plan.1/c')?.result).toEqual({ value: 7 });
    expect(called(world)).toEqual(['plan.1/a']);
    expect(world.events.find(({ type }) => type === 'step.resolved')).toMatchObject({
      step: 'plan.1/b',
      why: 'given when the run was started',
    });
  });

  it('completes its step even if a dependency fails', () => {
    const failing = new World(template, {
      given: { b: { n: 7 } },
      perform: ({ type }) =>
        type === 'ask-planner' ? good({ steps: plan }) : bad({ code: 'X', message: 'no', retry: 'never' }),
    })
      .begin()
      .run();
    expect(statuses(failing)).toMatchObject({ a: 'failed', b: 'resolved', c: 'completed' });
  });

  it('is ignored when it breaks the contract of its step: the step runs', () => {
    const strict = [{ name: 'a', capability: 'work', output: '{n :int}' }];
    expect(called(worldOf({ a: 'text' }, strict))).toEqual(['plan.1/a']);
  });

  it('changes nothing when no plan has its step', () => {
    expect(statuses(worldOf({ nobody: 1 }))).toMatchObject({ a: 'completed', b: 'completed' });
  });

  it('may be as large as any result, and survives a crash', () => {
    const text = 'x'.repeat(100_000);
    const world = worldOf({ a: { n: text } });
    const { journal, blobs } = world;
    const again = World.over(template, { perform: () => undefined }, journal, blobs);
    expect([...again.state.given.keys()]).toEqual(['a']);
    expect(again.state.steps.get('plan.1/a')?.status).toBe('resolved');
    expect(again.state.steps.get('plan.1/a')?.result).toHaveProperty('digest');
  });
});
