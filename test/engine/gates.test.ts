// Gates: steps that wait for a person, what may be said there, and what comes of it.
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import type { Outcome } from '../../src/engine/command.ts';
import { isWaiting } from '../../src/engine/state.ts';
import { type StepSketch, templateOf } from './template-of.ts';
import { type Said, World, type WorldOptions } from './world.ts';

const done = (value: Json = { ok: true }): Outcome => ({ ok: true, value });

function worldOf(steps: readonly StepSketch[], options: Partial<WorldOptions> = {}): World {
  return new World(templateOf({ steps }), { perform: () => done({ title: 'Plums' }), ...options }).begin();
}

const always = (said: Said) => ({ review: () => said });
const statusOf = (world: World, id: string) => world.state.steps.get(id)?.skipped ?? world.state.steps.get(id)?.status;
const resultIn = (world: World, id: string) => {
  const result = world.state.steps.get(id)?.result;
  return result !== undefined && 'value' in result ? result.value : undefined;
};

/** draft → check (a person) → publish */
function reviewed(gate: Partial<StepSketch['gate']> = {}, rest: Partial<StepSketch> = {}): StepSketch[] {
  return [
    { name: 'draft' },
    {
      name: 'check',
      type: 'human_review',
      after: ['draft'],
      gate: { prompt: 'Publish {{ results.draft.title }}?', onExpiry: 'fail', ...gate },
      ...rest,
    },
    { name: 'publish', after: ['check'] },
  ];
}

describe('a human_review', () => {
  it('asks, lets the run rest, and goes on with what a person says', () => {
    const world = worldOf(reviewed()).run();
    expect(isWaiting(world.state)).toBe(true);
    const gate = world.state.gates.get('g1');
    expect(gate).toMatchObject({ kind: 'review', step: 'check', prompt: 'Publish Plums?' });
    expect(gate?.context).toEqual({ value: { depends: { draft: { title: 'Plums' } } } });
    world.tell({ type: 'review', gate: 'g1', verdict: 'approve', by: 'ada', why: 'fine' });
    expect(world.run().state.ended?.status).toBe('completed');
    expect(resultIn(world, 'check')).toEqual({ approved: true, notes: 'fine' });
    expect(statusOf(world, 'publish')).toBe('completed');
  });

  it('that is rejected fails, with the reason, and what depends on it does not run', () => {
    const world = worldOf(reviewed(), always({ verdict: 'reject', why: 'too dull' })).run();
    expect(world.state.steps.get('check')?.failure).toMatchObject({
      code: 'GATE_REJECTED',
      message: 'ada rejected gate g1: too dull',
    });
    expect(statusOf(world, 'publish')).toBe('upstream');
    expect(world.state.ended?.status).toBe('failed');
  });
});
