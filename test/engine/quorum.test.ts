// A quorum by number: a plan with too few branches is rejected, and a target that misses its quorum names both numbers.

import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { ConvergenceSpec } from '../../src/template/step-spec.ts';
import { defaultReplan } from '../../src/template/step-spec.ts';
import { World } from '../../src/testing/world.ts';
import { type StepSketch, templateOf } from './template-of.ts';

const quorum = (min: ConvergenceSpec['min']): Partial<StepSketch> => ({
  convergence: { policy: 'quorum', early: false, onExhaustion: 'converge', ...(min === undefined ? {} : { min }) },
});

const tasks = (...names: string[]): Json[] => names.map((name) => ({ name, capability: 'work', input: { of: name } }));

interface Setting {
  readonly steps: readonly StepSketch[];
  /** The plans of each planning step, one for each request; the last one repeats. */
  readonly plans: Readonly<Record<string, readonly Json[][]>>;
  readonly breaks?: readonly string[];
}

function given({ steps, plans, breaks = [] }: Setting): World {
  const asked = new Map<string, number>();
  return new World(templateOf({ steps }), {
    perform: ({ type, step }): EffectOutcome => {
      if (breaks.includes(step)) return bad({ code: 'CAPABILITY_THREW', message: 'it broke', retry: 'never' });
      if (type !== 'ask-planner') return good({ of: step });
      const count = asked.get(step) ?? 0;
      asked.set(step, count + 1);
      return good({ rationale: 'so', steps: plans[step]?.[count] ?? plans[step]?.at(-1) ?? [] });
    },
  })
    .begin()
    .run();
}

const rejected = (world: World) =>
  world.events.flatMap((event) =>
    event.type === 'fragment.rejected' ? event.issues.map(({ message }) => message) : [],
  );

const plan = (name: string, target = 'end'): StepSketch => ({ name, planning: { target } });

describe('a plan whose target has a quorum', () => {
  it('is rejected with too few branches, and grafted with enough', () => {
    const world = given({
      steps: [plan('plan'), { name: 'end', type: 'deferred', after: ['plan'], ...quorum({ count: 3 }) }],
      plans: { plan: [tasks('a', 'b'), tasks('a', 'b', 'c')] },
    });
    expect(rejected(world)).toEqual(['"end" asks for 3 successes, and the plan ends in 2 branches']);
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: false });
  });

  it('may count other branches of the target that have not failed', () => {
    const steps: StepSketch[] = [
      { name: 'side' },
      { ...plan('plan'), after: ['seen'] },
      {
        name: 'seen',
        type: 'deferred',
        after: ['side'],
        convergence: { policy: 'all_settled', early: false, onExhaustion: 'converge' },
      },
      { name: 'end', type: 'deferred', after: ['plan', 'side'], ...quorum({ count: 3 }) },
    ];
    const plans = { plan: [tasks('a', 'b'), tasks('a', 'b', 'c')] };
    expect(rejected(given({ steps, plans }))).toEqual([]);
    expect(rejected(given({ steps, plans, breaks: ['side'] }))).toEqual([
      '"end" asks for 3 successes, and the plan ends in 2 branches',
    ]);
  });

  it('is not checked when another or a nested planner may add branches', () => {
    const end: StepSketch = { name: 'end', type: 'deferred', after: ['plan', 'other'], ...quorum({ count: 3 }) };
    const both = given({
      steps: [plan('plan'), plan('other'), end],
      plans: { plan: [tasks('a')], other: [tasks('b', 'c')] },
    });
    expect(rejected(both)).toEqual([]);
    const nested = given({
      steps: [plan('plan'), { ...end, after: ['plan'] }],
      plans: {
        plan: [[...tasks('a'), { name: 'deeper', type: 'planning', goal: 'Dig.' }]],
        'plan.1/deeper': [tasks('b'), tasks('b', 'c')],
      },
    });
    expect(rejected(nested)).toEqual(['"end" asks for 3 successes, and the plan ends in 1 branch beside 1 other']);
    expect(nested.state.ended?.status).toBe('completed');
  });

  it('needs only the missing branches when it is a repair', () => {
    const fragile = (name: string): Json => ({ name, capability: 'work', on_failure: 'replan', max_retries: 0 });
    const world = given({
      steps: [
        { name: 'plan', planning: { target: 'end', replan: { ...defaultReplan, max: 1 } } },
        { name: 'end', type: 'deferred', after: ['plan'], ...quorum({ count: 2 }) },
      ],
      plans: { plan: [[...tasks('a'), fragile('b')]], 'plan~2': [tasks('c')] },
      breaks: ['plan.1/b'],
    });
    expect(rejected(world)).toEqual([]);
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: false });
  });
});

describe('a quorum that was missed', () => {
  it.each([
    [{ count: 3 }, '3'],
    [{ percent: 60 }, '2'],
    [undefined, '2'],
  ] as const)('with %o says how many branches succeeded and how many it needs', (min, wanted) => {
    const world = given({
      steps: [
        { name: 'a' },
        { name: 'b' },
        { name: 'c' },
        { name: 'end', type: 'deferred', after: ['a', 'b', 'c'], ...quorum(min) },
      ],
      plans: {},
      breaks: ['b', 'c'],
    });
    expect(world.state.steps.get('end')?.failure?.message).toMatch(
      `"end" needs ${wanted} of 3 branches (quorum), and 1 succeeded; first failure: b, it broke`,
    );
  });
});
