// on_exhaustion: ask. An exhausted account is a question to people, and the run continues as they answer.

import { describe, expect, it } from 'vitest';
import type { Issue } from '../../src/base/issue.ts';
import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import { defaultRunBudget, type RunBudget } from '../../src/budget/limits.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import { valueIn } from '../../src/engine/record/stored-value.ts';
import { exhaustionText } from '../../src/engine/state/exhaustion.ts';
import { elapsedOf } from '../../src/engine/state/state.ts';
import { isWaiting } from '../../src/engine/state/waiting.ts';
import type { ConvergenceSpec } from '../../src/template/step-spec.ts';
import { World } from '../../src/testing/world.ts';
import { type StepSketch, templateOf, work } from './template-of.ts';

const done: EffectOutcome = good({ ok: true });
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
    perform: ({ type }) => (type === 'ask-planner' ? good({ steps: [...plan] }) : done),
  }).begin();
}

/** The first step of every phase is handed out twice, more than any estimate: the third step cannot be paid. */
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

describe('an exhausted account under on_exhaustion: ask', () => {
  it('opens a question: the step is held, nothing is cut, and the run rests', () => {
    const world = short(asking, { tool_calls: 4 });
    expect(statusOf(world)).toMatchObject({ 'plan.1/c': 'held', end: 'waiting' });
    expect([world.step(), isWaiting(world.state), world.state.exhausted.size]).toEqual([false, true, 0]);
    const gate = world.state.gates.get('g1');
    expect(gate).toMatchObject({ kind: 'exhaustion', step: 'plan.1/c', expiresAt: undefined });
    expect(gate?.prompt).toContain('3 of 4 tool calls used (landing reserve 1 untouched); plan.1/c wants 1 more: ');
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

  it('shows its numbers in dollars', () => {
    const priced = [{ ...work, cost: { micro_dollars: 500_000 } }];
    const world = short(asking, { cost_usd: 2_000_000 }, {}, priced);
    const gate = world.state.gates.get('g1');
    expect(gate?.prompt).toContain('$1.50 of $2.00 used (landing reserve $0.20 untouched)');
    expect(gate?.context && valueIn(gate.context, world.blobs)).toMatchObject({
      limit: 2,
      spent: 1.5,
      reserved: 0,
      landing_reserve: 0.2,
      left: { cost_usd: 0.3, steps: 95 },
    });
  });

  it('pays again with a higher limit, and records who raised it and why', () => {
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

  it('refuses a raise that does not pay for the held steps, and says which raise would', () => {
    const world = short(asking, { tool_calls: 6 }, { landingReserve: 50 });
    expect(answer(world, { answer: 'raise', limit: 7 })).toMatchObject({
      code: 'BUDGET_NOT_RAISED',
      hint: 'name more than 7',
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

  it('asks again through another gate when the raise is used up', () => {
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

  it('survives the death of the process', () => {
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

  it('asks nothing when none of its targets has on_exhaustion: ask', () => {
    const sketch: readonly StepSketch[] = [
      { name: 'plan', planning: { target: 'end' }, budget: { limit: { tool_calls: 3 } } },
      { name: 'end', type: 'deferred', after: ['plan'] },
      { name: 'other', type: 'deferred', after: ['plan'], convergence: ask },
    ];
    expect(short(sketch, {}).state.gates.size).toBe(0);
  });
});

describe('the answer to plan again with the remaining budget', () => {
  const free: Json = { name: 'sum', type: 'compute', expr: { $lisp: '1' } };

  /** The first plan is the chain; whatever is planned after it costs nothing. */
  function replanned(limit: Record<string, number> = {}): World {
    const plans = [chain];
    const budget = { limit: { ...defaultRunBudget.limit, tool_calls: 4, ...limit } };
    const world = new World(templateOf({ steps: asking, budget }), {
      perform: ({ type }) => (type === 'ask-planner' ? good({ steps: [...(plans.shift() ?? [free])] }) : done),
    }).begin();
    while (!world.state.running.has('plan.1/a')) world.step();
    world.crash();
    return world.run();
  }

  it('replaces steps that had not begun, keeps completed ones, and asks nobody again', () => {
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

  it('supersedes interrupted attempts without waiting for their outcomes', () => {
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
      message: expect.stringContaining('budget.max_total_replans: 0 of 0 replans used'),
    });
    expect(statusOf(world)['plan.1/c']).toBe('held');
  });

  it('gives a planner whose plan exceeded the budget one more attempt', () => {
    const world = worldOf(asking, { steps: 4 }).run();
    answer(world, { answer: 'replan' });
    world.run();
    expect(world.performed.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(statusOf(world)).toEqual({ plan: 'held', end: 'waiting' });
  });
});

describe('several exhausted accounts', () => {
  const sketch: readonly StepSketch[] = [
    { name: 'left', planning: { target: 'end' }, budget: { limit: { tool_calls: 3 } } },
    { name: 'right', planning: { target: 'end' }, budget: { limit: { tool_calls: 3 } } },
    { name: 'end', type: 'deferred', after: ['left', 'right'], convergence: ask },
  ];

  it('have a question and an answer each', () => {
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

  it('hold every step that would begin', () => {
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

  /** Everything except the landing reserve is used up, then the reserve too. */
  function spent(): World {
    const world = worldOf(sketch, { tool_calls: 4 });
    const begin = (step: string): unknown => world.tell({ type: 'start-step', step });
    begin('plan');
    const outcome: EffectOutcome = good({ steps: [...chain] });
    world.tell({ type: 'settle', step: 'plan', attempt: 1, delivery: 1, input: null, outcome, chance: 0 });
    begin('plan.1/a');
    world.crash();
    begin('first');
    world.crash();
    return world;
  }

  it('never asks, and waits when a question is open already', () => {
    const world = spent();
    world.run();
    const gate = world.state.gates.get('g1');
    expect([gate?.step, [...(gate?.holds ?? [])]]).toEqual(['plan.1/a', ['plan.1/a', 'second']]);
  });

  it('reports its own exhaustion after people chose to converge', () => {
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

  it('continues when the limit is raised', () => {
    const world = spent().run();
    answer(world, { answer: 'raise', limit: 40 });
    expect(world.run().state.ended?.status).toBe('completed');
  });
});

describe('the wall clock under on_exhaustion: ask', () => {
  const budget = { wallClock: 100_000, landingReserve: 10 };

  function late(): World {
    const world = worldOf(asking, {}, budget);
    while (!world.state.running.has('plan.1/a')) world.step();
    world.now += 90_000;
    return world;
  }

  it('holds the running steps of phases, charges them in full, and stands still', () => {
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

  it('holds an attempt whose own time ended at the same moment', () => {
    const world = late();
    const outcome = bad({ code: 'STEP_TIMEOUT', message: 'no answer', retry: 'may' } as const);
    world.tell({ type: 'settle', step: 'plan.1/a', attempt: 1, delivery: 1, input: null, outcome, chance: 0 });
    expect(statusOf(world)['plan.1/a']).toBe('held');
    const gate = world.state.gates.get('g1');
    expect(gate?.exhaustion).toMatchObject({ resource: 'time', limit: 100_000 });
    expect(gate?.context && valueIn(gate.context, world.blobs)).toMatchObject({
      limit: 100,
      landing_reserve: 10,
    });
  });

  it('lets the run converge with the results so far when people say so, and the landing set runs', () => {
    const world = late();
    world.tell({ type: 'expire' });
    answer(world, { answer: 'converge' });
    world.run();
    expect(statusOf(world)).toMatchObject({ 'plan.1/a': 'budget', end: 'completed' });
    expect(exhaustionText(world.state.stop ?? expect.fail('no stop'))).toMatch(/^budget\.max_wall_clock_time/);
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: true });
  });

  it('asks nothing after people let the run converge: running steps are cut', () => {
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

  it('asks only once at a time; steps that begin late join the question', () => {
    const world = late();
    world.tell({ type: 'expire' });
    world.tell({ type: 'retry-step', step: 'plan.1/a', by: 'ada' });
    world.run();
    expect([...world.state.gates.values()].map(({ end }) => end)).toEqual(['closed', undefined]);
  });
});

describe('a plan that exceeds the budget under on_exhaustion: ask', () => {
  it('becomes a question when the planner has no attempt left, and is planned anew after a raise', () => {
    const world = worldOf(asking, { steps: 4 }).run();
    expect(statusOf(world)).toEqual({ plan: 'held', end: 'waiting' });
    answer(world, { answer: 'raise', limit: 10 });
    expect(world.run().state.ended).toMatchObject({ status: 'completed', partial: false });
  });

  it('becomes an empty plan for its target when people converge', () => {
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
