// The time limit of a step or a phase: its clock counts some waits and not others, and its end cuts off work.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import { elapsedAt } from '../../src/budget/clock.ts';
import type { RunBudget } from '../../src/budget/limits.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import { deadlines } from '../../src/engine/state/deadline.ts';
import { exhaustionText } from '../../src/engine/state/exhaustion.ts';
import { isWaiting } from '../../src/engine/state/waiting.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import { World } from '../../src/testing/world.ts';
import { type StepSketch, stepOf, templateOf } from './template-of.ts';

const done: EffectOutcome = good({ ok: true });
const broken: EffectOutcome = bad({ code: 'CAPABILITY_THREW', message: 'it broke', retry: 'may' });
const settled = { policy: 'all_settled', early: false, onExhaustion: 'converge' } as const;

const task = (name: string, more: JsonObject = {}): Json => ({ name, capability: 'work', ...more });
const within = (seconds: number): Pick<StepSketch, 'budget'> => ({ budget: { limit: {}, wallClock: seconds * 1_000 } });

/** One phase with a time of its own. */
const phase = (seconds: number, end: Partial<StepSketch> = {}): StepSketch[] => [
  { name: 'plan', planning: { target: 'end' }, ...within(seconds) },
  { name: 'end', type: 'deferred', capability: 'work', after: ['plan'], convergence: settled, ...end },
];

interface Given {
  readonly plans: Readonly<Record<string, readonly Json[]>>;
  readonly work?: (work: Work) => EffectOutcome | undefined;
  readonly budget?: Partial<RunBudget>;
}

/** A planning step that `plans` does not name gets an empty plan. */
function given(steps: readonly StepSketch[], { plans, work = () => done, budget = {} }: Given): World {
  return new World(templateOf({ steps, budget }), {
    perform: (asked) => {
      const plan = plans[asked.step];
      if (asked.type === 'call-capability' || plan === undefined) return work(asked);
      return good({ steps: [...plan] });
    },
  }).begin();
}

/** Attempts of these steps never return. */
const hanging =
  (...steps: string[]) =>
  ({ step, type }: Work): EffectOutcome | undefined =>
    steps.includes(step) ? undefined : type === 'ask-planner' ? good({ steps: [] }) : done;

function until(world: World, status: 'running' | 'retrying', step: string): World {
  while (!world.state[status].has(step)) if (!world.step()) throw new Error(`${step} is never ${status}`);
  return world;
}

function statusOf(world: World): Record<string, string> {
  return Object.fromEntries([...world.state.steps.values()].map(({ id, status, skipped }) => [id, skipped ?? status]));
}

/** The seconds that an account has used. */
function elapsed(world: World, account: string): number {
  const { clock } = present(world.state.ledger.accounts.get(account), `account ${account}`);
  return Math.floor(elapsedAt(present(clock, `clock of ${account}`), world.now) / 1_000);
}

const stopText = ({ state }: World): string => exhaustionText(present(state.stop, 'what stopped it'));

describe('the time of a phase', () => {
  it('ends that phase alone: running steps are aborted, others are cut, and its sibling continues', () => {
    const steps: StepSketch[] = [
      { name: 'left', planning: { target: 'end' }, ...within(10) },
      { name: 'right', planning: { target: 'end' } },
      { name: 'end', type: 'deferred', capability: 'work', after: ['left', 'right'], convergence: settled },
    ];
    const plans = {
      left: [task('a'), task('b', { depends_on: ['a'] })],
      right: [task('c'), task('d', { depends_on: ['c'] })],
    };
    const world = until(given(steps, { plans, work: hanging('left.1/a') }), 'running', 'left.1/a');
    world.now += 10_000;
    expect(world.tell({ type: 'expire' }).effects).toContainEqual({ type: 'abort', step: 'left.1/a', why: 'budget' });
    world.run();
    expect(statusOf(world)).toMatchObject({
      'left.1/a': 'budget',
      'left.1/b': 'budget',
      'right.1/c': 'completed',
      'right.1/d': 'completed',
      end: 'completed',
    });
    expect(stopText(world)).toBe('steps.left.budget.max_wall_clock_time: 10s of 10s used');
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: true });
  });

  it('wakes a driver before the longer time of the run', () => {
    const world = until(given(phase(10), { plans: { plan: [task('a')] } }), 'running', 'plan.1/a');
    const ends = deadlines(world.state, world.now).map(([{ id }, end]) => [id, Math.ceil((end - world.now) / 1_000)]);
    expect(ends).toEqual([
      ['run', 27 * 60],
      ['plan', 10],
    ]);
  });

  it('fails its target when the policy says so, and names the limit, whatever was exhausted before', () => {
    const steps: StepSketch[] = [
      { name: 'first', planning: { target: 'middle' }, budget: { limit: { tool_calls: 2 } } },
      { name: 'middle', type: 'deferred', after: ['first'], convergence: settled },
      { name: 'plan', after: ['middle'], planning: { target: 'end' }, ...within(10) },
      {
        name: 'end',
        type: 'deferred',
        after: ['plan'],
        convergence: { ...settled, onExhaustion: 'fail', policy: 'all_success' },
      },
    ];
    const plans = { first: [task('x'), task('y')], plan: [task('a')] };
    const world = until(given(steps, { plans, work: hanging('plan.1/a') }), 'running', 'first.1/x');
    world.crash();
    world.run();
    expect(statusOf(world)).toMatchObject({ middle: 'completed', end: 'failed' });
    expect(world.state.steps.get('end')?.failure).toMatchObject({
      code: 'BUDGET_EXCEEDED',
      message: 'steps.plan.budget.max_wall_clock_time: 10s of 10s used',
    });
    expect(stopText(world)).toMatch(/^steps\.first\.budget\.max_total_tool_calls/);
  });

  it('cuts a fan-out midway, which keeps its results so far', () => {
    const map: Json = { name: 'map', type: 'fan_out', for_each: [1, 2, 3], max_width: 3, do: { capability: 'work' } };
    const world = given(phase(10, { input: '{{ depends }}' }), {
      plans: { plan: [map] },
      work: hanging('plan.1/map/1'),
    }).run();
    expect(statusOf(world)).toMatchObject({
      'plan.1/map': 'budget',
      'plan.1/map/0': 'completed',
      'plan.1/map/1': 'budget',
      end: 'completed',
    });
    const kept = [{ status: 'completed', value: { ok: true } }, { reason: 'budget' }, { reason: 'budget' }];
    expect(world.state.steps.get('plan.1/map')?.result).toMatchObject({ value: kept });
  });

  it('lets nothing begin once it is over, not even steps that were ready before the expiry', () => {
    const plans = { plan: [task('a'), task('b', { depends_on: ['a'] })] };
    const world = until(given(phase(10), { plans }), 'running', 'plan.1/a');
    world.now += 10_000;
    world.tell({ type: 'settle', step: 'plan.1/a', attempt: 1, delivery: 1, input: null, outcome: done, chance: 0 });
    world.tell({ type: 'start-step', step: 'plan.1/b' });
    expect(statusOf(world)).toMatchObject({ 'plan.1/a': 'completed', 'plan.1/b': 'budget' });
    expect(world.run().state.ended).toMatchObject({ status: 'completed', partial: true });
  });
});

describe('nested phases', () => {
  const inner = (seconds: number): Json => ({
    name: 'inner',
    type: 'planning',
    goal: 'more',
    budget: { max_wall_clock_time: `${seconds}s` },
  });

  it('end the inner by its own limit while the outer continues, and count its time for both', () => {
    const plans = { plan: [inner(5), task('b')], 'plan.1/inner': [task('x'), task('y', { depends_on: ['x'] })] };
    const world = given(phase(20), { plans, work: hanging('plan.1/inner.1/x') }).run();
    expect(statusOf(world)).toMatchObject({
      'plan.1/inner.1/x': 'budget',
      'plan.1/inner.1/y': 'budget',
      'plan.1/b': 'completed',
      end: 'completed',
    });
    expect([elapsed(world, 'plan'), elapsed(world, 'plan.1/inner')]).toEqual([5, 5]);
    expect(stopText(world)).toMatch(/^steps\.plan\.1\/inner\.budget\.max_wall_clock_time: 5s/);
  });

  it('both end when the time of the outer is over', () => {
    const later = { ...(inner(15) as JsonObject), depends_on: ['slow'] };
    const plans = { plan: [task('slow'), later], 'plan.1/inner': [task('x')] };
    const hangs = hanging('plan.1/inner.1/x');
    const world: World = given(phase(20), {
      plans,
      work: (asked) => {
        if (asked.step === 'plan.1/slow') world.now += 10_000;
        return hangs(asked);
      },
    });
    expect(statusOf(world.run())).toMatchObject({ 'plan.1/inner.1/x': 'budget', end: 'completed' });
    expect(stopText(world)).toMatch(/^steps\.plan\.budget\.max_wall_clock_time: 20s/);
    expect([...world.state.exhausted.keys()]).toEqual(['plan']);
  });

  it('count the time of two attempts at once only once', () => {
    const plans = { plan: [task('a'), task('b')] };
    const world = until(until(given(phase(20), { plans }), 'running', 'plan.1/a'), 'running', 'plan.1/b');
    world.now += 7_000;
    expect(elapsed(world, 'plan')).toBe(7);
    expect(world.run().state.ended).toMatchObject({ status: 'completed', partial: false });
    expect(elapsed(world, 'plan')).toBe(7);
  });
});

describe('the clock of a phase', () => {
  const plans = { plan: [task('a')] };

  it('stands still before its first attempt', () => {
    const world = given(
      [{ name: 'before' }, ...phase(10).map((step) => (step.name === 'plan' ? { ...step, after: ['before'] } : step))],
      { plans },
    );
    until(world, 'running', 'before').now += 60_000;
    expect([elapsed(world, 'run'), elapsed(world, 'plan')]).toEqual([60, 0]);
    expect(world.run().state.ended).toMatchObject({ status: 'completed', partial: false });
  });

  it('stands still while the phase waits only for people', () => {
    const review: Json = { name: 'look', type: 'human_review', prompt: 'Well?', depends_on: ['a'] };
    const world = given(phase(10), { plans: { plan: [task('a'), review, task('b', { depends_on: ['look'] })] } }).run();
    expect(isWaiting(world.state)).toBe(true);
    world.now += 24 * 3_600_000;
    expect(world.tell({ type: 'expire' }).events).toEqual([]);
    world.tell({ type: 'review', gate: 'g1', verdict: 'approve', by: 'ada' });
    expect(world.run().state.ended).toMatchObject({ status: 'completed', partial: false });
    expect(elapsed(world, 'plan')).toBe(0);
  });

  it('runs while a step waits for its retry, and cuts the step', () => {
    const retry = { max_attempts: 3, backoff: 'none', base: '1m', max: '1m', jitter: 0 };
    const flaky = { plan: [task('a', { on_failure: 'retry', retry })] };
    const world = given(phase(10), { plans: flaky, work: ({ step }) => (step === 'end' ? done : broken) });
    until(world, 'retrying', 'plan.1/a').now += 4_000;
    expect(elapsed(world, 'plan')).toBe(4);
    world.run();
    expect(statusOf(world)).toMatchObject({ 'plan.1/a': 'budget', end: 'completed' });
    expect(world.performed.filter(({ step }) => step === 'plan.1/a')).toHaveLength(1);
    expect(elapsed(world, 'plan')).toBe(10);
  });

  it('stands still while the run is paused and nothing runs', () => {
    const retry = { max_attempts: 2, backoff: 'none', base: '5s', max: '5s', jitter: 0 };
    const flaky = { plan: [task('a', { on_failure: 'retry', retry })] };
    const work = ({ step, attempt }: Work): EffectOutcome => (step === 'end' || attempt > 1 ? done : broken);
    const world = until(given(phase(10), { plans: flaky, work }), 'retrying', 'plan.1/a');
    world.tell({ type: 'pause', by: 'ada' });
    world.now += 60_000;
    expect(world.tell({ type: 'expire' }).events).toEqual([]);
    world.tell({ type: 'resume', by: 'ada' });
    expect(elapsed(world, 'plan')).toBe(0);
    expect(world.run().state.ended).toMatchObject({ status: 'completed', partial: false });
  });

  it('stands still while nobody drives the run, and keeps its count', () => {
    const flaky = { plan: [task('a'), task('b', { depends_on: ['a'] })] };
    const world = until(given(phase(10), { plans: flaky }), 'running', 'plan.1/a');
    world.now += 4_000;
    world.tell({ type: 'pause', by: 'ada' });
    world.tell({ type: 'resume', by: 'ada' });
    world.crash(24 * 3_600_000);
    expect(elapsed(world, 'plan')).toBe(4);
    expect(world.run().state.ended).toMatchObject({ status: 'completed', partial: false });
  });

  it('runs for the repairs of its plan', () => {
    const failing = { plan: [task('a', { on_failure: 'replan' })] };
    const work = ({ type, step }: Work): EffectOutcome | undefined =>
      type === 'ask-planner' ? undefined : step === 'end' ? done : broken;
    const world = until(given(phase(10), { plans: failing, work }), 'running', 'plan~2');
    world.now += 3_000;
    expect(elapsed(world, 'plan')).toBe(3);
    world.run();
    expect(statusOf(world)).toMatchObject({ 'plan~2': 'budget', end: 'completed' });
    expect(elapsed(world, 'plan')).toBe(10);
    expect(stopText(world)).toMatch(/^steps\.plan\.budget\.max_wall_clock_time/);
  });
});

describe('the time of a single step', () => {
  it('ends its attempts and its retries, even if the run has time left', () => {
    const retry = { maxAttempts: 5, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;
    const steps: StepSketch[] = [
      { name: 'slow', ...within(10), timeout: 4_000, onFailure: 'retry', retry },
      { name: 'quick' },
    ];
    const world = given(steps, { plans: {}, work: hanging('slow') }).run();
    expect(statusOf(world)).toEqual({ slow: 'budget', quick: 'completed' });
    expect(world.performed.filter(({ step }) => step === 'slow')).toHaveLength(3);
    expect(world.state.ended).toMatchObject({
      status: 'failed',
      failure: {
        code: 'BUDGET_EXCEEDED',
        message: 'slow: steps.slow.budget.max_wall_clock_time: 10s of 10s used',
      },
    });
  });

  it('limits each item of a fan-out, or all of them together', () => {
    const mapping = (each: Partial<StepSketch>, all: Partial<StepSketch>): StepSketch[] => [
      {
        name: 'map',
        type: 'fan_out',
        fanOut: {
          do: stepOf({ name: 'map', ...each }),
          forEach: [1, 2],
          maxWidth: 2,
          failureStrategy: 'continue_on_failure',
        },
        ...all,
      },
    ];
    const both = (steps: readonly StepSketch[]): World =>
      given(steps, { plans: {}, work: hanging('map/0', 'map/1') }).run();
    const apart = both(mapping(within(10), {}));
    expect([elapsed(apart, 'map/0'), elapsed(apart, 'map/1')]).toEqual([10, 10]);
    expect([...both(mapping({}, within(10))).state.exhausted.keys()]).toEqual(['map']);
  });

  it('does not limit the landing set, which still runs when the time of the phases is over', () => {
    const steps = [...phase(500), { name: 'last', after: ['end'], ...within(500) }];
    const budget = { wallClock: 100_000, landingReserve: 10 };
    const plan = [task('a', { timeout: '1000s' })];
    const world = given(steps, { plans: { plan }, work: hanging('plan.1/a'), budget }).run();
    expect(statusOf(world)).toMatchObject({ 'plan.1/a': 'budget', end: 'completed', last: 'completed' });
  });
});

describe('a planner', () => {
  const steps: StepSketch[] = [
    { name: 'early', planning: { target: 'slow' } },
    { name: 'slow', type: 'deferred', capability: 'work', after: ['early'], onFailure: 'skip' },
    { name: 'late', after: ['slow'], planning: { target: 'end' }, ...within(60) },
    { name: 'end', type: 'deferred', after: ['late'] },
  ];
  const told = (wallClock: number) => {
    const world = given(steps, { plans: {}, work: hanging('slow'), budget: { wallClock } }).run();
    const asked = world.performed.flatMap((work) => (work.type === 'ask-planner' ? [work.brief] : []));
    const warned = world.events.filter(({ type }) => type === 'budget.warned');
    return { asked: asked.map(({ budget, converge }) => ({ time: budget.time ?? 0, converge })), warned };
  };

  it('is told the remaining time of its phase, the least of all phases around it', () => {
    const [early, late] = told(1_000_000).asked;
    expect(early?.time).toBeGreaterThan(899);
    expect(late?.time).toBe(60);
  });

  it('is asked to finish once most of the time is over, and that is reported once', () => {
    const { asked, warned } = told(36_000);
    expect(asked.map(({ converge }) => converge)).toEqual([false, true]);
    expect(asked[1]?.time).toBeLessThan(36_000 - 3_600 - 30_000);
    expect(warned).toMatchObject([{ account: 'run', resource: 'time', percent: 83 }]);
  });

  it('has time again when the time of the run is raised', () => {
    const world = given(steps, { plans: {}, work: hanging('slow'), budget: { wallClock: 36_000 } });
    until(world, 'running', 'late');
    expect(world.state.warned).toContain('run time');
    world.tell({ type: 'raise-budget', account: 'run', limit: {}, wallClock: 600_000, by: 'ada' });
    expect(world.state.warned).not.toContain('run time');
  });
});

describe('the time of a phase under on_exhaustion: ask', () => {
  const asking = phase(10, { convergence: { ...settled, onExhaustion: 'ask' } });
  const plans = { plan: [task('a'), task('b', { depends_on: ['a'] })] };

  function late(): World {
    const world = until(given(asking, { plans }), 'running', 'plan.1/a');
    world.now += 10_000;
    expect(world.tell({ type: 'expire' }).effects).toEqual([{ type: 'abort', step: 'plan.1/a', why: 'budget' }]);
    return world;
  }

  it('is a question about that limit, while time stands still', () => {
    const world = late().run();
    expect(world.state.gates.get('g1')).toMatchObject({
      kind: 'exhaustion',
      exhaustion: { account: 'plan', resource: 'time' },
    });
    world.now += 3_600_000;
    expect([world.step(), world.tell({ type: 'expire' }).events]).toEqual([false, []]);
    expect(elapsed(world, 'plan')).toBe(10);
  });

  it('continues when it is raised, by the answer or by an order', () => {
    const answered = late();
    const say = (limit: string) =>
      answered.tell({ type: 'review', gate: 'g1', verdict: 'answer', value: { answer: 'raise', limit }, by: 'ada' });
    expect(say('9s').refused).toMatchObject({ code: 'BUDGET_NOT_RAISED' });
    expect(say('20s').refused).toBeUndefined();
    expect(answered.run().state.ended).toMatchObject({ status: 'completed', partial: false });

    const ordered = late();
    ordered.tell({ type: 'raise-budget', account: 'plan', limit: {}, wallClock: 20_000, by: 'ada' });
    expect(ordered.state.openGates.size).toBe(0);
    expect(ordered.run().state.ended).toMatchObject({ status: 'completed', partial: false });
    expect(elapsed(ordered, 'plan')).toBe(10);
  });

  it('lets the phase converge with its results so far when people say so', () => {
    const world = late();
    world.tell({ type: 'review', gate: 'g1', verdict: 'approve', by: 'ada' });
    expect(statusOf(world.run())).toMatchObject({ 'plan.1/a': 'budget', 'plan.1/b': 'budget', end: 'completed' });
  });
});
