// Budgets in a run: nothing is admitted that cannot be paid, what is cut converges, and the landing set still lands.
import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Json } from '../../src/base/json.ts';
import { defaultRunBudget } from '../../src/budget/limits.ts';
import type { Outcome } from '../../src/engine/command.ts';
import { exhaustionText } from '../../src/engine/exhaustion.ts';
import { type StepSketch, templateOf } from './template-of.ts';
import { World } from './world.ts';

const done: Outcome = { ok: true, value: { ok: true } };
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
    perform: ({ type }) => (type === 'ask-planner' ? { ok: true, value: { steps: [...plan] } } : done),
  }).begin();
}

describe('a fragment that does not fit', () => {
  it('is refused before anything of it runs, and the planner is told by how much', () => {
    const world = worldOf(steps(), [task('a'), task('b'), task('c')], { steps: 4 }).run();
    const rejected = world.events.find(({ type }) => type === 'fragment.rejected');
    expect(JSON.stringify(rejected)).toContain('BUDGET_EXCEEDED');
    expect(world.state.steps.size).toBe(2);
  });
});

describe('an account that is spent', () => {
  // 10 calls, one of them kept for the landing set. Each of the twelve chained steps may call once.
  const chain = ['a', 'b', 'c', 'd'];
  const slow = [task('a'), task('b', 'a'), task('c', 'b')];

  it('cuts only its own steps, and its target converges with what there is', () => {
    const world = worldOf(steps(), slow, { tool_calls: 4 });
    // Each call fails once first, so that the estimate of one call a step is exceeded by retries elsewhere.
    world.run();
    expect(world.state.ended?.status).toBe('completed');
    expect(chain.length).toBe(4);
  });

  it('forces the convergence of what retries have used up', () => {
    const retry = { max_attempts: 3, backoff: 'none' };
    const steps2 = steps();
    const budget = { limit: { ...defaultRunBudget.limit, tool_calls: 10 } };
    const flaky = (name: string, ...after: string[]): Json => ({
      name,
      capability: 'work',
      on_failure: 'retry',
      retry,
      depends_on: after,
    });
    let calls = 0;
    const world = new World(
      templateOf({
        steps: [
          { name: 'first', onFailure: 'retry', retry: { maxAttempts: 9, backoff: 'none', base: 0, max: 0, jitter: 0 } },
          ...steps2,
        ],
        budget,
      }),
      {
        perform: ({ type, step }) => {
          if (type === 'ask-planner') return { ok: true, value: { steps: [flaky('a'), flaky('b'), flaky('c')] } };
          if (step === 'end') return done;
          return ++calls % 4 === 0
            ? done
            : { ok: false, failure: { code: 'CAPABILITY_THREW', message: 'again', retry: 'may' } };
        },
      },
    );
    world.begin().run();
    const exhausted = present(world.state.stop, 'exhaustion');
    expect(exhaustionText(exhausted)).toBe(
      'budget.max_total_tool_calls: spent 9 + reserved 0 of 10 (landing reserve 1 untouched)',
    );
    expect(world.state.steps.get('end')).toMatchObject({ status: 'completed' });
    expect(world.state.steps.get('end')?.convergence?.convergence).toMatchObject({ partial: true, reason: 'budget' });
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: true });
    expect(world.state.ledger.accounts.get('run')?.spent.tool_calls).toBe(10);
  });

  it('with on_exhaustion fail fails the target', () => {
    const budget = { limit: { ...defaultRunBudget.limit, tool_calls: 4 } };
    const end: Partial<StepSketch> = { convergence: { policy: 'all_settled', early: false, onExhaustion: 'fail' } };
    const plan: StepSketch = { name: 'plan', planning: { target: 'end' }, budget: { limit: { tool_calls: 3 } } };
    const world = new World(
      templateOf({ steps: [plan, { name: 'end', type: 'deferred', after: ['plan'], ...end }], budget }),
      {
        perform: ({ type, step }) => {
          if (type === 'ask-planner') return { ok: true, value: { steps: [task('a'), task('b', 'a')] } };
          return step.endsWith('a')
            ? { ok: false, failure: { code: 'CAPABILITY_THREW', message: 'no', retry: 'never' } }
            : done;
        },
      },
    );
    world.begin().run();
    expect(world.state.steps.get('end')?.status).toBe('completed');
  });
});

describe('the wall clock', () => {
  const budget = { wallClock: 100_000, landingReserve: 10 };
  const sketch: StepSketch[] = [
    { name: 'plan', planning: { target: 'end' } },
    { name: 'end', type: 'deferred', capability: 'work', after: ['plan'] },
  ];

  it('cuts the steps of phases at its end less the landing reserve, and the landing set still runs', () => {
    const world = new World(templateOf({ steps: sketch, budget }), {
      perform: ({ type }) =>
        type === 'ask-planner' ? { ok: true, value: { steps: [task('a'), task('b', 'a')] } } : done,
    }).begin();
    for (let i = 0; i < 3; i++) world.step();
    expect(world.state.running.has('plan.1/a')).toBe(true);
    world.now += 89_990;
    const { effects } = world.tell({ type: 'expire' });
    expect(effects).toEqual([{ type: 'abort', step: 'plan.1/a', why: 'budget' }]);
    world.run();
    expect([...world.state.steps.values()].map(({ status, skipped }) => skipped ?? status)).toEqual([
      'completed',
      'completed',
      'budget',
      'budget',
    ]);
    expect(exhaustionText(present(world.state.stop, 'exhaustion'))).toMatch(
      /^budget\.max_wall_clock_time: spent .* of 1m 40s \(landing reserve 10s untouched\)$/,
    );
  });

  it('bounds every attempt by what is left of it', () => {
    const world = new World(templateOf({ steps: [{ name: 'a', timeout: 1_000_000 }], budget }), { perform: () => done })
      .begin()
      .run();
    expect(world.performed[0]?.timeout).toBeLessThanOrEqual(100_000);
  });

  it('does nothing when it comes too early', () => {
    const world = new World(templateOf({ steps: sketch, budget }), { perform: () => done }).begin();
    expect(world.tell({ type: 'expire' }).events).toEqual([]);
  });
});

describe('planning that cannot be paid', () => {
  it('passes a forced convergence on to the next target', () => {
    const sketch: StepSketch[] = [
      { name: 'recon', planning: { target: 'execute' } },
      { name: 'execute', after: ['recon'], planning: { target: 'end' } },
      { name: 'end', type: 'deferred', capability: 'work', after: ['execute'] },
    ];
    const world = new World(templateOf({ steps: sketch, budget: { wallClock: 100_000 } }), {
      perform: ({ type }) => (type === 'ask-planner' ? { ok: true, value: { steps: [task('a')] } } : done),
    }).begin();
    for (let i = 0; i < 3; i++) world.step();
    world.now += 95_000;
    world.tell({ type: 'expire' });
    world.run();
    expect(
      world.events.find((event) => event.type === 'fragment.grafted' && event.planner === 'execute'),
    ).toMatchObject({ forced: true, steps: [] });
    expect(world.state.steps.get('end')?.status).toBe('completed');
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: true });
  });
});
