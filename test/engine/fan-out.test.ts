// A fan-out becomes one step for each item of its list; its result lists their results in the order of the items.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import { quantity } from '../../src/budget/amount.ts';
import { defaultRunBudget } from '../../src/budget/limits.ts';
import { boundOf } from '../../src/engine/bound/bound.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import { valueIn } from '../../src/engine/record/stored-value.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import type { FanOutSpec } from '../../src/template/step-spec.ts';
import { World } from '../../src/testing/world.ts';
import { plans } from './models-say.ts';
import { repairOf, type StepSketch, stepOf, type TemplateSketch, templateOf } from './template-of.ts';

const done = (value: Json = { ok: true }): EffectOutcome => good(value);
const failed = (code = 'CAPABILITY_THREW', retry: 'may' | 'never' = 'may'): EffectOutcome =>
  bad({ code, message: 'bad luck', retry });

const list = '{{ results.list.items }}';
const each: StepSketch = { name: 'map', input: { item: '{{ item }}' } };

function mapping(
  fanOut: Partial<FanOutSpec> = {},
  step: Partial<StepSketch> = {},
  item: Partial<StepSketch> = {},
): StepSketch {
  return {
    name: 'map',
    type: 'fan_out',
    after: ['list'],
    fanOut: { do: stepOf({ ...each, ...item }), forEach: list, maxWidth: 10, failureStrategy: 'fail_fast', ...fanOut },
    ...step,
  };
}

/** `list` answers the items, `map` goes over them, `end` waits for it. */
const frame = (map: StepSketch): StepSketch[] => [{ name: 'list' }, map, { name: 'end', after: ['map'] }];

interface Options extends Omit<TemplateSketch, 'steps'> {
  readonly items?: Json;
  readonly perform?: (work: Work) => EffectOutcome | undefined;
  readonly steps?: readonly StepSketch[];
}

function worldOf(
  map: StepSketch,
  { items = [1, 2, 3], perform = ({ input }) => done(input), steps, ...sketch }: Options = {},
): World {
  return new World(templateOf({ steps: steps ?? frame(map), ...sketch }), {
    perform: (work) => (work.step === 'list' ? done({ items }) : perform(work)),
  }).begin();
}

const ends = (world: World) =>
  Object.fromEntries([...world.state.steps].map(([id, { status, skipped }]) => [id, skipped ?? status]));

function resultOf({ state, blobs }: World, id: string): Json | undefined {
  const result = state.steps.get(id)?.result;
  return result === undefined ? undefined : valueIn(result, blobs);
}

const numbers = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

describe('a fan-out', () => {
  it('runs one step for each item, and lists their results in the order of the items', () => {
    let turn = 0;
    const world = new World(templateOf({ steps: frame(mapping()) }), {
      perform: ({ step, input }) => done(step === 'list' ? { items: ['a', 'b', 'c'] } : input),
      choose: (n) => (n - 1 - (turn++ % 2)) % n,
    })
      .begin()
      .run();
    expect(resultOf(world, 'map')).toEqual([{ item: 'a' }, { item: 'b' }, { item: 'c' }]);
    expect(ends(world)).toEqual({
      list: 'completed',
      map: 'completed',
      end: 'completed',
      'map/0': 'completed',
      'map/1': 'completed',
      'map/2': 'completed',
    });
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: false });
  });

  it('completes at once with an empty list when its list is empty', () => {
    const world = worldOf(mapping({ failureStrategy: 'continue_on_failure' }), { items: [] }).run();
    expect(resultOf(world, 'map')).toEqual([]);
    expect(world.state.steps.size).toBe(3);
    expect(world.state.ended?.status).toBe('completed');
  });

  it('may run compute steps, over the item and the dependencies of the fan-out', () => {
    const item = stepOf({
      name: 'map',
      type: 'compute',
      expr: { $lisp: '(* data/item (get-in data/depends ["list" "by"]))' },
    });
    const world = new World(templateOf({ steps: frame(mapping({ do: item })) }), {
      perform: () => done({ items: [1, 2], by: 10 }),
    })
      .begin()
      .run();
    expect(resultOf(world, 'map')).toEqual([10, 20]);
  });

  it('iterates over the list that an expression gives', () => {
    const world = worldOf(
      mapping({ forEach: { $lisp: '(filter odd? (get-in data/results ["list" "items"]))' } }),
    ).run();
    expect(resultOf(world, 'map')).toEqual([{ item: 1 }, { item: 3 }]);
  });

  it('adds no steps when its condition does not hold, and releases its width', () => {
    const world = worldOf(mapping({}, { when: { $lisp: 'false' } })).run();
    expect(ends(world)).toEqual({ list: 'completed', map: 'when_false', end: 'completed' });
    expect(world.state.ledger.accounts.get('run')).toMatchObject({ spent: { steps: 3 }, reserved: { steps: 0 } });
  });

  it('evaluates the condition of its step for each item', () => {
    const item = { when: { $lisp: '(> data/item 1)' } };
    const plain = worldOf(mapping({}, {}, item)).run();
    expect(resultOf(plain, 'map')).toEqual([null, { item: 2 }, { item: 3 }]);
  });

  it('checks its list against its own contract and predicate once all items have ended', () => {
    const short = { output: { type: 'array', maxItems: 2 } };
    expect(worldOf(mapping({}, short)).run().state.steps.get('map')?.failure?.code).toBe('OUTPUT_INVALID');
    const predicate = { verification: { $lisp: '(= (count data/result) 4)' }, onVerificationFailure: 'retry' as const };
    const world = worldOf(
      mapping(
        {},
        {
          ...predicate,
          retry: stepOf({ name: 'x', retry: { maxAttempts: 3, backoff: 'none', base: 0, max: 0, jitter: 0 } }).retry,
        },
      ),
    ).run();
    expect(world.state.steps.get('map')?.failure?.code).toBe('VERIFICATION_FAILED');
    expect(world.performed.filter(({ step }) => step.startsWith('map/'))).toHaveLength(3);
  });

  it('verifies and retries each item by itself', () => {
    const item: Partial<StepSketch> = {
      verification: { $lisp: '(pos? (get data/result "n"))' },
      onVerificationFailure: 'retry',
      retry: { maxAttempts: 2, backoff: 'none', base: 0, max: 0, jitter: 0 },
    };
    const world = worldOf(mapping({}, {}, item), {
      perform: ({ step, attempt }) => done({ n: step === 'map/1' && attempt === 1 ? 0 : 1 }),
    }).run();
    expect(resultOf(world, 'map')).toEqual([{ n: 1 }, { n: 1 }, { n: 1 }]);
    expect(world.performed.filter(({ step }) => step === 'map/1').map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  it('expands after it is judged when it is a convergence target', () => {
    const steps: StepSketch[] = [
      { name: 'list' },
      { name: 'risky' },
      mapping(
        {},
        {
          after: ['list', 'risky'],
          convergence: { policy: 'quorum', min: { count: 1 }, early: false, onExhaustion: 'converge' },
        },
      ),
    ];
    const world = worldOf(steps[2] as StepSketch, {
      steps,
      perform: ({ step, input }) => (step === 'risky' ? failed() : done(input)),
    }).run();
    expect(resultOf(world, 'map')).toEqual([{ item: 1 }, { item: 2 }, { item: 3 }]);
    expect(world.state.steps.get('map')?.convergence).toMatchObject({ satisfied: true, convergence: { succeeded: 1 } });
  });

  it('shows its items the branches that converged at it', () => {
    const item = { input: { n: '{{ convergence.succeeded }}', list: '{{ depends.list.items.0 }}' } };
    const policy = { policy: 'all_settled' as const, early: false, onExhaustion: 'converge' as const };
    const world = worldOf(mapping({}, { convergence: policy }, item), { items: [7] }).run();
    expect(resultOf(world, 'map')).toEqual([{ n: 1, list: 7 }]);
  });
});

describe('the list of a fan-out', () => {
  it.each([
    [0, 0, []],
    [1_000, 1, [1_000]],
    [1_001, 2, [1_000, 1]],
    [25_000, 10, Array.from({ length: 10 }, () => 2_500)],
  ])('with %i rows in batches of 1,000 and a width of 10 makes %i steps', (rows, count, sizes) => {
    const item = stepOf({ name: 'map', type: 'compute', expr: { $lisp: '(count data/item)' } });
    const world = worldOf(mapping({ do: item, batchSize: 1_000 }), { items: numbers(rows) }).run();
    expect(resultOf(world, 'map')).toEqual(sizes);
    expect(world.state.steps.size).toBe(3 + count);
  });

  it('is never truncated: more items than the width fail the fan-out', () => {
    const { state } = worldOf(mapping({ maxWidth: 2 })).run();
    expect(state.steps.get('map')?.failure).toEqual({
      code: 'FAN_OUT_TOO_WIDE',
      message:
        'for_each gave 3 items and max_width allows 2; give each step several items with batch_size, or raise max_width',
      retry: 'never',
    });
    expect(state.ledger.accounts.get('run')?.reserved.steps).toBe(0);
  });

  it('names the limits to raise when the fan-out was planned, since nobody wrote its width', () => {
    const fanOut = {
      name: 'each',
      type: 'fan_out',
      for_each: { $lisp: '(range 3)' },
      max_width: 2,
      do: { name: 'one', capability: 'work' },
    };
    const template = templateOf({
      steps: [
        { name: 'plan', planning: { target: 'end', planner: { kind: 'fixed', fragment: { steps: [fanOut] } } } },
        { name: 'end', type: 'deferred', after: ['plan'] },
      ],
    });
    const world = new World(template, {
      perform: (each) => (each.type === 'ask-planner' ? plans(template, each) : good(null)),
    })
      .begin()
      .run();
    expect(world.state.steps.get('plan.1/each')?.failure?.message).toBe(
      'for_each gave 3 items and max_width allows 2; raise max_fan_out (10) and max_fragment_steps (20) under budget, or have the plan give each step several with batch_size',
    );
  });

  it('must be a list', () => {
    const world = worldOf(mapping({ forEach: '{{ results.list }}' })).run();
    expect(world.state.steps.get('map')?.failure).toMatchObject({
      code: 'FAN_OUT_NOT_A_LIST',
      message: expect.stringContaining('gave a map'),
    });
  });

  it('is not evaluated a second time, whatever the recovery of the fan-out says', () => {
    const again = {
      onFailure: 'retry' as const,
      retry: { maxAttempts: 3, backoff: 'none' as const, base: 0, max: 0, jitter: 0 },
    };
    const world = worldOf(mapping({ maxWidth: 2 }, again)).run();
    expect(world.events.filter(({ type }) => type === 'attempt.failed')).toEqual([]);
  });
});

describe('a failed item', () => {
  const perform = ({ step, input }: Work): EffectOutcome => (step === 'map/1' ? failed() : done(input));

  it('ends the other items and the fan-out under fail_fast, and the failure names the item', () => {
    const world = worldOf(mapping(), { perform, items: [1, 2, 3, 4] });
    while (!world.state.running.has('map/3')) world.step();
    const { effects } = world.tell({
      type: 'settle',
      step: 'map/1',
      attempt: 1,
      delivery: 1,
      input: {},
      outcome: failed(),
      chance: 0,
    });
    expect(effects.map((effect) => [effect.type, effect.step])).toEqual([
      ['abort', 'map/0'],
      ['abort', 'map/2'],
      ['abort', 'map/3'],
    ]);
    world.run();
    expect(ends(world)).toMatchObject({
      map: 'failed',
      'map/0': 'converged',
      'map/1': 'failed',
      'map/3': 'converged',
      end: 'upstream',
    });
    expect(world.state.steps.get('map')?.failure).toMatchObject({
      code: 'CAPABILITY_THREW',
      message: 'map/1: bad luck',
    });
    expect(world.state.ended?.failure?.message).toContain('map/1: bad luck');
  });

  it('leaves a skippable or uncritical fan-out tolerated under fail_fast', () => {
    for (const step of [{ onFailure: 'skip' as const }, { critical: false }]) {
      const world = worldOf(mapping({}, step), { perform }).run();
      expect(ends(world)).toMatchObject({ map: 'tolerated', end: 'completed' });
    }
  });

  it('leaves a gap in the list when it is tolerated', () => {
    const world = worldOf(mapping({}, {}, { critical: false }), { perform }).run();
    expect(resultOf(world, 'map')).toEqual([{ item: 1 }, null, { item: 3 }]);
  });

  it('stands in the list as a failure under continue_on_failure', () => {
    const world = worldOf(mapping({ failureStrategy: 'continue_on_failure' }), { perform }).run();
    expect(resultOf(world, 'map')).toEqual([
      { status: 'completed', value: { item: 1 } },
      { status: 'failed', failure: { code: 'CAPABILITY_THREW', message: 'bad luck' } },
      { status: 'completed', value: { item: 3 } },
    ]);
    expect(world.state.ended?.status).toBe('completed');
  });

  it('says under continue_on_failure why it has no value, also when it was tolerated or skipped', () => {
    const told = (item: Partial<StepSketch>) =>
      resultOf(
        worldOf(mapping({ failureStrategy: 'continue_on_failure' }, {}, item), { perform, items: [1, 2] }).run(),
        'map',
      );
    expect(told({ onFailure: 'skip' })).toMatchObject([
      { status: 'completed' },
      { status: 'skipped', reason: 'tolerated', failure: { code: 'CAPABILITY_THREW' } },
    ]);
    expect(told({ when: { $lisp: '(= data/item 1)' } })).toEqual([
      { status: 'completed', value: { item: 1 } },
      { status: 'skipped', reason: 'when_false' },
    ]);
  });

  it('ends a run that stops at the first failure', () => {
    for (const failureStrategy of ['fail_fast', 'continue_on_failure'] as const) {
      const world = worldOf(mapping({ failureStrategy }), { perform, failFast: true }).run();
      expect(world.state.ended?.status).toBe('failed');
      expect([...world.state.steps.values()].some(({ status }) => status === 'ready')).toBe(false);
    }
  });
});

describe('large values', () => {
  const text = (n: number): string => `${n} `.repeat(1_000);

  it('reach the items and the list from their blobs', () => {
    for (const failureStrategy of ['fail_fast', 'continue_on_failure'] as const) {
      const items = [text(1), text(2)];
      const verification = { $lisp: '(= (count data/result) (count (get-in data/depends ["list" "items"])))' };
      const world = worldOf(mapping({ failureStrategy }, { verification }), {
        items,
        perform: ({ input }) => done(input),
      });
      while (!world.state.running.has('map/1')) world.step();
      world.crash();
      world.run();
      const values = items.map((item) => ({ item }));
      expect(resultOf(world, 'map')).toEqual(
        failureStrategy === 'fail_fast' ? values : values.map((value) => ({ status: 'completed', value })),
      );
    }
  });
});

describe('the budget of a fan-out', () => {
  const policy = { policy: 'all_success' as const, early: false, onExhaustion: 'converge' as const };
  /** The fan-out runs before a planning step, so that it has no claim to the landing reserve. */
  const cutShort = (fanOut: Partial<FanOutSpec>): StepSketch[] => [
    { name: 'list' },
    mapping(fanOut),
    { name: 'between', type: 'deferred', after: ['map'], convergence: policy, input: { seen: '{{ results.map }}' } },
    { name: 'plan', after: ['between'], planning: { target: 'end' } },
    { name: 'end', type: 'deferred', after: ['plan'] },
  ];
  const budget = { limit: { ...defaultRunBudget.limit, tool_calls: 4 }, landingReserve: 0 };

  it('ends the fan-out midway with the results so far, and the next step converges', () => {
    const world = worldOf(mapping(), { steps: cutShort({}), budget, items: numbers(6) }).run();
    expect(ends(world)).toMatchObject({
      map: 'budget',
      'map/2': 'completed',
      'map/3': 'budget',
      'map/5': 'budget',
      between: 'completed',
    });
    expect(resultOf(world, 'map')).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
    expect(resultOf(world, 'between')).toEqual({ seen: [{ item: 0 }, { item: 1 }, { item: 2 }] });
    expect(world.state.steps.get('between')?.convergence?.convergence).toMatchObject({
      reason: 'budget',
      partial: true,
      failed: [{ step: 'map', code: 'BUDGET_EXCEEDED' }],
    });
    expect(world.state.stop).toMatchObject({ resource: 'tool_calls', limit: 4 });
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: true });
  });

  it('is named in the failure of each cut item under continue_on_failure', () => {
    const steps = cutShort({ failureStrategy: 'continue_on_failure' });
    const world = worldOf(mapping(), { steps, budget, items: numbers(5) }).run();
    expect(resultOf(world, 'map')).toMatchObject([
      { status: 'completed', value: { item: 0 } },
      { status: 'completed' },
      { status: 'completed' },
      { status: 'skipped', reason: 'budget', failure: { code: 'BUDGET_EXCEEDED' } },
      { status: 'skipped', reason: 'budget' },
    ]);
  });

  it('ends running items when time is up, and keeps the results of the others', () => {
    const wallClock = { wallClock: 100_000, landingReserve: 10 };
    const world = worldOf(mapping(), {
      steps: cutShort({}),
      budget: wallClock,
      perform: ({ step, input }) => (step === 'map/0' ? done(input) : undefined),
    });
    world.run();
    expect(ends(world)).toMatchObject({ map: 'failed' });
    const late = worldOf(mapping(), { steps: cutShort({}), budget: wallClock });
    while (late.state.steps.get('map/1')?.status !== 'running') late.step();
    late.tell({ type: 'settle', step: 'map/0', attempt: 1, delivery: 1, input: null, outcome: done(0), chance: 0 });
    late.now += 90_000;
    late.tell({ type: 'expire' });
    late.run();
    expect(ends(late)).toMatchObject({ 'map/0': 'completed', 'map/1': 'budget', map: 'budget', between: 'completed' });
    expect(resultOf(late, 'map')).toEqual([0]);
  });

  it('is free for fragments when the fan-out adds no steps, and the bound accounts for that', () => {
    const steps: StepSketch[] = [
      {
        ...mapping({
          forEach: 'no list',
          maxWidth: 4,
          do: stepOf({ name: 'map', type: 'compute', expr: { $lisp: '1' } }),
        }),
        after: [],
        critical: false,
      },
      { name: 'plan', after: ['map'], planning: { target: 'end' } },
      { name: 'end', type: 'deferred', after: ['plan'] },
    ];
    const planned = ['a', 'b', 'c', 'd'].map((name): Json => ({ name, capability: 'work' }));
    const template = templateOf({ steps, budget: { limit: { steps: 7, phases: 1, tool_calls: 50 } } });
    const perform = ({ type }: Work) => done(type === 'ask-planner' ? { steps: planned } : {});
    const world = new World(template, { perform }).begin().run();
    expect(world.state.ended?.status).toBe('completed');
    const bound = boundOf(template).find(({ resource }) => resource === 'tool_calls')?.bound;
    expect(bound).toBeGreaterThanOrEqual(world.state.ledger.accounts.get('run')?.spent.tool_calls ?? 0);
  });

  it('reserves the width from the start, and is charged for the steps that were added', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            width: fc.integer({ min: 1, max: 8 }),
            items: fc.nat(8),
            batch: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
          }),
          {
            minLength: 1,
            maxLength: 4,
          },
        ),
        fc.nat(1_000),
        fc.boolean(),
        (fans, seed, early) => {
          const steps: StepSketch[] = [
            { name: 'list' },
            ...fans.map(({ width, items, batch }, i) => ({
              ...mapping({
                maxWidth: width,
                forEach: numbers(items),
                ...(batch === undefined ? {} : { batchSize: batch }),
                failureStrategy: i % 2 === 0 ? ('fail_fast' as const) : ('continue_on_failure' as const),
              }),
              name: `m${i}`,
            })),
            {
              name: 'end',
              type: 'deferred',
              after: fans.map((_, i) => `m${i}`),
              convergence: { policy: 'quorum', min: { count: 1 }, early, onExhaustion: 'converge' },
            },
          ];
          const most = fans.reduce((sum, { width }) => sum + width, steps.length);
          let asked = seed;
          const world = new World(
            templateOf({ steps, budget: { limit: { steps: most, tool_calls: 10 }, landingReserve: 0 } }),
            {
              perform: ({ step }) => ((step.length * seed) % 5 === 0 ? failed('CAPABILITY_THREW', 'never') : done()),
              choose: (n) => {
                asked += 7;
                return asked % n;
              },
            },
          ).begin();
          const account = () => world.state.ledger.accounts.get('run');
          expect(quantity(account()?.spent ?? {}, 'steps') + quantity(account()?.reserved ?? {}, 'steps')).toBe(most);
          world.run();
          expect(world.state.status).toBe('ended');
          expect(account()?.spent.steps).toBe(world.state.steps.size);
          expect(quantity(account()?.reserved ?? {}, 'steps')).toBe(0);
        },
      ),
      { numRuns: 200 },
    );
  });
});

describe('a fan-out in a fragment', () => {
  const converge = { policy: 'all_success' as const, early: false, onExhaustion: 'converge' as const };
  const steps: StepSketch[] = [
    { name: 'list' },
    { name: 'plan', after: ['list'], planning: { target: 'end' } },
    { name: 'end', type: 'deferred', after: ['plan'], convergence: converge, input: '{{ depends }}' },
  ];
  const fragment = (more: Record<string, Json> = {}): Json => ({
    steps: [
      {
        name: 'map',
        type: 'fan_out',
        for_each: '{{ results.list.items }}',
        max_width: 4,
        do: { capability: 'work', input: { item: '{{ item }}' } },
        failure_strategy: 'fail_fast',
        ...more,
      },
    ],
  });

  function planned(items: Json, budget: TemplateSketch['budget'] = {}, more: Record<string, Json> = {}): World {
    const perform = ({ type, input }: Work) => done(type === 'ask-planner' ? fragment(more) : input);
    return worldOf(mapping(), { steps, items, perform, budget });
  }

  it('is a step of its phase, and one branch where the phase converges', () => {
    const world = planned([1, 2]).run();
    expect(ends(world)).toMatchObject({ 'plan.1/map': 'completed', 'plan.1/map/1': 'completed', end: 'completed' });
    expect(resultOf(world, 'end')).toEqual({ 'plan.1/map': [{ item: 1 }, { item: 2 }] });
    expect(world.state.steps.get('end')?.convergence?.convergence).toMatchObject({ expected: 1, succeeded: 1 });
    expect(world.state.ended?.status).toBe('completed');
  });

  it('lets its target converge with the results so far when its budget ends midway', () => {
    const limit = { ...defaultRunBudget.limit, tool_calls: 6 };
    const world = planned(['a', 'b', 'c', 'd'], { limit, landingReserve: 0 });
    while (!world.state.running.has('plan.1/map/3')) world.step();
    // The calls that the crash lost are paid twice.
    world.crash();
    world.run();
    expect(ends(world)).toMatchObject({ 'plan.1/map': 'budget', 'plan.1/map/0': 'completed', end: 'completed' });
    expect(resultOf(world, 'end')).toEqual({ 'plan.1/map': [{ item: 'a' }] });
    expect(world.state.steps.get('end')?.convergence?.convergence).toMatchObject({ partial: true, reason: 'budget' });
    expect(world.state.stop).toMatchObject({ resource: 'tool_calls' });
  });

  it('is planned again like any other step when it fails, and keeps the failures of its items', () => {
    const perform = ({ type, step, attempt, input }: Work): EffectOutcome => {
      if (type === 'ask-planner') {
        const repaired = step === 'plan~2' && attempt === 1;
        return done(repaired ? { steps: [{ name: 'other', capability: 'work' }] } : fragment({ on_failure: 'replan' }));
      }
      return step === 'plan.1/map/1' ? failed('CAPABILITY_THREW', 'never') : done(input);
    };
    const world = worldOf(mapping(), { steps, items: [1, 2, 3], perform }).run();
    expect(ends(world)).toMatchObject({ 'plan.1/map': 'failed', 'plan.1/map/1': 'failed', 'plan~2': 'completed' });
    expect(world.state.steps.get('plan.1/map')?.takenUp).toBe('plan~2');
    expect(world.state.ended?.status).toBe('completed');
  });

  it('does not repeat the calls of completed items when it is planned again', () => {
    const world = worldOf(mapping(), {
      steps,
      items: [1, 2, 3],
      perform: ({ type, step, input }) => {
        if (type !== 'ask-planner') return step === 'plan.1/map/1' ? failed('CAPABILITY_THREW', 'never') : done(input);
        return done(fragment(step === 'plan' ? { on_failure: 'replan' } : { failure_strategy: 'continue_on_failure' }));
      },
    }).run();
    expect(resultOf(world, 'plan~2.1/map')).toEqual(
      [1, 2, 3].map((item) => ({ status: 'completed', value: { item } })),
    );
    const called = world.performed.map(({ step }) => step).filter((step) => step.startsWith('plan~2.1/map/'));
    expect(called).toEqual(['plan~2.1/map/1', 'plan~2.1/map/2']);
  });

  it('is sent back to its planner when it is wider than the remaining budget', () => {
    const limit = { ...defaultRunBudget.limit, steps: 7 };
    const world = planned([1], { limit }).run();
    expect(JSON.stringify(world.events.filter(({ type }) => type === 'fragment.rejected'))).toContain(
      'BUDGET_EXCEEDED',
    );
    const fits = planned([1], { limit: { ...limit, steps: 8 } }).run();
    expect(fits.state.ended?.status).toBe('completed');
    expect(fits.state.ledger.accounts.get('run')).toMatchObject({ spent: { steps: 5 }, reserved: { steps: 0 } });
  });
});

describe('an outside event', () => {
  it('that cancels the run ends a fan-out with its items', () => {
    const world = worldOf(mapping());
    while (!world.state.running.has('map/1')) world.step();
    world.tell({ type: 'cancel', by: 'ann' });
    world.run();
    expect(new Set(Object.values(ends(world)))).toEqual(new Set(['completed', 'cancelled']));
    expect(world.state.ended?.status).toBe('cancelled');
  });

  it('that fails a sibling never puts an expanded fan-out into a repair', () => {
    const early = { policy: 'quorum' as const, min: { count: 1 }, early: true, onExhaustion: 'converge' as const };
    const repair = repairOf({ planner: { kind: 'capability', name: 'work' }, maxAttempts: 1 });
    const steps: StepSketch[] = [
      { name: 'list' },
      { name: 'slow', onFailure: 'replan' },
      { name: 'behind', after: ['slow'] },
      { name: 'elsewhere', after: ['slow'] },
      mapping({}, { after: ['list', 'behind'], convergence: early }),
    ];
    const world = new World(
      { ...templateOf({ steps }), repair },
      {
        perform: ({ step }) => done({ items: [step] }),
      },
    ).begin();
    world.tell({ type: 'start-step', step: 'list' });
    world.tell({ type: 'start-step', step: 'slow' });
    world.step();
    world.tell({ type: 'start-step', step: 'map' });
    world.tell({ type: 'settle', step: 'slow', attempt: 1, delivery: 1, input: {}, outcome: failed(), chance: 0 });
    expect(world.state.steps.get('slow')?.failure?.code).toBe('REPLAN_TOO_LATE');
    world.run();
    expect(ends(world)).toMatchObject({ map: 'completed', behind: 'converged', elsewhere: 'upstream' });
  });

  it('that decides a target early dismisses a fan-out with its items', () => {
    const steps: StepSketch[] = [
      { name: 'list' },
      { name: 'fast' },
      mapping(),
      {
        name: 'end',
        type: 'deferred',
        after: ['fast', 'map'],
        convergence: { policy: 'quorum', min: { count: 1 }, early: true, onExhaustion: 'converge' },
      },
    ];
    const world = worldOf(mapping(), { steps });
    while (!world.state.running.has('map/2')) world.step();
    world.run();
    expect(ends(world)).toMatchObject({ fast: 'completed', map: 'converged', 'map/0': 'converged', end: 'completed' });
  });

  it('that crashes the process at any point changes no result', () => {
    const run = (point: number, crashes: boolean) => {
      const world = worldOf(mapping({ failureStrategy: 'continue_on_failure' }), {
        items: ['a', 'b', 'x'.repeat(2_000)],
        perform: ({ step, input }) => (step === 'map/1' ? failed() : done(input)),
      });
      for (let i = 0; i < point && world.step(); i++);
      if (crashes && world.state.status !== 'ended') world.crash();
      return world.run();
    };
    const straight = run(0, false);
    for (let point = 0; point < straight.batches.length; point++) {
      const crashed = run(point, true);
      expect(ends(crashed), `after ${point}`).toEqual(ends(straight));
      expect(resultOf(crashed, 'map')).toEqual(resultOf(straight, 'map'));
    }
  });
});
