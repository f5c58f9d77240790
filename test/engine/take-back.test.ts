// Attempts and calls that never began, because their driver stopped: they cost nothing and are made later.
import { describe, expect, it } from 'vitest';
import { good } from '../../src/base/result.ts';
import { World } from '../../src/testing/world.ts';
import { templateOf } from './template-of.ts';

const steps = [
  { name: 'a', maxDeliveries: 1 },
  { name: 'b', after: ['a'] },
];
const which = { step: 'a', attempt: 1, delivery: 1 } as const;

function started(): World {
  const world = new World(templateOf({ steps }), { perform: () => good(1) }).begin();
  world.tell({ type: 'start-step', step: 'a', isStopping: true });
  return world;
}

describe('an attempt that never began', () => {
  it('is charged nothing, and its step begins again without using up a try', () => {
    const world = started();
    const { events } = world.tell({ type: 'take-back', ...which, isStopping: true });
    expect(events.map(({ event }) => event)).toMatchObject([
      { type: 'attempt.failed', attempt: 1, failure: { code: 'CALL_NOT_MADE' } },
    ]);
    expect(world.state.ledger.accounts.get('run')?.spent).not.toHaveProperty('tool_calls');
    expect(world.state.ledger.accounts.get('run')?.reserved.tool_calls).toBe(0);
    const { effects } = world.tell({ type: 'attach', by: 'test' });
    expect(effects).toEqual([]);
    world.run();
    expect(world.state.ended?.status).toBe('completed');
    expect(world.state.steps.get('a')).toMatchObject({ attempt: 2, uncounted: 1, tries: [] });
    expect(world.state.ledger.accounts.get('run')?.spent.tool_calls).toBe(2);
  });

  it('is not taken back again, and neither is an attempt that has ended', () => {
    const world = started();
    world.tell({ type: 'take-back', ...which });
    expect(world.tell({ type: 'take-back', ...which }).events).toEqual([]);
    world.run();
    expect(world.tell({ type: 'take-back', ...which, attempt: 2 }).events).toEqual([]);
  });
});
