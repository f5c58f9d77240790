// A step's life: readiness by counters, retries with backoff, checks of results, and the effect of a failure on dependents.

import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import { World } from '../../src/testing/world.ts';
import { type StepSketch, templateOf, work } from './template-of.ts';

const done = (value: Json = { ok: true }): EffectOutcome => good(value);
const failed = (message = 'it broke', retry: 'may' | 'never' = 'may'): EffectOutcome =>
  bad({ code: 'CAPABILITY_THREW', message, retry });

function statuses(world: World): Record<string, string> {
  return Object.fromEntries(
    [...world.state.steps].map(([id, { status, skipped }]) => [
      id,
      skipped === undefined ? status : `${status}(${skipped})`,
    ]),
  );
}

const lisp = ($lisp: string) => ({ $lisp });
const once = { maxAttempts: 1, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;

describe('readiness', () => {
  it('starts a step when all its dependencies have ended, and not before', () => {
    const order: string[] = [];
    const template = templateOf({
      steps: [{ name: 'a' }, { name: 'b' }, { name: 'c', after: ['a', 'b'] }, { name: 'd', after: ['c'] }],
    });
    const world = new World(template, {
      perform: ({ step }) => {
        order.push(step);
        return done();
      },
      choose: (n) => n - 1,
    });
    world.begin().run();
    expect(order).toEqual(['b', 'a', 'c', 'd']);
    expect(world.state.ended).toMatchObject({
      status: 'completed',
      partial: false,
      output: { value: { d: { ok: true } } },
    });
  });

  it('costs a trivial step two events', () => {
    const world = new World(templateOf({ steps: [{ name: 'a' }] }), { perform: () => done() });
    world.begin().run();
    expect(world.events.map(({ type }) => type)).toEqual([
      'run.started',
      'attempt.started',
      'step.completed',
      'run.ended',
    ]);
  });

  it('gives a step the results it refers to, whatever their size', () => {
    const seen: Json[] = [];
    const long = 'x'.repeat(5_000);
    const template = templateOf({
      steps: [
        { name: 'a' },
        {
          name: 'b',
          after: ['a'],
          input: { text: '{{ results.a.text }}', note: 'of {{ input.who }}: {{ results.a.n }}' },
        },
      ],
    });
    const world = new World(template, {
      input: { who: 'Ada' },
      perform: ({ step, input }) => {
        if (step === 'b') seen.push(input);
        return done({ text: long, n: 7 });
      },
    });
    world.begin().run();
    expect(seen).toEqual([{ text: long, note: 'of Ada: 7' }]);
    expect(JSON.stringify(world.journal)).not.toContain(long);
  });

  it('fails a step with an unresolved reference, and names the reference', () => {
    const template = templateOf({
      steps: [{ name: 'a' }, { name: 'b', after: ['a'], input: { x: '{{ results.a.missing }}' } }],
    });
    const world = new World(template, { perform: () => done() }).begin().run();
    expect(world.state.steps.get('b')?.failure).toMatchObject({
      code: 'REFERENCE_UNRESOLVED',
      message: expect.stringContaining('results.a.missing'),
    });
  });
});

describe('a condition', () => {
  const template = templateOf({
    steps: [
      { name: 'a' },
      { name: 'b', after: ['a'], when: lisp('(> (get-in data/results ["a" "n"]) 3)') },
      { name: 'c', after: ['b'], input: { b: '{{ results.b }}' } },
    ],
  });

  it('that does not hold skips the step, and its dependents see null', () => {
    const world = new World(template, { perform: () => done({ n: 1 }) }).begin().run();
    expect(statuses(world)).toEqual({ a: 'completed', b: 'skipped(when_false)', c: 'completed' });
    expect(world.performed.at(-1)?.input).toEqual({ b: null });
  });

  it('that cannot be evaluated fails the step', () => {
    const world = new World(template, { perform: () => done({ n: 'many' }) }).begin().run();
    expect(statuses(world)).toEqual({ a: 'completed', b: 'failed', c: 'skipped(upstream)' });
  });
});

describe('a failure', () => {
  it('stops the dependents of the step and nothing else', () => {
    const template = templateOf({
      steps: [
        { name: 'a' },
        { name: 'b', after: ['a'] },
        { name: 'c', after: ['b'] },
        { name: 'other' },
        { name: 'more', after: ['other'] },
      ],
    });
    const world = new World(template, { perform: ({ step }) => (step === 'a' ? failed() : done()) }).begin().run();
    expect(statuses(world)).toEqual({
      a: 'failed',
      b: 'skipped(upstream)',
      c: 'skipped(upstream)',
      other: 'completed',
      more: 'completed',
    });
    expect(world.state.steps.get('c')?.root).toBe('a');
    expect(world.state.ended).toMatchObject({
      status: 'failed',
      failure: { code: 'CAPABILITY_THREW', message: expect.stringContaining('a ended') },
    });
  });

  it.each([
    ['stop', true, 'failed'],
    ['stop', false, 'skipped(tolerated)'],
    ['skip', true, 'skipped(tolerated)'],
    ['skip', false, 'skipped(tolerated)'],
    ['retry', true, 'failed'],
    ['retry', false, 'skipped(tolerated)'],
  ] as const)('with on_failure %s, critical %s, ends %s', (onFailure, critical, end) => {
    const template = templateOf({
      steps: [
        { name: 'a', onFailure, critical },
        { name: 'b', after: ['a'] },
      ],
    });
    const world = new World(template, { perform: ({ step }) => (step === 'a' ? failed() : done()) }).begin().run();
    expect(statuses(world)).toEqual({ a: end, b: end === 'failed' ? 'skipped(upstream)' : 'completed' });
  });

  it('under fail_fast lets nothing new begin', () => {
    const template = templateOf({ failFast: true, steps: [{ name: 'b' }, { name: 'c', after: ['b'] }, { name: 'a' }] });
    const world = new World(template, { perform: ({ step }) => (step === 'a' ? failed() : done()) }).begin();
    world.tell({ type: 'start-step', step: 'a' });
    world.tell({ type: 'start-step', step: 'b' });
    world.run();
    expect(statuses(world)).toEqual({ a: 'failed', b: 'completed', c: 'cancelled' });
    expect(world.state.ended).toMatchObject({
      status: 'failed',
      failure: { code: 'CAPABILITY_THREW', message: 'c did not run because a ended: it broke' },
    });
  });

  it('under fail_fast prevents retries, and drops a plan that was being made', () => {
    const again = {
      onFailure: 'retry',
      retry: { maxAttempts: 3, backoff: 'none', base: 0, max: 0, jitter: 0 },
    } as const;
    const steps: StepSketch[] = [
      { name: 'plan', planning: { target: 'end' } },
      { name: 'b', ...again },
      { name: 'a' },
      { name: 'end', type: 'deferred', after: ['plan'] },
    ];
    const world = new World(templateOf({ failFast: true, steps }), {
      perform: ({ type }) => (type === 'ask-planner' ? done({ steps: [{ name: 'x', capability: 'work' }] }) : failed()),
      choose: (n) => n - 1,
    }).begin();
    for (const step of ['plan', 'b', 'a']) world.tell({ type: 'start-step', step });
    world.run();
    expect(world.performed.map(({ step, attempt }) => [step, attempt])).toEqual([
      ['a', 1],
      ['b', 1],
      ['plan', 1],
    ]);
    expect(statuses(world)).toMatchObject({ a: 'failed', b: 'cancelled', plan: 'completed', 'plan.1/x': 'cancelled' });
    expect(world.state.ended?.failure?.message).toContain('because a ended');
  });
});

describe('a retry', () => {
  const retry = { maxAttempts: 3, backoff: 'exponential', base: 1_000, max: 60_000, jitter: 0 } as const;

  it('is a second attempt, after a delay that grows', () => {
    let calls = 0;
    const world = new World(templateOf({ steps: [{ name: 'a', onFailure: 'retry', retry }] }), {
      perform: () => (++calls < 3 ? failed() : done()),
    });
    world.begin().run();
    const delays = world.journal.flatMap(({ at, event }) =>
      event.type === 'attempt.failed' ? [event.retryAt - at] : [],
    );
    expect(world.performed.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(delays).toEqual([1_000, 2_000]);
    expect(statuses(world)).toEqual({ a: 'completed' });
  });

  it('is not made for a failure that would only repeat', () => {
    const world = new World(templateOf({ steps: [{ name: 'a', onFailure: 'retry', retry }] }), {
      perform: () => failed('no', 'never'),
    });
    expect(world.begin().run().performed).toHaveLength(1);
  });

  it('is not made for a compute step, which would fail the same way', () => {
    const wrong = { type: 'compute' as const, expr: lisp('"three"'), output: { type: 'integer' } };
    const retry = { maxAttempts: 2, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;
    const template = templateOf({ steps: [{ name: 'count', ...wrong, onFailure: 'retry', retry }] });
    const world = new World(template, { perform: () => done() }).begin().run(100);
    expect(world.state.steps.get('count')?.failure?.code).toBe('OUTPUT_INVALID');
    expect(world.events.filter(({ type }) => type === 'attempt.failed')).toEqual([]);
  });

  it('waits as long as the server asked', () => {
    let calls = 0;
    const busy: EffectOutcome = bad({ code: 'HTTP_BUSY', message: 'busy', retry: 'may', retryAfter: 7_500 });
    const world = new World(templateOf({ steps: [{ name: 'a', onFailure: 'retry', retry }] }), {
      perform: () => (++calls < 2 ? busy : done()),
    });
    world.begin().run();
    const failure = world.journal.find(({ event }) => event.type === 'attempt.failed');
    expect(failure?.event).toMatchObject({ retryAt: (failure?.at ?? 0) + 7_500 });
  });

  it('has a new key after an answer, and the same key when none came', () => {
    const keysFor = (first: EffectOutcome | undefined): (string | undefined)[] => {
      let calls = 0;
      const world = new World(templateOf({ steps: [{ name: 'a', onFailure: 'retry', retry }] }), {
        perform: () => (++calls < 2 ? first : done()),
      });
      return world
        .begin()
        .run()
        .performed.map((each) => each.key);
    };
    expect(keysFor(failed())).toEqual(['r1/a#1', 'r1/a#2']);
    expect(keysFor(undefined)).toEqual(['r1/a#1', 'r1/a#1']);
  });

  it('keeps the key of a call with side effects', () => {
    const pay: Declaration = { ...work, name: 'pay', effects: ['write'] };
    const template = templateOf({
      capabilities: [pay],
      steps: ['a', 'b'].map((name) => ({
        name,
        capability: 'pay',
        input: { to: 'Ada' },
        onFailure: 'retry' as const,
        retry,
      })),
    });
    let calls = 0;
    const world = new World(template, { perform: () => (++calls === 1 ? failed() : done()) }).begin().run();
    const keys = new Map(world.performed.map(({ step, attempt, key }) => [`${step}#${attempt}`, key]));
    expect(keys.get('a#2')).toBe(keys.get('a#1'));
    expect(keys.get('b#1')).not.toBe(keys.get('a#1'));
    expect(keys.get('b#1')?.endsWith('/2')).toBe(true);
  });
});

describe('a result', () => {
  const output = { type: 'object', required: ['price'], properties: { price: { type: 'number' } } };

  it('that breaks its contract is a failure', () => {
    const world = new World(templateOf({ steps: [{ name: 'a', output }] }), { perform: () => done({ cost: 1 }) })
      .begin()
      .run();
    expect(world.state.steps.get('a')?.failure).toMatchObject({
      code: 'OUTPUT_INVALID',
      message: expect.stringContaining('price'),
    });
  });

  it('that breaks its contract is kept with its issues, and shown to the next attempt', () => {
    const steps = [{ name: 'a', output, onFailure: 'retry', retry: { ...once, maxAttempts: 2 } }] as const;
    const world = new World(templateOf({ steps }), { perform: () => done({ cost: 1 }) }).begin().run();
    expect(world.events.filter(({ type }) => type === 'verification.failed')).toMatchObject([
      { step: 'a', attempt: 1, diagnosis: expect.stringContaining('price'), value: { value: { cost: 1 } } },
      { step: 'a', attempt: 2 },
    ]);
    const [, again] = world.performed;
    expect(again?.type === 'call-capability' && again.feedback).toContain('price');
  });

  it('that breaks its contract is not kept when it exceeds the size limit', () => {
    const template = { ...templateOf({ steps: [{ name: 'a', output }] }), limits: { lisp: {}, resultBytes: 10 } };
    const world = new World(template, { perform: () => done({ cost: 'a great deal' }) }).begin().run();
    expect(world.state.steps.get('a')?.failure?.code).toBe('OUTPUT_INVALID');
    expect(world.events.map(({ type }) => type)).not.toContain('verification.failed');
  });

  it('is coerced when nothing is lost, and the record says so', () => {
    const world = new World(templateOf({ steps: [{ name: 'a', output }] }), { perform: () => done({ price: '12.5' }) })
      .begin()
      .run();
    expect(world.events.find(({ type }) => type === 'step.completed')).toMatchObject({
      value: { value: { price: 12.5 } },
      coerced: ['price'],
    });
  });

  it('that is too large fails the step and stays out of the journal', () => {
    const template = { ...templateOf({ steps: [{ name: 'a' }] }), limits: { lisp: {}, resultBytes: 100 } };
    const world = new World(template, { perform: () => done('x'.repeat(200)) }).begin().run();
    expect(world.state.steps.get('a')?.failure?.code).toBe('RESULT_TOO_LARGE');
  });
});

describe('verification', () => {
  const verification = lisp(
    '(if (> (get data/result "n") (get data/input "least")) true (str "only " (get data/result "n")))',
  );
  const input = { least: 3 };

  it('is recorded when it passes', () => {
    const world = new World(templateOf({ steps: [{ name: 'a', input, verification }] }), {
      perform: () => done({ n: 4 }),
    })
      .begin()
      .run();
    expect(world.events.find(({ type }) => type === 'step.completed')).toMatchObject({ verified: true });
  });

  it.each([
    ['stop', 'failed'],
    ['skip', 'skipped(tolerated)'],
  ] as const)('that fails with %s ends %s, with its diagnosis', (onVerificationFailure, end) => {
    const world = new World(templateOf({ steps: [{ name: 'a', input, verification, onVerificationFailure }] }), {
      perform: () => done({ n: 2 }),
    })
      .begin()
      .run();
    expect(statuses(world)).toEqual({ a: end });
    expect(world.state.steps.get('a')?.failure).toMatchObject({ code: 'VERIFICATION_FAILED', message: 'only 2' });
  });

  it('runs the step again and tells it why when it fails under retry', () => {
    let n = 2;
    const retry = { maxAttempts: 3, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;
    const template = templateOf({ steps: [{ name: 'a', input, verification, onVerificationFailure: 'retry', retry }] });
    const world = new World(template, { perform: () => done({ n: n++ }) }).begin().run();
    const feedback = world.performed.map((each: Work) => (each.type === 'call-capability' ? each.feedback : undefined));
    expect(feedback).toEqual([undefined, 'only 2', 'only 3']);
    expect(statuses(world)).toEqual({ a: 'completed' });
  });

  it('does not let a missing price pass', () => {
    const price = lisp('(> (get data/result "price") 0)');
    const world = new World(templateOf({ steps: [{ name: 'a', verification: price }] }), { perform: () => done({}) })
      .begin()
      .run();
    expect(world.state.steps.get('a')?.failure?.code).toBe('VERIFICATION_ERROR');
  });

  it('passes on any truthy value that is not a text', () => {
    const found = lisp('(and (map? data/result) (get data/result "n"))');
    const world = new World(templateOf({ steps: [{ name: 'a', verification: found }] }), {
      perform: () => done({ n: 5 }),
    })
      .begin()
      .run();
    expect(statuses(world)).toEqual({ a: 'completed' });
  });

  it('is not tried again when the predicate itself is wrong', () => {
    const retry = { maxAttempts: 3, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;
    const template = templateOf({
      steps: [
        { name: 'a', verification: lisp('(+ 1 nil)'), onVerificationFailure: 'retry', onFailure: 'retry', retry },
      ],
    });
    const world = new World(template, { perform: () => done() }).begin().run();
    expect(world.performed).toHaveLength(1);
  });
});

describe('an outcome', () => {
  it('that comes twice changes nothing', () => {
    const world = new World(templateOf({ steps: [{ name: 'a' }, { name: 'b', after: ['a'] }] }), {
      perform: () => done(),
    }).begin();
    world.tell({ type: 'start-step', step: 'a' });
    const outcome = {
      type: 'settle',
      step: 'a',
      attempt: 1,
      delivery: 1,
      input: {},
      outcome: done(),
      chance: 0,
    } as const;
    expect(world.tell(outcome).events).toHaveLength(1);
    expect(world.tell(outcome).events).toHaveLength(0);
  });
});

describe('a compute step', () => {
  it('evaluates over its references and costs no attempt', () => {
    const template = templateOf({
      steps: [
        { name: 'a' },
        {
          name: 'sum',
          type: 'compute',
          after: ['a'],
          expr: lisp('(reduce + (get data/results "a"))'),
        },
      ],
      output: '{{ results.sum }}',
    });
    const world = new World(template, { perform: () => done([1, 2, 3]) }).begin().run();
    expect(world.state.ended?.output).toEqual({ value: 6 });
    expect(world.performed.map(({ step }) => step)).toEqual(['a']);
  });
});
