// on_exhaustion: ask. An account that cannot pay is a question to people, and the run goes on as they answer it.
import { describe, expect, it } from 'vitest';
import type { Issue } from '../../src/base/issue.ts';
import type { Json } from '../../src/base/json.ts';
import { defaultRunBudget, type RunBudget } from '../../src/budget/limits.ts';
import type { Outcome } from '../../src/engine/record/command.ts';
import { valueIn } from '../../src/engine/record/kept.ts';
import { exhaustionText } from '../../src/engine/state/exhaustion.ts';
import { elapsedOf } from '../../src/engine/state/state.ts';
import { isWaiting } from '../../src/engine/state/waiting.ts';
import type { ConvergenceSpec } from '../../src/template/step-spec.ts';
import { World } from '../../src/testing/world.ts';
import { type StepSketch, templateOf, work } from './template-of.ts';

const done: Outcome = { ok: true, value: { ok: true } };
const ask: ConvergenceSpec = { policy: 'all_success', early: false, onExhaustion: 'ask' };
const task = (name: string, ...after: string[]): Json => ({ name, capability: 'work', depends_on: after });
const chain: readonly Json[] = [task('a'), task('b', 'a'), task('c', 'b')];

const asking: readonly StepSketch[] = [
  { name: 'plan', planning: { target: 'end' } },
  { name: 'end', type: 'deferred', capability: 'work', after: ['plan'], convergence: ask },
];

function worldOf(
  sketch: readonly StepSketch[],
  limit: Record<string, number>,
  budget: Partial<RunBudget> = {},
  plan = chain,
  capabilities = [work],
): World {
  const whole = { ...budget, limit: { ...defaultRunBudget.limit, ...limit } };
  return new World(templateOf({ steps: sketch, budget: whole, capabilities }), {
    perform: ({ type }) => (type === 'ask-planner' ? { ok: true, value: { steps: [...plan] } } : done),
  }).begin();
}

/** The first step of every phase is handed out twice, which no estimate has foreseen: the third cannot be paid. */
function short(
  sketch: readonly StepSketch[],
  limit: Record<string, number>,
  budget: Partial<RunBudget> = {},
  capabilities = [work],
): World {
  const world = worldOf(sketch, limit, budget, chain, capabilities);
  const planners = sketch.filter(({ planning }) => planning !== undefined);
  while (!planners.every(({ name }) => world.state.running.has(`${name}.1/a`))) {
    const next = [...world.state.ready].find((id) => world.state.steps.get(id)?.spec.planning !== undefined);
    const begin = next ?? (world.state.running.size < planners.length ? undefined : [...world.state.ready][0]);
    if (begin === undefined) world.step();
    else world.tell({ type: 'start-step', step: begin });
  }
  world.crash();
  return world.run();
}

function statusOf(world: World): Record<string, string> {
  return Object.fromEntries([...world.state.steps.values()].map(({ id, status, skipped }) => [id, skipped ?? status]));
}

function answer(world: World, value: Json, gate = 'g1'): Issue | undefined {
  return world.tell({ type: 'review', gate, verdict: 'answer', value, by: 'ada', why: 'it matters' }).refused;
}

describe('an account that cannot pay, where somebody wants to be asked', () => {
  it('is asked about: the step is held, nothing is cut, and the run rests', () => {
    const world = short(asking, { tool_calls: 4 });
    expect(statusOf(world)).toMatchObject({ 'plan.1/c': 'held', end: 'waiting' });
    expect([world.step(), isWaiting(world.state), world.state.exhausted.size]).toEqual([false, true, 0]);
    const gate = world.state.gates.get('g1');
    expect(gate).toMatchObject({ kind: 'exhaustion', step: 'plan.1/c', expiresAt: undefined });
    expect(gate?.prompt).toContain('spent 3 + reserved 0 of 4 (landing reserve 1 untouched); plan.1/c wants 1 more: ');
    expect(gate?.context && valueIn(gate.context, world.blobs)).toMatchObject({
      resource: 'tool_calls',
      limit: 4,
      spent: 3,
      landing_reserve: 1,
      left: { tool_calls: 0 },
      asked_for: { step: 'plan.1/c', capability: 'work', amount: 1 },
      not_begun: ['plan.1/c'],
    });
  });

  it('is told in dollars', () => {
    const priced = [{ ...work, cost: { micro_dollars: 500_000 } }];
    const world = short(asking, { cost_usd: 2_000_000 }, {}, priced);
    const gate = world.state.gates.get('g1');
    expect(gate?.prompt).toContain('spent $1.50 + reserved $0.00 of $2.00 (landing reserve $0.20 untouched)');
    expect(gate?.context && valueIn(gate.context, world.blobs)).toMatchObject({
      limit: 2,
      spent: 1.5,
      reserved: 0,
      landing_reserve: 0.2,
      left: { cost_usd: 0.3, steps: 95 },
    });
  });

  it('goes on with a higher limit, and keeps who raised it and why', () => {
    const world = short(asking, { tool_calls: 4 });
    expect(answer(world, { answer: 'raise', limit: 6 })).toBeUndefined();
    expect(world.run().state.ended).toMatchObject({ status: 'completed', partial: false });
    expect(world.events.find(({ type }) => type === 'budget.raised')).toMatchObject({
      account: 'run',
      limit: { tool_calls: 6 },
      by: 'ada',
      why: 'it matters',
    });
  });

  it('goes on when the limit is raised by an order, which decides the question too', () => {
    const world = short(asking, { tool_calls: 4 });
    world.tell({ type: 'raise-budget', account: 'run', limit: { steps: 200 }, by: 'ada' });
    expect(statusOf(world)['plan.1/c']).toBe('held');
    world.tell({ type: 'raise-budget', account: 'run', limit: { tool_calls: 6 }, by: 'ada' });
    expect(world.events.find(({ type }) => type === 'gate.decided')).toMatchObject({ gate: 'g1', by: 'ada' });
    expect(world.run().state.ended).toMatchObject({ status: 'completed', partial: false });
  });

  it('takes no raise that would not pay for what is held, and says what would', () => {
    const world = short(asking, { tool_calls: 6 }, { landingReserve: 50 });
    expect(answer(world, { answer: 'raise', limit: 7 })).toMatchObject({
      code: 'BUDGET_NOT_RAISED',
      hint: 'it takes more than 7',
    });
    const order = { type: 'raise-budget', account: 'run', limit: { tool_calls: 7 }, by: 'ada' } as const;
    expect(world.tell(order).refused?.code).toBe('BUDGET_NOT_RAISED');
    expect(answer(world, { answer: 'raise', limit: 5 })).toMatchObject({ code: 'BUDGET_NOT_RAISED' });
    expect(answer(world, { answer: 'raise', limit: 'plenty' })).toMatchObject({ code: 'BUDGET_VALUE_UNREADABLE' });
    expect(answer(world, { answer: 'raise' })).toMatchObject({ code: 'GATE_ANSWER_INVALID' });
    expect(answer(world, { answer: 'wait' })).toMatchObject({ code: 'GATE_ANSWER_INVALID' });
    expect(statusOf(world)['plan.1/c']).toBe('held');
    expect(answer(world, { answer: 'raise', limit: 8 })).toBeUndefined();
    expect(world.run().state.ended?.status).toBe('completed');
  });

  it.each([
    ['answered so', { verdict: 'answer', value: { answer: 'converge' } }],
    ['approved', { verdict: 'approve' }],
  ] as const)('converges with what there is when %s', (_, said) => {
    const world = short(asking, { tool_calls: 4 });
    world.tell({ type: 'review', gate: 'g1', by: 'ada', ...said });
    expect(statusOf(world)['plan.1/c']).toBe('budget');
    const { state } = world.run();
    expect(state.steps.get('end')?.convergence).toMatchObject({
      satisfied: true,
      convergence: { partial: true, reason: 'budget' },
    });
    expect(state.ended).toMatchObject({ status: 'completed', partial: true });
    expect(state.stop).toMatchObject({ account: 'run', resource: 'tool_calls' });
  });

  it.each([
    ['answered so', { verdict: 'answer', value: { answer: 'abort' } }],
    ['rejected', { verdict: 'reject' }],
  ] as const)('ends the run when %s', (_, said) => {
    const world = short(asking, { tool_calls: 4 });
    world.tell({ type: 'review', gate: 'g1', by: 'ada', why: 'too dear', ...said });
    expect(world.run().state.ended?.status).toBe('cancelled');
    expect(world.events.find(({ type }) => type === 'run.cancelling')).toMatchObject({ by: 'ada', why: 'too dear' });
  });

  it('is asked about again when the raise is used up, each time by another gate', () => {
    const world = short(asking, { tool_calls: 4 });
    for (const step of ['plan.1/c', 'plan.1/c']) {
      world.tell({ type: 'retry-step', step, by: 'ada' });
      world.run();
    }
    expect([...world.state.gates.values()].map(({ id, end }) => [id, end])).toEqual([
      ['g1', 'closed'],
      ['g2', 'closed'],
      ['g3', undefined],
    ]);
  });

  it('waits through the death of the process', () => {
    const world = short(asking, { tool_calls: 4 });
    world.crash();
    world.run();
    expect(statusOf(world)['plan.1/c']).toBe('held');
    answer(world, { answer: 'raise', limit: 6 });
    expect(world.run().state.ended?.status).toBe('completed');
  });

  it('holds an attempt that was lost and cannot be paid again', () => {
    const world = worldOf(asking, { tool_calls: 4 }, {}, [task('a'), task('b')]);
    while (!world.state.running.has('plan.1/a')) world.step();
    world.crash();
    world.tell({ type: 'start-step', step: 'plan.1/b' });
    world.crash();
    expect(statusOf(world)['plan.1/a']).toBe('held');
    answer(world, { answer: 'raise', limit: 20 });
    expect(world.run().state.ended?.status).toBe('completed');
    expect(world.performed.find(({ step }) => step === 'plan.1/a')?.key).toBe('r1/plan.1/a#1');
  });

  it('changes nothing where no target of it wants to be asked', () => {
    const sketch: readonly StepSketch[] = [
      { name: 'plan', planning: { target: 'end' }, budget: { limit: { tool_calls: 3 } } },
      { name: 'end', type: 'deferred', after: ['plan'] },
      { name: 'other', type: 'deferred', after: ['plan'], convergence: ask },
    ];
    expect(short(sketch, {}).state.gates.size).toBe(0);
  });
});

describe('planning again with what is left', () => {
  const free: Json = { name: 'sum', type: 'compute', expr: { $lisp: '1' } };

  /** The first plan is the chain; whatever is planned after it costs nothing. */
  function replanned(limit: Record<string, number> = {}): World {
    const plans = [chain];
    const budget = { limit: { ...defaultRunBudget.limit, tool_calls: 4, ...limit } };
    const world = new World(templateOf({ steps: asking, budget }), {
      perform: ({ type }) =>
        type === 'ask-planner' ? { ok: true, value: { steps: [...(plans.shift() ?? [free])] } } : done,
    }).begin();
    while (!world.state.running.has('plan.1/a')) world.step();
    world.crash();
    return world.run();
  }

  it('takes the place of what had not begun, keeps what is done, and asks nobody again', () => {
    const world = replanned();
    expect(answer(world, { answer: 'replan' })).toBeUndefined();
    world.run();
    expect(statusOf(world)).toEqual({
      plan: 'completed',
      'plan.1/a': 'completed',
      'plan.1/b': 'completed',
      'plan.1/c': 'superseded',
      'plan~2': 'completed',
      'plan~2.1/sum': 'completed',
      end: 'completed',
    });
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: false });
    expect(world.state.ledger.accounts.get('run')?.spent.replans).toBe(1);
  });

  it('takes up attempts that were broken off, and waits for nobody to bring them', () => {
    const world = worldOf(asking, { tool_calls: 4 }, {}, [task('a'), task('b')]);
    while (!world.state.running.has('plan.1/a')) world.step();
    world.crash();
    world.tell({ type: 'start-step', step: 'plan.1/b' });
    world.crash();
    expect(statusOf(world)).toMatchObject({ 'plan.1/a': 'held', 'plan.1/b': 'held' });
    answer(world, { answer: 'replan' });
    expect(statusOf(world)).toMatchObject({ 'plan.1/a': 'budget', 'plan.1/b': 'budget', 'plan~2': 'ready' });
    expect(world.state.steps.get('plan.1/a')?.takenUp).toBe('plan~2');
  });

  it('is refused with the reason when it cannot be paid', () => {
    const world = replanned({ replans: 0 });
    expect(answer(world, { answer: 'replan' })).toMatchObject({
      code: 'REPLAN_UNAVAILABLE',
      message: expect.stringContaining('budget.max_total_replans: spent 0 + reserved 0 of 0'),
    });
    expect(statusOf(world)['plan.1/c']).toBe('held');
  });

  it('has a planner whose plan did not fit try once more', () => {
    const world = worldOf(asking, { steps: 4 }).run();
    answer(world, { answer: 'replan' });
    world.run();
    expect(world.performed.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(statusOf(world)).toEqual({ plan: 'held', end: 'waiting' });
  });
});

describe('several accounts that cannot pay', () => {
  const sketch: readonly StepSketch[] = [
    { name: 'left', planning: { target: 'end' }, budget: { limit: { tool_calls: 3 } } },
    { name: 'right', planning: { target: 'end' }, budget: { limit: { tool_calls: 3 } } },
    { name: 'end', type: 'deferred', after: ['left', 'right'], convergence: ask },
  ];

  it('are asked about each for itself, and answered each for itself', () => {
    const world = short(sketch, {});
    expect([...world.state.asking]).toEqual([
      ['left', 'g1'],
      ['right', 'g2'],
    ]);
    answer(world, { answer: 'raise', limit: 9 }, 'g1');
    answer(world, { answer: 'converge' }, 'g2');
    world.run();
    expect(statusOf(world)).toMatchObject({ 'left.1/c': 'completed', 'right.1/c': 'budget', end: 'completed' });
    expect(world.state.stop?.key).toBe('steps.right.budget.max_total_tool_calls');
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: true });
  });

  it('hold all that would begin of them', () => {
    const world = worldOf(sketch, {}, {}, [task('a'), task('b'), task('c')]);
    while (!world.state.running.has('left.1/a')) world.step();
    world.crash();
    world.crash();
    world.run();
    expect([...(world.state.gates.get('g1')?.holds ?? [])]).toEqual(['left.1/b', 'left.1/c']);
  });
});

describe('the landing set', () => {
  const sketch: readonly StepSketch[] = [...asking, { name: 'first' }, { name: 'second', after: ['first'] }];

  /** All but what is kept for the landing set is used, and then that too. */
  function spent(): World {
    const world = worldOf(sketch, { tool_calls: 4 });
    const begin = (step: string): unknown => world.tell({ type: 'start-step', step });
    begin('plan');
    const outcome: Outcome = { ok: true, value: { steps: [...chain] } };
    world.tell({ type: 'settle', step: 'plan', attempt: 1, delivery: 1, input: null, outcome, chance: 0 });
    begin('plan.1/a');
    world.crash();
    begin('first');
    world.crash();
    return world;
  }

  it('never asks, and waits with the others where they are asked about already', () => {
    const world = spent();
    world.run();
    const gate = world.state.gates.get('g1');
    expect([gate?.step, [...(gate?.holds ?? [])]]).toEqual(['plan.1/a', ['plan.1/a', 'second']]);
  });

  it('finds out for itself that nothing is left when people converge', () => {
    const world = spent().run();
    answer(world, { answer: 'converge' });
    world.run();
    expect(statusOf(world)).toMatchObject({
      'plan.1/a': 'budget',
      first: 'completed',
      second: 'budget',
      end: 'budget',
    });
    expect(world.state.ended?.status).toBe('failed');
  });

  it('goes on too when the limit is raised', () => {
    const world = spent().run();
    answer(world, { answer: 'raise', limit: 40 });
    expect(world.run().state.ended?.status).toBe('completed');
  });
});

describe('the wall clock, where somebody wants to be asked', () => {
  const budget = { wallClock: 100_000, landingReserve: 10 };

  function late(): World {
    const world = worldOf(asking, {}, budget);
    while (!world.state.running.has('plan.1/a')) world.step();
    world.now += 90_000;
    return world;
  }

  it('holds what runs of the phases, charged in full, and time stands still', () => {
    const world = late();
    const { effects } = world.tell({ type: 'expire' });
    expect(effects).toEqual([{ type: 'abort', step: 'plan.1/a', why: 'budget' }]);
    expect(statusOf(world)['plan.1/a']).toBe('held');
    expect(world.state.ledger.accounts.get('run')).toMatchObject({
      spent: { tool_calls: 1 },
      reserved: { tool_calls: 0 },
    });
    const elapsed = elapsedOf(world.state);
    world.now += 3_600_000;
    expect([world.step(), world.tell({ type: 'expire' }).events]).toEqual([false, []]);
    expect(answer(world, { answer: 'raise', limit: '50s' })).toMatchObject({ code: 'BUDGET_NOT_RAISED' });
    expect(answer(world, { answer: 'raise', limit: '200s' })).toBeUndefined();
    expect(world.run().state.ended).toMatchObject({ status: 'completed', partial: false });
    expect(elapsedOf(world.state) - elapsed).toBeLessThan(1_000);
    expect(world.performed.find(({ step }) => step === 'plan.1/a')).toMatchObject({ attempt: 2, key: 'r1/plan.1/a#1' });
  });

  it('holds an attempt whose own time was up with it', () => {
    const world = late();
    const outcome = { ok: false, failure: { code: 'STEP_TIMEOUT', message: 'no answer', retry: 'may' } } as const;
    world.tell({ type: 'settle', step: 'plan.1/a', attempt: 1, delivery: 1, input: null, outcome, chance: 0 });
    expect(statusOf(world)['plan.1/a']).toBe('held');
    const gate = world.state.gates.get('g1');
    expect(gate?.exhaustion).toMatchObject({ resource: 'time', limit: 100_000 });
    expect(gate?.context && valueIn(gate.context, world.blobs)).toMatchObject({
      limit: 100,
      landing_reserve: 10,
    });
  });

  it('converges with what there is when that is the answer, and the landing set lands', () => {
    const world = late();
    world.tell({ type: 'expire' });
    answer(world, { answer: 'converge' });
    world.run();
    expect(statusOf(world)).toMatchObject({ 'plan.1/a': 'budget', end: 'completed' });
    expect(exhaustionText(world.state.stop ?? expect.fail('no stop'))).toMatch(/^budget\.max_wall_clock_time/);
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: true });
  });

  it('asks nothing where people have let the run converge: what still runs is cut', () => {
    const world = worldOf(asking, { tool_calls: 4 }, budget, [task('a'), task('b'), task('c')]);
    while (!world.state.running.has('plan.1/a')) world.step();
    world.crash();
    world.tell({ type: 'start-step', step: 'plan.1/b' });
    world.tell({ type: 'start-step', step: 'plan.1/c' });
    answer(world, { answer: 'converge' });
    expect(statusOf(world)).toMatchObject({ 'plan.1/a': 'running', 'plan.1/c': 'budget' });
    world.now += 90_000;
    expect(world.tell({ type: 'expire' }).effects).toContainEqual({ type: 'abort', step: 'plan.1/a', why: 'budget' });
    expect(world.run().state.ended).toMatchObject({ partial: true });
  });

  it('asks no second time while it asks already; what begins late joins', () => {
    const world = late();
    world.tell({ type: 'expire' });
    world.tell({ type: 'retry-step', step: 'plan.1/a', by: 'ada' });
    world.run();
    expect([...world.state.gates.values()].map(({ end }) => end)).toEqual(['closed', undefined]);
  });
});

describe('a plan that does not fit, where somebody wants to be asked', () => {
  it('is a question when the planner has no attempt left, and is planned anew once there is room', () => {
    const world = worldOf(asking, { steps: 4 }).run();
    expect(statusOf(world)).toEqual({ plan: 'held', end: 'waiting' });
    answer(world, { answer: 'raise', limit: 10 });
    expect(world.run().state.ended).toMatchObject({ status: 'completed', partial: false });
  });

  it('of a target passes the empty plan on when people converge', () => {
    const sketch: readonly StepSketch[] = [
      { name: 'recon', planning: { target: 'execute' } },
      { name: 'execute', after: ['recon'], planning: { target: 'end' } },
      { name: 'end', type: 'deferred', after: ['execute'], convergence: ask },
    ];
    const world = worldOf(sketch, { steps: 6 }).run();
    expect(statusOf(world)).toMatchObject({ execute: 'held' });
    answer(world, { answer: 'converge' });
    world.run();
    expect(
      world.events.find((event) => event.type === 'fragment.grafted' && event.planner === 'execute'),
    ).toMatchObject({ forced: true, steps: [] });
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: true });
  });
});
