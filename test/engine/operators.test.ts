// Orders from people: pause, resume, cancel; and what a driver finds when it takes a run over.

import { describe, expect, it } from 'vitest';
import { good } from '../../src/base/result.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import { elapsedOf } from '../../src/engine/state/state.ts';
import { World } from '../../src/testing/world.ts';
import { templateOf } from './template-of.ts';

const done: EffectOutcome = good(1);
const steps = [{ name: 'a' }, { name: 'b', after: ['a'] }];

describe('cancel', () => {
  it('aborts what runs, ends everything and keeps who and why', () => {
    const world = new World(templateOf({ steps }), { perform: () => done }).begin();
    world.tell({ type: 'start-step', step: 'a' });
    const { effects } = world.tell({ type: 'cancel', by: 'ada', why: 'wrong folder' });
    world.run();
    expect(effects).toEqual([{ type: 'abort', step: 'a', why: 'cancelled' }]);
    expect(world.events.map(({ type }) => type).slice(-3)).toEqual(['run.cancelling', 'steps.cancelled', 'run.ended']);
    expect(world.state.ended?.status).toBe('cancelled');
    expect(world.events.find(({ type }) => type === 'run.cancelling')).toMatchObject({
      by: 'ada',
      why: 'wrong folder',
    });
  });

  it('is refused once the run has ended', () => {
    const world = new World(templateOf({ steps }), { perform: () => done }).begin().run();
    expect(world.tell({ type: 'cancel', by: 'ada' }).refused?.code).toBe('RUN_ENDED');
  });
});

describe('pause', () => {
  it('admits nothing new, lets what runs end, and resume goes on', () => {
    const world = new World(templateOf({ steps }), { perform: () => done }).begin();
    world.tell({ type: 'start-step', step: 'a' });
    world.tell({ type: 'pause', by: 'ada' });
    world.run();
    expect([world.state.status, world.state.steps.get('a')?.status, world.state.steps.get('b')?.status]).toEqual([
      'paused',
      'completed',
      'ready',
    ]);
    world.tell({ type: 'resume', by: 'ada' });
    expect(world.run().state.ended?.status).toBe('completed');
  });
});

describe('a crash', () => {
  it('hands an attempt out again under the same key, charged once more', () => {
    const world = new World(templateOf({ steps }), { perform: () => done }).begin();
    const { effects } = world.tell({ type: 'start-step', step: 'a' });
    world.crash();
    const again = world.run().performed[0];
    expect(again).toMatchObject({
      step: 'a',
      attempt: 1,
      delivery: 2,
      key: effects[0]?.type === 'call-capability' ? effects[0].key : '',
    });
    expect(world.state.ledger.accounts.get('run')?.spent.tool_calls).toBe(3);
    expect(world.events.find(({ type }) => type === 'attempt.lost')).toMatchObject({ assumed: { tool_calls: 1 } });
  });

  it('too often in the same attempt gives it up as lost', () => {
    const world = new World(templateOf({ steps }), { perform: () => done }).begin();
    world.tell({ type: 'start-step', step: 'a' });
    for (let i = 0; i < 3; i++) world.crash();
    world.run();
    expect(world.state.steps.get('a')?.failure?.code).toBe('WORKER_LOST');
  });

  it('costs no wall clock for the time in which nobody drove the run', () => {
    const world = new World(templateOf({ steps, budget: { wallClock: 60_000 } }), { perform: () => done }).begin();
    world.tell({ type: 'start-step', step: 'a' });
    world.crash(24 * 3_600_000);
    expect(world.run().state.ended?.status).toBe('completed');
    expect(elapsedOf(world.state)).toBeLessThan(1_000);
  });
});
