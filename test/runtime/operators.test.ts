// Orders of people about steps and budgets, to running and to waiting runs.
import { describe, expect, it } from 'vitest';
import { defaultRunBudget } from '../../src/budget/limits.ts';
import { type Capability, defineCapability } from '../../src/capabilities/capability.ts';
import { type StepSketch, templateOf } from '../engine/template-of.ts';
import { engineOf, good } from './set-up.ts';

/** A capability whose first call hangs until it is aborted; each call is reported to `begun`. */
function hangingOnce(begun: (key: string) => void): Capability {
  let calls = 0;
  return defineCapability({
    name: 'work',
    description: 'Hangs once.',
    effects: ['write'],
    run: (_, { signal, idempotencyKey }) => {
      begun(idempotencyKey);
      calls += 1;
      if (calls > 1) return { n: calls };
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    },
  });
}

describe('a run that has spent its budget under `on_exhaustion: ask`', () => {
  const chain: readonly StepSketch[] = [
    { name: 'one' },
    { name: 'two', after: ['one'] },
    { name: 'plan', after: ['two'], planning: { target: 'end' } },
    {
      name: 'end',
      type: 'deferred',
      after: ['plan'],
      convergence: { policy: 'all_success', early: false, onExhaustion: 'ask' },
    },
  ];
  const template = templateOf({ steps: chain, budget: { limit: { ...defaultRunBudget.limit, tool_calls: 2 } } });

  it('waits, and completes after a person raises its limit', async () => {
    const engine = engineOf();
    const report = await good(await engine.start(template)).done;
    expect(report).toMatchObject({ status: 'waiting', gates: [{ gate: 'g1', kind: 'exhaustion', step: 'two' }] });
    const order = { type: 'raise-budget', account: 'run', limit: { tool_calls: 20 }, by: 'ada' } as const;
    const { handle } = good(await engine.order(report.run, order));
    expect(await handle?.done).toMatchObject({ status: 'completed', partial: false });
  });

  it('waits, and ends partial after a person approves its convergence', async () => {
    const engine = engineOf();
    const report = await good(await engine.start(template)).done;
    const order = { type: 'review', gate: 'g1', verdict: 'approve', by: 'ada' } as const;
    const { handle } = good(await engine.order(report.run, order));
    expect(await handle?.done).toMatchObject({ partial: true, stop: { resource: 'tool_calls', limit: 2 } });
  });
});

describe('a step that hangs in a running run', () => {
  const steps: readonly StepSketch[] = [{ name: 'slow' }, { name: 'after', after: ['slow'] }];

  it('begins again with the same key when a person orders a retry', async () => {
    const keys: string[] = [];
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const hanging = hangingOnce((key) => {
      keys.push(key);
      resolve();
    });
    const engine = engineOf({ capabilities: [hanging] });
    const handle = good(await engine.start(templateOf({ steps })));
    await begun;
    good(await engine.order(handle.id, { type: 'retry-step', step: 'slow', by: 'ada' }));
    expect((await handle.done).status).toBe('completed');
    expect(keys[1]).toBe(keys[0]);
  });

  it('ends with the result that a person gives it', async () => {
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    const engine = engineOf({ capabilities: [hangingOnce(() => resolve())] });
    const handle = good(await engine.start(templateOf({ steps })));
    await begun;
    good(await engine.order(handle.id, { type: 'resolve-step', step: 'slow', value: 'known', by: 'ada' }));
    expect((await handle.done).status).toBe('completed');
    expect(good(engine.read(handle.id)).state.steps.get('slow')).toMatchObject({
      status: 'resolved',
      result: { value: 'known' },
    });
  });
});
