// Nested exhaustion: a nested planner without any budget left exhausts its account, whichever limit it met.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Json } from '../../src/base/json.ts';
import { good } from '../../src/base/result.ts';
import { defaultRunBudget, type RunBudget } from '../../src/budget/limits.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { Exhaustion } from '../../src/engine/record/event-parts.schema.ts';
import { exhaustionText } from '../../src/engine/state/exhaustion.ts';
import { isWaiting } from '../../src/engine/state/waiting.ts';
import type { ConvergenceSpec } from '../../src/template/step-spec.ts';
import { World } from '../../src/testing/world.ts';
import { plans, says } from './models-say.ts';
import { type StepSketch, templateOf, thinker, work } from './template-of.ts';

const done: EffectOutcome = good({ ok: true });
const PRICE = 100_000;

/** Every plan is the same: some work, and a nested planner that waits for it. */
const deeper: readonly Json[] = [
  { name: 'w', capability: 'work' },
  { name: 'deeper', type: 'planning', goal: 'Dig deeper.', depends_on: ['w'], timeout: '1h' },
];

/** The planner without any budget left, by its depth. */
function last(level: number): string {
  return `plan${'.1/deeper'.repeat(level)}`;
}

interface Limits {
  readonly resource: Exhaustion['resource'];
  /** Leaves no budget to the planner at this level. */
  readonly budget: (level: number) => Partial<RunBudget>;
  /** A higher limit, as a person writes it, with which the planner at this level can go on. */
  readonly raised: (level: number) => Json;
}

const only = (limit: RunBudget['limit']): Partial<RunBudget> => ({
  limit: { ...defaultRunBudget.limit, phases: 9, ...limit },
});

/** A tenth of calls and money is kept for the landing set. */
const limits: readonly Limits[] = [
  { resource: 'phases', budget: (level) => only({ phases: level + 1 }), raised: (level) => level + 2 },
  // One step is left when two are needed, and too little for any nesting.
  { resource: 'steps', budget: (level) => only({ steps: 3 + 2 * level + 1 }), raised: () => 40 },
  { resource: 'tool_calls', budget: (level) => only({ tool_calls: level + 1 }), raised: () => 40 },
  { resource: 'llm_calls', budget: () => only({ llm_calls: 0 }), raised: () => 40 },
  {
    resource: 'cost_usd',
    budget: (level) => only({ cost_usd: Math.ceil(((level + 0.5) * PRICE) / 0.9) }),
    raised: () => '$50',
  },
  {
    resource: 'planning_depth',
    budget: (level) => ({ ...only({}), planningDepth: level + 1 }),
    raised: (level) => level + 2,
  },
  { resource: 'time', budget: () => ({ ...only({}), wallClock: 600_000 }), raised: () => '2h' },
];

const policies: readonly Pick<ConvergenceSpec, 'policy' | 'min'>[] = [
  { policy: 'all_success' },
  { policy: 'all_settled' },
  { policy: 'quorum', min: { count: 1 } },
];

/** The step beside the phase succeeds, so that it alone meets a quorum of one. */
function worldOf(level: number, { resource, budget }: Limits, convergence: Partial<ConvergenceSpec>): World {
  const steps: readonly StepSketch[] = [
    { name: 'plan', planning: { target: 'end', goal: 'Dig.', maxAttempts: 2 } },
    { name: 'side', type: 'deferred' },
    {
      name: 'end',
      type: 'deferred',
      after: ['plan', 'side'],
      convergence: { policy: 'all_success', early: false, onExhaustion: 'converge', ...convergence },
    },
  ];
  const template = templateOf({
    steps,
    capabilities: [{ ...work, cost: { micro_dollars: PRICE } }],
    models: { default: thinker },
    budget: { planningDepth: 9, ...budget(level) },
  });
  let late = resource === 'time';
  return new World(template, {
    perform: (asked) => {
      if (asked.type === 'ask-model') return says({ steps: [...deeper] });
      if (asked.type !== 'ask-planner') return done;
      if (asked.step !== last(level)) return good({ rationale: 'dig on', steps: [...deeper] });
      if (resource === 'llm_calls') return plans(template, { ...asked, planner: { kind: 'llm' } });
      if (!late) return good({ rationale: 'dig on', steps: [...deeper] });
      late = false;
      return undefined;
    },
  }).begin();
}

function answer(world: World, value: Json): void {
  const [gate] = world.state.openGates;
  const said = { gate: present(gate, 'open gate'), verdict: 'answer', value, by: 'ada' } as const;
  expect(world.tell({ type: 'review', ...said }).refused).toBeUndefined();
}

function codeFor(resource: Exhaustion['resource']): string {
  return resource === 'planning_depth' ? 'PLANNING_TOO_DEEP' : 'BUDGET_EXCEEDED';
}

const cases = limits.flatMap((limit) =>
  [1, 2].flatMap((level) => policies.map((policy) => [limit.resource, level, policy.policy, limit, policy] as const)),
);

describe('a nested planner to which a limit leaves nothing', () => {
  it.each(cases)('by its limit of %s at depth %i forces a target with %s', (resource, level, _, limit, policy) => {
    const { state } = worldOf(level, limit, policy).run();
    expect(state.ended).toMatchObject({ status: 'completed', partial: true });
    expect(state.stop).toMatchObject({ resource, account: 'run' });
    expect(state.steps.get('end')?.convergence).toMatchObject({
      satisfied: true,
      stop: { resource },
      convergence: {
        reason: 'budget',
        partial: true,
        failed: [{ step: last(level), root: last(level), code: codeFor(resource) }],
      },
    });
  });

  it.each(cases)(
    'by its limit of %s at depth %i fails a target with %s under on_exhaustion: fail',
    (resource, level, _, limit, policy) => {
      const { state } = worldOf(level, limit, { ...policy, onExhaustion: 'fail' }).run();
      const stop = present(state.stop, 'limit');
      expect(stop).toMatchObject({ resource });
      expect(state.steps.get('end')).toMatchObject({
        status: 'failed',
        failure: { code: codeFor(resource), message: exhaustionText(stop) },
      });
      expect(state.ended).toMatchObject({ status: 'failed', failure: { code: codeFor(resource) } });
    },
  );

  it.each(cases)(
    'by its limit of %s at depth %i asks people when a target with %s has on_exhaustion: ask',
    (resource, level, _, limit, policy) => {
      const world = worldOf(level, limit, { ...policy, onExhaustion: 'ask' }).run();
      expect(isWaiting(world.state)).toBe(true);
      expect([...world.state.gates.values()]).toMatchObject([
        { kind: 'exhaustion', step: last(level), exhaustion: { resource } },
      ]);
      answer(world, { answer: 'converge' });
      expect(world.run().state.ended).toMatchObject({ status: 'completed', partial: true });
      expect(world.state.stop).toMatchObject({ resource });
      expect(world.state.steps.get('end')?.convergence?.convergence).toMatchObject({ reason: 'budget' });
    },
  );

  it.each(limits.flatMap((limit) => [1, 2].map((level) => [limit.resource, level, limit] as const)))(
    'by its limit of %s at depth %i plans further when people raise the limit',
    (_, level, limit) => {
      const world = worldOf(level, limit, { onExhaustion: 'ask' }).run();
      answer(world, { answer: 'raise', limit: limit.raised(level) });
      world.run();
      expect(world.state.steps.get(last(level))?.status).toBe('completed');
      expect(world.state.steps.has(last(level + 1))).toBe(true);
    },
  );
});

describe('the depth limit of one planning step', () => {
  const budget = { limit: {}, planningDepth: 2 };

  function dug(convergence: Partial<ConvergenceSpec> = {}): World {
    const steps: readonly StepSketch[] = [
      { name: 'plan', planning: { target: 'end', goal: 'Dig.', maxAttempts: 2 }, budget },
      {
        name: 'end',
        type: 'deferred',
        after: ['plan'],
        convergence: { policy: 'all_success', early: false, onExhaustion: 'converge', ...convergence },
      },
    ];
    const template = templateOf({ steps, budget: { ...only({}), planningDepth: 9 } });
    return new World(template, {
      perform: ({ type }) => (type === 'ask-planner' ? good({ steps: [...deeper] }) : done),
    }).begin();
  }

  it('stops the planner at that depth, which names the key of the limit', () => {
    const { state } = dug().run();
    expect(state.stop).toMatchObject({ account: 'plan', spent: 2, limit: 2 });
    expect(exhaustionText(present(state.stop, 'limit'))).toBe(
      'steps.plan.budget.max_planning_depth: planning is nested 2 of 2 levels deep',
    );
    expect(state.steps.get('plan.1/deeper')?.failure?.message).toBe(
      'steps[1]: step "deeper" plans further, and planning may nest no deeper here',
    );
  });

  it('is raised by an order, which decides the question too', () => {
    const world = dug({ onExhaustion: 'ask' }).run();
    const order = { type: 'raise-budget', account: 'plan', limit: {}, by: 'ada' } as const;
    expect(world.tell({ ...order, planningDepth: 2 }).refused).toMatchObject({
      code: 'BUDGET_NOT_RAISED',
      message: 'steps.plan.budget.max_planning_depth is 2 already',
    });
    expect(world.tell({ ...order, planningDepth: 3 }).refused).toBeUndefined();
    expect(world.events.find(({ type }) => type === 'gate.decided')).toMatchObject({ gate: 'g1', by: 'ada' });
    world.run();
    expect(world.state.steps.get('plan.1/deeper')?.status).toBe('completed');
    expect([...world.state.openGates]).toEqual(['g2']);
  });

  it('holds only that planner while people are asked, and no other step of the account', () => {
    const world = dug({ onExhaustion: 'ask' }).run();
    expect(world.state.asking.size).toBe(0);
    answer(world, { answer: 'replan' });
    world.run();
    expect(world.state.gates.size).toBe(2);
    answer(world, { answer: 'abort' });
    expect(world.run().state.ended?.status).toBe('cancelled');
  });
});

describe('a nested planner that plans further when little is left', () => {
  it('is stopped by a limit that was nearly used up, though its plan would still fit', () => {
    const world = worldOf(1, { resource: 'steps', budget: () => only({ steps: 6 }), raised: () => 40 }, {});
    const roomy = worldOf(
      1,
      { resource: 'steps', budget: () => ({ ...only({ steps: 10 }), warnAt: 50 }), raised: () => 40 },
      {},
    );
    for (const { state } of [world.run(), roomy.run()]) {
      expect(state.stop).toMatchObject({ resource: 'steps', account: 'run', spent: 5 });
      expect(state.steps.get(last(1))?.failure?.code).toBe('BUDGET_EXCEEDED');
      expect(state.ended).toMatchObject({ status: 'completed', partial: true });
    }
    const rejected = (of: World) =>
      of.events.flatMap((event) => (event.type === 'fragment.rejected' ? event.issues.map(({ code }) => code) : []));
    expect(rejected(world)).toEqual(['PLANNING_WHILE_CONVERGING', 'BUDGET_EXCEEDED']);
    expect(rejected(roomy)).toEqual(['PLANNING_WHILE_CONVERGING']);
  });

  it('fails for its plan when the plan has another fault, which no limit would fix', () => {
    const faulty = [...deeper, { name: 'x', capability: 'nothing.known' }];
    const template = templateOf({
      steps: [
        { name: 'plan', planning: { target: 'end', goal: 'Dig.', maxAttempts: 2 } },
        { name: 'end', type: 'deferred', after: ['plan'] },
      ],
      budget: { ...only({}), planningDepth: 2 },
    });
    const { state } = new World(template, {
      perform: ({ type, step }) =>
        type === 'ask-planner' ? good({ steps: step === 'plan' ? [...deeper] : faulty }) : done,
    })
      .begin()
      .run();
    expect(state.steps.get(last(1))?.failure?.code).toBe('PLAN_INVALID');
    expect(state.stop).toBeUndefined();
  });
});
