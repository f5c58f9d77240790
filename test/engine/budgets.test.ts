// Budgets in a run: nothing unaffordable is admitted, cut phases converge, and the landing set still runs.

import { describe, expect, it } from 'vitest';
import { failure } from '../../src/base/failure.ts';
import { present } from '../../src/base/fault.ts';
import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import type { Limit } from '../../src/budget/amount.ts';
import { defaultRunBudget } from '../../src/budget/limits.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import { exhaustionText } from '../../src/engine/state/exhaustion.ts';
import { stepOf as stepIn } from '../../src/engine/state/state.ts';
import { World } from '../../src/testing/world.ts';
import { statusText } from '../../src/view/status.ts';
import { summaryOf } from '../../src/view/summary.ts';
import { type StepSketch, templateOf, work } from './template-of.ts';

const done: EffectOutcome = good({ ok: true });
const task = (name: string, ...after: string[]): Json => ({
  name,
  capability: 'work',
  ...(after.length === 0 ? {} : { depends_on: after }),
});

const steps = (end: Partial<StepSketch> = {}): StepSketch[] => [
  { name: 'plan', planning: { target: 'end' } },
  { name: 'end', type: 'deferred', capability: 'work', after: ['plan'], ...end },
];

function worldOf(sketch: readonly StepSketch[], plan: readonly Json[], limit: Record<string, number>): World {
  const budget = { limit: { ...defaultRunBudget.limit, ...limit } };
  return new World(templateOf({ steps: sketch, budget }), {
    perform: ({ type }) => (type === 'ask-planner' ? good({ steps: [...plan] }) : done),
  }).begin();
}

describe('a fragment that exceeds the budget', () => {
  it('exhausts the budget when it is proposed twice: the run names the limit, and converges', () => {
    const world = worldOf(
      steps({ convergence: { policy: 'all_settled', early: false, onExhaustion: 'converge' } }),
      [task('a'), task('b'), task('c')],
      { steps: 4 },
    ).run();
    expect(world.state.steps.get('plan')?.failure).toMatchObject({ code: 'BUDGET_EXCEEDED' });
    expect(exhaustionText(present(world.state.stop, 'exhaustion'))).toBe(
      'budget.max_total_steps: 2 of 4 steps used; the next plan needed 3 more',
    );
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: true });
  });

  it('is refused before any of its steps run, and the planner is told by how much it exceeds the limit', () => {
    const world = worldOf(steps(), [task('a'), task('b'), task('c')], { steps: 4 }).run();
    const rejected = world.events.find(({ type }) => type === 'fragment.rejected');
    expect(JSON.stringify(rejected)).toContain('BUDGET_EXCEEDED');
    expect(world.state.steps.size).toBe(2);
  });
});

describe('a capability with a price', () => {
  const priced = { ...work, cost: { micro_dollars: 40_000 } };
  const given = (cost_usd: number, steps: readonly StepSketch[]): World =>
    new World(
      templateOf({
        steps,
        budget: { limit: { ...defaultRunBudget.limit, cost_usd }, landingReserve: 0 },
        capabilities: [priced],
      }),
      { perform: () => good({}) },
    ).begin();

  it('is charged for each call, also for one without an outcome', () => {
    const world = given(1_000_000, [{ name: 'a' }]);
    world.step();
    expect(world.state.ledger.accounts.get('run')?.reserved).toMatchObject({ cost_usd: 40_000 });
    world.crash();
    world.run();
    expect(world.state.ledger.accounts.get('run')?.spent).toMatchObject({ tool_calls: 2, cost_usd: 80_000 });
  });

  it('is not called when the run cannot pay for it', () => {
    const { state } = given(70_000, [{ name: 'a' }, { name: 'b', after: ['a'] }]).run();
    expect(state.steps.get('b')).toMatchObject({ status: 'skipped', skipped: 'budget' });
    expect(exhaustionText(present(state.exhausted.get('run'), 'exhaustion'))).toBe(
      'budget.max_cost_budget: $0.04 of $0.07 used',
    );
  });
});

describe('an account that is spent', () => {
  const chain = [task('a'), task('b', 'a'), task('c', 'b')];

  /** The crash costs one more delivery than the estimate: the third step cannot be paid. */
  function crashed(sketch: readonly StepSketch[], limit: Record<string, number>): World {
    const world = worldOf(sketch, chain, limit);
    while (!world.state.running.has('plan.1/a')) world.step();
    world.crash();
    return world.run();
  }

  it('forces its target to converge with the results so far, and the landing set still runs', () => {
    const { state } = crashed(steps(), { tool_calls: 4 });
    expect(state.steps.get('plan.1/c')).toMatchObject({ status: 'skipped', skipped: 'budget' });
    expect(state.steps.get('end')).toMatchObject({ status: 'completed' });
    expect(state.steps.get('end')?.convergence?.convergence).toMatchObject({ partial: true, reason: 'budget' });
    expect(state.ended).toMatchObject({ status: 'completed', partial: true });
    expect(exhaustionText(present(state.stop, 'exhaustion'))).toBe(
      'budget.max_total_tool_calls: 3 of 4 tool calls used (landing reserve 1 untouched)',
    );
  });

  it('fails its target under on_exhaustion: fail, whatever the policy', () => {
    const end: Partial<StepSketch> = { convergence: { policy: 'all_success', early: false, onExhaustion: 'fail' } };
    const { state } = crashed(steps(end), { tool_calls: 4 });
    expect(state.steps.get('end')?.failure).toMatchObject({ code: 'BUDGET_EXCEEDED' });
    expect(state.ended).toMatchObject({ status: 'failed', failure: { code: 'BUDGET_EXCEEDED' } });
    expect(state.stop).toMatchObject({ resource: 'tool_calls', limit: 4 });
  });

  it('cuts only the phase that it belongs to', () => {
    const sketch: StepSketch[] = [
      { name: 'plan', planning: { target: 'end' }, budget: { limit: { tool_calls: 3 } } },
      { name: 'other' },
      { name: 'more', after: ['other'] },
      { name: 'end', type: 'deferred', after: ['plan', 'more'] },
    ];
    const { state } = crashed(sketch, {});
    expect(state.steps.get('plan.1/c')?.skipped).toBe('budget');
    expect(state.steps.get('more')?.status).toBe('completed');
    expect(state.steps.get('end')?.convergence?.convergence).toMatchObject({
      expected: 2,
      succeeded: 1,
      reason: 'budget',
    });
    expect(state.stop).toMatchObject({ account: 'plan', key: 'steps.plan.budget.max_total_tool_calls' });
  });
});

describe('the wall clock', () => {
  const budget = { wallClock: 100_000, landingReserve: 10 };
  const sketch: StepSketch[] = [
    { name: 'plan', planning: { target: 'end' } },
    { name: 'end', type: 'deferred', capability: 'work', after: ['plan'] },
  ];

  it('cuts the steps of phases when only the landing reserve is left, and the landing set still runs', () => {
    const world = new World(templateOf({ steps: sketch, budget }), {
      perform: ({ type }) => (type === 'ask-planner' ? good({ steps: [task('a'), task('b', 'a')] }) : done),
    }).begin();
    for (let i = 0; i < 3; i++) world.step();
    expect(world.state.running.has('plan.1/a')).toBe(true);
    world.now += 90_000;
    const { effects } = world.tell({ type: 'expire' });
    expect(effects).toEqual([{ type: 'abort', step: 'plan.1/a', why: 'budget' }]);
    world.run();
    expect([...world.state.steps.values()].map(({ status, skipped }) => skipped ?? status)).toEqual([
      'completed',
      'completed',
      'budget',
      'budget',
    ]);
    const reached = exhaustionText(present(world.state.met.get('run'), 'limit'));
    expect(world.state.steps.get('plan.1/a')?.failure).toMatchObject({
      code: 'BUDGET_EXCEEDED',
      message: `aborted: ${reached}`,
    });
    expect(world.state.steps.get('end')?.convergence?.convergence.failed).toMatchObject([
      { step: 'plan.1/b', message: 'not run: the budget was spent' },
    ]);
    expect(exhaustionText(present(world.state.stop, 'exhaustion'))).toMatch(
      /^budget\.max_wall_clock_time: .* of 1m 40s used \(landing reserve 10s untouched\)$/,
    );
  });

  it('distinguishes aborted steps, steps without a retry and steps that did not run', () => {
    const plan = {
      steps: [
        { name: 'slow', capability: 'work', timeout: '1h' },
        { name: 'flaky', capability: 'work', on_failure: 'retry', retry: { max_attempts: 3, base: '10m' } },
        task('late'),
      ],
    };
    const world = new World(templateOf({ steps: sketch, budget, concurrency: 2 }), {
      perform: ({ type, step }) => {
        if (type === 'ask-planner') return good(JSON.parse(JSON.stringify(plan)));
        return step === 'plan.1/flaky' ? bad(failure('HTTP_UNREACHABLE', 'no route')) : undefined;
      },
      choose: (n) => n - 1,
    }).begin();
    for (const step of ['plan', 'plan.1/flaky']) {
      world.tell({ type: 'start-step', step });
      world.step();
    }
    world.tell({ type: 'start-step', step: 'plan.1/slow' });
    world.now += 90_000;
    world.tell({ type: 'expire' });
    const failed = world.state.steps.get('end')?.convergence?.convergence.failed ?? [];
    expect(
      Object.fromEntries(failed.map(({ step, message }) => [step, message.replace(/budget\..*/, 'LIMIT')])),
    ).toEqual({
      'plan.1/slow': 'aborted: LIMIT',
      'plan.1/flaky': 'attempt 1 failed (HTTP_UNREACHABLE: no route) and it is not tried again: LIMIT',
      'plan.1/late': 'not run: the budget was spent',
    });
    const { failed: causes, skipped, steps: counts } = summaryOf(world.state);
    expect(causes.map(({ step }) => step)).toEqual(['plan.1/slow', 'plan.1/flaky']);
    expect(skipped).toEqual([{ step: 'plan.1/late', reason: 'budget' }]);
    expect(counts).toMatchObject({ aborted: 2, skipped: 1 });
    expect(['slow', 'flaky', 'late'].map((name) => statusText(stepIn(world.state, `plan.1/${name}`)))).toEqual([
      'aborted (budget)',
      'aborted (budget)',
      'skipped (budget)',
    ]);
  });

  it('fails a step of the landing set with a budget failure when it runs out', () => {
    const world = new World(templateOf({ steps: [{ name: 'a', timeout: 1_000_000 }], budget }), {
      perform: () => undefined,
    });
    world.begin().run();
    expect(world.state.steps.get('a')?.failure).toMatchObject({
      code: 'BUDGET_EXCEEDED',
      message: 'budget.max_wall_clock_time: 1m 40s of 1m 40s used',
    });
    expect(world.state.stop).toMatchObject({ resource: 'time', spent: 100_000 });
  });

  it('bounds every attempt by the remaining time', () => {
    const world = new World(templateOf({ steps: [{ name: 'a', timeout: 1_000_000 }], budget }), { perform: () => done })
      .begin()
      .run();
    expect(world.performed[0]?.timeout).toBeLessThanOrEqual(100_000);
  });

  it('changes nothing when it expires too early', () => {
    const world = new World(templateOf({ steps: sketch, budget }), { perform: () => done }).begin();
    expect(world.tell({ type: 'expire' }).events).toEqual([]);
  });
});

describe('planning that cannot be paid', () => {
  it('forces the next target to converge as well', () => {
    const sketch: StepSketch[] = [
      { name: 'recon', planning: { target: 'execute' } },
      { name: 'execute', after: ['recon'], planning: { target: 'end' } },
      { name: 'end', type: 'deferred', capability: 'work', after: ['execute'] },
    ];
    const world = new World(templateOf({ steps: sketch, budget: { wallClock: 100_000 } }), {
      perform: ({ type }) => (type === 'ask-planner' ? good({ steps: [task('a')] }) : done),
    }).begin();
    for (let i = 0; i < 3; i++) world.step();
    world.now += 95_000;
    world.tell({ type: 'expire' });
    world.run();
    expect(
      world.events.find((event) => event.type === 'fragment.grafted' && event.planner === 'execute'),
    ).toMatchObject({ forced: true, steps: [] });
    expect(world.state.steps.get('end')).toMatchObject({
      status: 'completed',
      convergence: { convergence: { partial: true, reason: 'budget', failed: [{ step: 'execute' }] } },
    });
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: true });
  });
});

describe('a limit that is nearly used', () => {
  it('is reported once, and planners are asked to converge from then on', () => {
    const sketch: StepSketch[] = [
      { name: 'recon', planning: { target: 'execute' } },
      { name: 'execute', after: ['recon'], planning: { target: 'end' } },
      { name: 'end', type: 'deferred', after: ['execute'] },
    ];
    const converge: boolean[] = [];
    const budget = { limit: { ...defaultRunBudget.limit, steps: 10 } };
    const world = new World(templateOf({ steps: sketch, budget }), {
      perform: (work) => {
        if (work.type !== 'ask-planner') return done;
        converge.push(work.brief.converge);
        return good({
          steps: ['a', 'b', 'c', 'd', 'e'].slice(0, converge.length === 1 ? 5 : 1).map((name) => task(name)),
        });
      },
    });
    world.begin().run();
    expect(converge).toEqual([false, true]);
    expect(world.events.filter(({ type }) => type === 'budget.warned')).toMatchObject([
      { resource: 'steps', percent: 80 },
    ]);
  });
});

describe('raise-budget', () => {
  const sketch: StepSketch[] = [
    { name: 'plan', planning: { target: 'middle' }, budget: { limit: { tool_calls: 3 } } },
    { name: 'middle', type: 'deferred', after: ['plan'] },
    { name: 'more', after: ['middle'], planning: { target: 'end' } },
    { name: 'end', type: 'deferred', after: ['more'] },
  ];
  const order = { type: 'raise-budget', by: 'ada', why: 'worth it' } as const;

  it('records who gave it and why, and raises the limit for later admissions', () => {
    const world = worldOf(steps(), [task('a')], { steps: 2 });
    world.tell({ ...order, account: 'run', limit: { steps: 10, cost_usd: 9_000_000 } });
    expect(world.events.at(-1)).toEqual({
      type: 'budget.raised',
      account: 'run',
      limit: { steps: 10, cost_usd: 9_000_000 },
      by: 'ada',
      why: 'worth it',
    });
    expect(world.run().state.ended).toMatchObject({ status: 'completed', partial: false });
  });

  it('does not bring cut steps back, and the run still names the limit', () => {
    const world = worldOf(sketch, [task('a'), task('b', 'a'), task('c', 'b')], {});
    while (!world.state.running.has('plan.1/a')) world.step();
    world.crash();
    while (world.state.exhausted.size === 0) world.step();
    world.tell({ ...order, account: 'plan', limit: { tool_calls: 9 } });
    expect(world.state.exhausted.size).toBe(0);
    world.run();
    expect(world.state.steps.get('plan.1/c')?.skipped).toBe('budget');
    expect(world.state.steps.get('more.1/c')?.status).toBe('completed');
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: true });
    expect(world.state.stop).toMatchObject({ account: 'plan', limit: 3 });
  });

  it('gives later phases more time', () => {
    const budget = { wallClock: 100_000, landingReserve: 0 };
    const planners: StepSketch[] = [
      { name: 'plan', planning: { target: 'more' } },
      { name: 'more', after: ['plan'], planning: { target: 'end' } },
      { name: 'end', type: 'deferred', after: ['more'] },
    ];
    const world = new World(templateOf({ steps: planners, budget }), {
      perform: ({ type }) => (type === 'ask-planner' ? good({ steps: [task('a')] }) : done),
    }).begin();
    while (!world.state.running.has('plan.1/a')) world.step();
    world.now += 100_000;
    world.tell({ type: 'expire' });
    world.tell({ ...order, account: 'run', limit: {}, wallClock: 200_000 });
    world.run();
    expect(world.state.steps.get('plan.1/a')?.skipped).toBe('budget');
    expect(world.state.steps.get('more.1/a')?.status).toBe('completed');
  });

  it('for one phase does not raise the limit of the run', () => {
    const world = worldOf(sketch, [task('a'), task('b')], { tool_calls: 2 });
    world.tell({ ...order, account: 'plan', limit: { tool_calls: 50 } });
    expect(world.run().state.stop).toMatchObject({ account: 'run', resource: 'tool_calls' });
  });

  it('is refused with the present limit when it would raise nothing', () => {
    const world = worldOf(sketch, [], { steps: 50 });
    const refusedFor = (account: string, limit: Limit, wallClock?: number): unknown =>
      world.tell({ ...order, account, limit, ...(wallClock === undefined ? {} : { wallClock }) }).refused;
    expect(refusedFor('run', { steps: 50 })).toMatchObject({
      code: 'BUDGET_NOT_RAISED',
      message: 'budget.max_total_steps is 50 already',
    });
    expect(refusedFor('run', { cost_usd: 1 })).toMatchObject({ message: 'budget.max_cost_budget is $5.00 already' });
    expect(refusedFor('run', {}, 60_000)).toMatchObject({ message: 'budget.max_wall_clock_time is 30m already' });
    expect(refusedFor('run', { tool_calls: 5 })).toMatchObject({ message: 'budget.max_total_tool_calls has no limit' });
    expect(refusedFor('run', { steps: 60.5 })).toMatchObject({ message: expect.stringContaining('whole number') });
    expect(refusedFor('run', {})).toMatchObject({ message: 'the order names no limit' });
    expect(refusedFor('plan', {}, 60_000_000)).toMatchObject({
      message: 'steps.plan.budget.max_wall_clock_time has no limit',
    });
    expect(refusedFor('plam', { tool_calls: 9 })).toMatchObject({
      code: 'ACCOUNT_UNKNOWN',
      hint: 'did you mean "plan"?',
    });
    expect(refusedFor('recon', { tool_calls: 9 })).toMatchObject({ hint: 'its accounts are run, plan' });
    expect(world.events).toHaveLength(1);
  });

  it('works in a paused run, where nothing begins before resume', () => {
    const world = worldOf(
      steps({ convergence: { policy: 'all_success', early: false, onExhaustion: 'ask' } }),
      [task('a')],
      {
        steps: 2,
      },
    );
    while (world.state.openGates.size === 0) world.step();
    world.tell({ type: 'pause', by: 'ada' });
    world.tell({ ...order, account: 'run', limit: { steps: 10 } });
    expect([world.step(), world.state.steps.get('plan')?.status]).toEqual([false, 'ready']);
    world.tell({ type: 'resume', by: 'ada' });
    expect(world.run().state.ended).toMatchObject({ status: 'completed', partial: false });
  });
});

describe('an account that was billed more than was set aside', () => {
  it('keeps the whole bill, admits nothing more, and the run says how far it was overdrawn', () => {
    const world = new World(
      templateOf({
        steps: [
          { name: 'plan', planning: { target: 'end' }, budget: { limit: { tokens: 100 } } },
          { name: 'end', type: 'deferred', after: ['plan'] },
        ],
      }),
      {
        perform: ({ type }) =>
          type === 'ask-planner'
            ? good({ steps: [task('a'), task('b', 'a')] })
            : { ...done, bill: { tool_calls: 1, tokens_in: 130 } },
      },
    )
      .begin()
      .run();
    expect(world.state.ledger.accounts.get('plan')).toMatchObject({ overdrawn: true, spent: { tokens_in: 130 } });
    expect(world.state.steps.get('plan.1/b')?.skipped).toBe('budget');
    expect(exhaustionText(present(world.state.stop, 'exhaustion'))).toBe(
      'steps.plan.budget.max_total_tokens: 130 of 100 tokens used',
    );
  });
});
