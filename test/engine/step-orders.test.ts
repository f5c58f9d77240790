// Orders about one step: retry it, or give it a result.

import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import { World } from '../../src/testing/world.ts';
import { type StepSketch, templateOf, work } from './template-of.ts';

const done: EffectOutcome = good(1);
const steps: readonly StepSketch[] = [{ name: 'a' }, { name: 'b', after: ['a'] }];
const planned: readonly StepSketch[] = [
  { name: 'plan', planning: { target: 'end' } },
  { name: 'end', type: 'deferred', after: ['plan'] },
];

function worldOf(sketch: readonly StepSketch[], plan: readonly Json[] = []): World {
  return new World(templateOf({ steps: sketch }), {
    perform: ({ type }) => (type === 'ask-planner' ? good({ steps: [...plan] }) : done),
  }).begin();
}

function statusOf(world: World): Record<string, string> {
  return Object.fromEntries([...world.state.steps.values()].map(({ id, status, skipped }) => [id, skipped ?? status]));
}

describe('resolve-step', () => {
  it('gives a waiting step its result, and its dependents run', () => {
    const world = worldOf([{ name: 'a' }, { name: 'b', after: ['a'] }, { name: 'c', after: ['b'] }]);
    const { events } = world.tell({ type: 'resolve-step', step: 'b', value: { n: 2 }, by: 'ada', why: 'known' });
    expect(events[0]?.event).toMatchObject({
      type: 'step.resolved',
      value: { value: { n: 2 } },
      by: 'ada',
      why: 'known',
    });
    expect(world.state.steps.get('c')?.status).toBe('ready');
    expect(world.run().state.ended?.status).toBe('completed');
    expect(world.performed.map(({ step }) => step)).not.toContain('b');
  });

  it('interrupts a running attempt, charges it in full, and its late outcome changes nothing', () => {
    const world = worldOf(steps);
    world.tell({ type: 'start-step', step: 'a' });
    const { effects } = world.tell({ type: 'resolve-step', step: 'a', value: 7, by: 'ada' });
    expect(effects).toEqual([{ type: 'abort', step: 'a', why: 'resolved' }]);
    expect(world.state.ledger.accounts.get('run')).toMatchObject({
      spent: { tool_calls: 1 },
      reserved: { tool_calls: 0 },
    });
    const late = world.tell({
      type: 'settle',
      step: 'a',
      attempt: 1,
      delivery: 1,
      input: {},
      outcome: done,
      chance: 0,
    });
    expect(late.events).toEqual([]);
    expect(world.run().state.ended?.output).toEqual({ value: { b: 1 } });
  });

  it('refuses a result that breaks the contract, says where, and leaves the step as it was', () => {
    const output = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
    const world = worldOf([{ name: 'a', output }]);
    const { refused, events } = world.tell({ type: 'resolve-step', step: 'a', value: { n: 'many' }, by: 'ada' });
    expect(refused).toMatchObject({ code: 'OUTPUT_INVALID', message: expect.stringContaining('at n') });
    expect([events, statusOf(world)]).toEqual([[], { a: 'ready' }]);
  });

  it('names branches when it resolves a decision, and the others are not chosen', () => {
    const decision: StepSketch[] = [
      { name: 'pick', type: 'decision', capability: 'work', decision: { branches: ['left', 'right'] } },
      { name: 'left', after: ['pick'] },
      { name: 'right', after: ['pick'] },
    ];
    const world = worldOf(decision);
    const wrong = world.tell({ type: 'resolve-step', step: 'pick', value: { branches: ['lift'] }, by: 'ada' });
    expect(wrong.refused).toMatchObject({ code: 'DECISION_INVALID', message: expect.stringContaining('"left"') });
    world.tell({ type: 'resolve-step', step: 'pick', value: { branches: ['left'] }, by: 'ada' });
    expect(statusOf(world.run())).toEqual({ pick: 'resolved', left: 'completed', right: 'not_chosen' });
  });

  it('is refused for planning steps, for targets with open phases, and for ended steps', () => {
    const world = worldOf(planned);
    const refusedFor = (step: string): unknown =>
      world.tell({ type: 'resolve-step', step, value: 1, by: 'ada' }).refused;
    expect(refusedFor('plan')).toMatchObject({
      code: 'STEP_NOT_RESOLVABLE',
      hint: expect.stringContaining('retry-step'),
    });
    expect(refusedFor('end')).toMatchObject({ message: '"end" is the convergence target of plan' });
    expect(refusedFor('plam')).toMatchObject({ code: 'STEP_MISSING', hint: 'did you mean "plan"?' });
    world.tell({ type: 'start-step', step: 'plan' });
    world.tell({ type: 'cancel', by: 'ada' });
    expect(refusedFor('end')).toMatchObject({ code: 'RUN_NOT_RUNNING' });
    world.run();
    expect(refusedFor('end')).toMatchObject({ code: 'RUN_ENDED' });
  });

  it('resolves a target whose phases are planned, and their running branches end', () => {
    const world = worldOf(planned, [{ name: 't', capability: 'work' }]);
    world.tell({ type: 'start-step', step: 'plan' });
    world.step();
    world.tell({ type: 'resolve-step', step: 'end', value: 'enough', by: 'ada' });
    expect(world.run().state.ended).toMatchObject({ status: 'completed', output: { value: { end: 'enough' } } });
    expect(statusOf(world)).toEqual({ plan: 'completed', 'plan.1/t': 'completed', end: 'resolved' });
  });

  it('works in a paused run, where the steps that it made ready begin on resume', () => {
    const world = worldOf(steps);
    world.tell({ type: 'pause', by: 'ada' });
    world.tell({ type: 'resolve-step', step: 'a', value: 1, by: 'ada' });
    expect([world.step(), statusOf(world)]).toEqual([false, { a: 'resolved', b: 'ready' }]);
    world.tell({ type: 'resume', by: 'ada' });
    expect(world.run().state.ended?.status).toBe('completed');
  });
});

describe('retry-step', () => {
  it('interrupts a running attempt, charges it, and the next counts as the first', () => {
    const retry = { maxAttempts: 2, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;
    const outcomes: EffectOutcome[] = [bad({ code: 'CAPABILITY_THREW', message: 'no', retry: 'may' }), done];
    const world = new World(templateOf({ steps: [{ name: 'a', onFailure: 'retry', retry }] }), {
      perform: () => outcomes.shift() ?? done,
    }).begin();
    world.tell({ type: 'start-step', step: 'a' });
    const { effects } = world.tell({ type: 'retry-step', step: 'a', by: 'ada', why: 'it hangs' });
    expect(effects).toEqual([{ type: 'abort', step: 'a', why: 'retried' }]);
    world.run();
    expect(world.performed.map(({ attempt }) => attempt)).toEqual([2, 3]);
    expect(world.state.ended?.status).toBe('completed');
    expect(world.state.ledger.accounts.get('run')?.spent.tool_calls).toBe(3);
  });

  it('keeps the key of an attempt with an unknown outcome, so that nothing is done twice', () => {
    const pay = { ...work, name: 'work', effects: ['write' as const] };
    const world = new World(templateOf({ steps: [{ name: 'a' }], capabilities: [pay] }), {
      perform: () => done,
    }).begin();
    const first = world.tell({ type: 'start-step', step: 'a' }).effects[0];
    world.tell({ type: 'retry-step', step: 'a', by: 'ada' });
    world.run();
    expect(world.performed).toHaveLength(1);
    expect(world.performed[0]).toMatchObject({ attempt: 2, key: first?.type === 'call-capability' ? first.key : '' });
  });

  it('does not wait for the delay of an attempt that failed', () => {
    const retry = { maxAttempts: 2, backoff: 'none', base: 60_000, max: 60_000, jitter: 0 } as const;
    const outcomes: EffectOutcome[] = [bad({ code: 'CAPABILITY_THREW', message: 'no', retry: 'may' })];
    const world = new World(templateOf({ steps: [{ name: 'a', onFailure: 'retry', retry }] }), {
      perform: () => outcomes.shift() ?? done,
    }).begin();
    world.step();
    world.step();
    expect(statusOf(world)).toEqual({ a: 'retrying' });
    world.tell({ type: 'retry-step', step: 'a', by: 'ada' });
    const now = world.now;
    expect(world.run().state.ended?.status).toBe('completed');
    expect(world.now - now).toBeLessThan(1_000);
  });

  it('asks a planner again, and takes its new answer', () => {
    const world = worldOf(planned, [{ name: 't', capability: 'work' }]);
    world.tell({ type: 'start-step', step: 'plan' });
    world.tell({ type: 'retry-step', step: 'plan', by: 'ada' });
    world.run();
    expect(world.performed.map(({ step, attempt }) => `${step}#${attempt}`)).toEqual(['plan#2', 'plan.1/t#1']);
    expect(world.state.ended?.status).toBe('completed');
  });

  it('is refused with the reason for steps that have not begun or have ended', () => {
    const world = worldOf(steps);
    const refusedFor = (step: string): string | undefined =>
      world.tell({ type: 'retry-step', step, by: 'ada' }).refused?.message;
    expect(refusedFor('a')).toBe('"a" is about to begin');
    expect(refusedFor('b')).toBe('"b" has not begun: it waits for a');
    world.tell({ type: 'resolve-step', step: 'a', value: 1, by: 'ada' });
    expect(refusedFor('a')).toBe('"a" has ended (resolved)');
  });

  it('is refused in a fail_fast run after the first failure', () => {
    const perform = (): EffectOutcome => bad({ code: 'CAPABILITY_THREW', message: 'no', retry: 'never' });
    const template = templateOf({ steps: [{ name: 'a' }, { name: 'b' }, { name: 'c' }], failFast: true });
    const world = new World(template, { perform, choose: (n) => n - 1 }).begin();
    world.tell({ type: 'start-step', step: 'a' });
    world.tell({ type: 'start-step', step: 'b' });
    world.step();
    const { refused } = world.tell({ type: 'retry-step', step: 'a', by: 'ada' });
    expect(refused).toMatchObject({ code: 'STEP_NOT_RETRYABLE', message: expect.stringContaining('first failure') });
  });
});
