// Finished work is kept by content: a repair, or a run that reuses another, takes over results instead of repeating calls.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import { finishedWorkOf } from '../../src/engine/repair/finished-calls.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import { World } from '../../src/testing/world.ts';
import { type StepSketch, templateOf, work } from './template-of.ts';

const done = (value: Json = { ok: true }): EffectOutcome => good(value);
const broken: EffectOutcome = bad({ code: 'CAPABILITY_THREW', message: 'it broke', retry: 'never' });

const task = (name: string, input: Json, more: JsonObject = {}): JsonObject => ({
  name,
  capability: 'work',
  input,
  ...more,
});
const fragile = (name: string, more: JsonObject = {}): JsonObject =>
  task(name, { of: name }, { on_failure: 'replan', max_retries: 0, ...more });
const plan = (...steps: Json[]): EffectOutcome => done({ rationale: 'because', steps });

const frame: readonly StepSketch[] = [
  { name: 'plan', planning: { target: 'end' } },
  { name: 'end', type: 'deferred', after: ['plan'] },
];

const pay: Declaration = { ...work, name: 'pay', effects: ['write'], repeat: 'keyed' };

interface Setting {
  readonly plans: Readonly<Record<string, EffectOutcome>>;
  readonly breaks?: readonly string[];
  readonly perform?: (work: Work) => EffectOutcome | undefined;
}

function given({ plans, breaks = ['plan.1/b'], perform }: Setting): World {
  return new World(templateOf({ steps: frame, capabilities: [work, pay] }), {
    perform: (work) =>
      work.type === 'ask-planner'
        ? present(plans[work.step], work.step)
        : breaks.includes(work.step)
          ? broken
          : perform === undefined
            ? done({ by: work.step })
            : perform(work),
  }).begin();
}

const called = (world: World) =>
  world.performed.flatMap(({ type, step }) => (type === 'call-capability' ? [step] : []));
const adopted = (world: World) => world.events.flatMap((event) => (event.type === 'step.adopted' ? [event] : []));
const statusOf = (world: World, id: string) => world.state.steps.get(id)?.status;
const convergenceOf = (world: World) => present(world.state.steps.get('end')?.convergence, 'end').convergence;

describe('a step of a repair', () => {
  it('adopts the result of an equal call in its phase, under any name, and counts it once', () => {
    const world = given({
      plans: {
        plan: plan(task('a', { path: 'x' }), fragile('b')),
        'plan~2': plan(task('renamed', { path: 'x' }), task('c', { from: '{{ results.renamed.by }}' })),
      },
    }).run();
    expect(called(world)).toEqual(['plan.1/a', 'plan.1/b', 'plan~2.1/c']);
    expect(adopted(world)).toMatchObject([
      { step: 'plan~2.1/renamed', from: 'plan.1/a', value: { value: { by: 'plan.1/a' } } },
    ]);
    expect(world.performed.at(-1)?.input).toEqual({ from: 'plan.1/a' });
    expect(convergenceOf(world)).toMatchObject({ expected: 1, succeeded: 1 });
    expect(world.state.ledger.accounts.get('run')?.spent.tool_calls).toBe(3);
  });

  it('is shown to the target once, as the step that adopted the result', () => {
    const end: StepSketch = { name: 'end', type: 'deferred', after: ['plan'], input: '{{ depends }}' };
    const world = new World(templateOf({ steps: [present(frame[0], 'plan'), end] }), {
      perform: ({ type, step }) => {
        if (type === 'call-capability') return step === 'plan.1/b' ? broken : done(7);
        return step === 'plan' ? plan(task('a', 1), fragile('b')) : plan(task('a', 1));
      },
    });
    world.begin().run();
    expect(world.state.steps.get('end')?.result).toEqual({ value: { 'plan~2.1/a': 7 } });
  });

  it('runs when it keeps its name but has another input', () => {
    const world = given({
      plans: { plan: plan(task('a', { path: 'x' }), fragile('b')), 'plan~2': plan(task('a', { path: 'y' })) },
    }).run();
    expect(called(world)).toEqual(['plan.1/a', 'plan.1/b', 'plan~2.1/a']);
  });

  it.each([
    ['has fresh: true', { fresh: true }],
    ['has another contract', { output: { type: 'object', required: ['by'] } }],
    ['has a predicate that does not pass', { verification: '(= "other" (:by data/result))' }],
  ])('runs when it %s', (_, more) => {
    const world = given({
      plans: { plan: plan(task('a', { path: 'x' }), fragile('b')), 'plan~2': plan(task('a', { path: 'x' }, more)) },
    }).run();
    expect(called(world)).toContain('plan~2.1/a');
    expect(adopted(world)).toEqual([]);
  });

  it('verifies an adopted result of any size', () => {
    const world = given({
      plans: {
        plan: plan(task('a', { path: 'x' }), fragile('b')),
        'plan~2': plan(task('a', { path: 'x' }, { verification: '(= 5000 (count data/result))' })),
      },
      perform: () => done('x'.repeat(5_000)),
    }).run();
    expect(adopted(world)).toMatchObject([{ from: 'plan.1/a', value: { bytes: 5_002 } }]);
  });

  it('adopts each result once: the second of two equal calls runs', () => {
    const world = given({
      plans: {
        plan: plan(task('a', { path: 'x' }), fragile('b')),
        'plan~2': plan(task('first', { path: 'x' }), task('second', { path: 'x' })),
      },
    }).run();
    expect(adopted(world)).toMatchObject([{ step: 'plan~2.1/first' }]);
    expect(called(world)).toEqual(['plan.1/a', 'plan.1/b', 'plan~2.1/second']);
  });

  it('adopts a result that an earlier repair adopted', () => {
    const world = given({
      plans: {
        plan: plan(task('a', { path: 'x' }), fragile('b')),
        'plan~2': plan(task('a', { path: 'x' }), fragile('c')),
        'plan~3': plan(task('a', { path: 'x' })),
      },
      breaks: ['plan.1/b', 'plan~2.1/c'],
    }).run();
    expect(adopted(world)).toMatchObject([
      { step: 'plan~2.1/a', from: 'plan.1/a' },
      { step: 'plan~3.1/a', from: 'plan~2.1/a' },
    ]);
    expect(convergenceOf(world)).toMatchObject({ expected: 1, succeeded: 1 });
  });
});

describe('a call that changes the world', () => {
  const payment = (name: string, more: JsonObject = {}): JsonObject => ({
    name,
    capability: 'pay',
    input: { amount: 5 },
    on_failure: 'replan',
    max_retries: 0,
    ...more,
  });
  const keys = (world: World) =>
    world.performed.flatMap((each) => (each.type === 'call-capability' && each.capability === 'pay' ? [each.key] : []));

  it('is not repeated by a repair', () => {
    const world = given({ plans: { plan: plan(payment('a'), fragile('b')), 'plan~2': plan(payment('again')) } }).run();
    expect(keys(world)).toHaveLength(1);
    expect(statusOf(world, 'plan~2.1/again')).toBe('completed');
  });

  it('keeps its key across a crash and a repair when its outcome is unknown', () => {
    const world = given({
      plans: { plan: plan(payment('a', { max_deliveries: 2 })), 'plan~2': plan(payment('a', { timeout: '60s' })) },
      breaks: [],
    });
    while (!world.state.running.has('plan.1/a')) world.step();
    const key = world.state.steps.get('plan.1/a')?.key;
    // The process dies twice, each time after the payment and before its outcome is recorded.
    world.crash();
    world.crash();
    expect(world.state.steps.get('plan.1/a')).toMatchObject({ status: 'failed', failure: { code: 'WORKER_LOST' } });
    world.run();
    expect(keys(world)).toEqual([key]);
    expect(statusOf(world, 'plan~2.1/a')).toBe('completed');
  });

  it('has another key when a repair makes it a second time', () => {
    const world = given({
      plans: {
        plan: plan(payment('a')),
        'plan~2': plan(payment('first', { timeout: '60s' }), payment('second', { timeout: '60s' })),
      },
      breaks: ['plan.1/a'],
    }).run();
    const [tried, first, second] = keys(world);
    expect(first).toBe(tried);
    expect(second).not.toBe(tried);
  });
});

describe('a run that reuses another', () => {
  const steps: StepSketch[] = [
    { name: 'read', input: { path: 'x' } },
    { name: 'count', after: ['read'], input: { of: '{{ results.read.by }}' } },
  ];
  const perform = ({ step }: Work): EffectOutcome => done({ by: step });

  const first = (how: (work: Work) => EffectOutcome = perform): World =>
    new World(templateOf({ steps }), { perform: how }).begin().run();
  const again = (before: World, of: readonly StepSketch[] = steps): World =>
    new World(templateOf({ steps: of }), { perform }).begin(before).run();

  it('adopts equal calls by content, also from authored steps', () => {
    const second = again(first());
    expect(called(second)).toEqual([]);
    expect(adopted(second)).toMatchObject([
      { step: 'read', from: 'read', run: 'r0' },
      { step: 'count', from: 'count', run: 'r0' },
    ]);
    expect(second.state.ended?.status).toBe('completed');
  });

  it('runs changed steps, and steps that depend on a changed value', () => {
    const changed = [{ name: 'read', input: { path: 'y' } }, present(steps[1], 'count')];
    expect(called(again(first(), changed))).toEqual(['read']);
    const renamed = [
      { name: 'look', input: { path: 'y' } },
      { name: 'count', after: ['look'], input: { of: '{{ results.look.by }}' } },
    ];
    expect(called(again(first(), renamed))).toEqual(['look', 'count']);
  });

  it('adopts nothing from a run without completed steps', () => {
    const failed = first(() => broken);
    expect(finishedWorkOf(failed.state)).toEqual([]);
    expect(called(again(failed))).toEqual(['read', 'count']);
  });

  it('folds to the same state from its journal', () => {
    const second = again(first());
    const folded = World.over(second.template, { perform }, second.journal, second.blobs);
    expect([...folded.state.reused]).toEqual(['r0/read', 'r0/count']);
  });
});
