// A synthesis gate holds the results of its dependencies side by side, shrunk to its allowance, and is a checkpoint.

import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import { estimateTokens } from '../../src/context/tokens.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import { valueIn } from '../../src/engine/record/stored-value.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import { World } from '../../src/testing/world.ts';
import { type StepSketch, stepOf, templateOf } from './template-of.ts';

const done = (value: Json = { ok: true }): EffectOutcome => good(value);
const failed: EffectOutcome = bad({ code: 'CAPABILITY_THREW', message: 'bad luck', retry: 'never' });

const rows = (n: number): Json => Array.from({ length: n }, (_, i) => ({ id: i, total: i * 3, note: `row ${i}` }));

/** `gate` depends on `orders` and `notes`, but not on `aside`; `end` depends on `gate`. */
function frame(gate: Partial<StepSketch> = {}, notes: Partial<StepSketch> = {}): StepSketch[] {
  return [
    { name: 'orders' },
    { name: 'notes', ...notes },
    { name: 'aside' },
    { name: 'gate', type: 'synthesis_gate', after: ['orders', 'notes'], ...gate },
    { name: 'end', after: ['gate'] },
  ];
}

function run(
  steps: readonly StepSketch[],
  perform: (work: Work) => EffectOutcome = ({ step }) => done({ from: step }),
): World {
  return new World(templateOf({ steps }), { perform }).begin().run();
}

function resultOf({ state, blobs }: World, id: string): JsonObject {
  const result = state.steps.get(id)?.result;
  return ((result && valueIn(result, blobs)) ?? {}) as JsonObject;
}

const status = ({ state }: World, id: string) => state.steps.get(id)?.skipped ?? state.steps.get(id)?.status;

const completed = ({ events }: World, id: string) =>
  events.find((event) => event.type === 'step.completed' && event.step === id);

describe('a synthesis gate', () => {
  it('shows small results of its dependencies in full, and counts their tokens', () => {
    const world = run(frame());
    const tokens = expect.any(Number);
    expect(resultOf(world, 'gate')).toEqual({
      results: { orders: { from: 'orders' }, notes: { from: 'notes' } },
      ...{ expected: 2, succeeded: 2, failed: [], tolerated: [], skipped: [], partial: false, reason: 'all_success' },
      by_phase: { frame: { expected: 2, succeeded: 2, failed: 0 } },
      receipt: [],
      tokens: { in: tokens, out: tokens },
    });
    expect(completed(world, 'gate')).toMatchObject({ tokens: resultOf(world, 'gate').tokens });
    expect(resultOf(world, 'gate').tokens).toMatchObject({ out: (resultOf(world, 'gate').tokens as JsonObject).in });
    expect(world.performed.map(({ step }) => step)).not.toContain('gate');
  });

  it('shrinks large results by their contracts to its allowance, always in the same way', () => {
    const output = {
      type: 'array',
      items: { type: 'object', properties: { total: { type: 'number', 'x-keep': true } } },
    };
    const steps = frame({ context: { maxTokens: 300 } }).map((step) =>
      step.name === 'orders' ? { ...step, output } : step,
    );
    const perform = ({ step }: Work) => done(step === 'orders' ? rows(2_000) : { from: step });
    const [first, second] = [run(steps, perform), run(steps, perform)];
    const { results, receipt, tokens } = resultOf(first, 'gate');
    expect(results).toMatchObject({ orders: { $count: 2_000 }, notes: { from: 'notes' } });
    expect(receipt).toMatchObject([{ step: 'orders', shown: 'shrunk' }]);
    const { tokens: _, ...shown } = resultOf(first, 'gate');
    expect(estimateTokens(JSON.stringify(shown))).toBeLessThanOrEqual(300);
    expect((tokens as JsonObject).in).toBeGreaterThan(10_000);
    expect((tokens as JsonObject).out).toBeLessThanOrEqual(300);
    expect(resultOf(second, 'gate')).toEqual(resultOf(first, 'gate'));
  });

  it('never shows what the contract of an item of a fan-out hides', () => {
    const output = { type: 'object', properties: { key: { type: 'string', 'x-elide': true }, n: { type: 'integer' } } };
    for (const failureStrategy of ['fail_fast', 'continue_on_failure'] as const) {
      const steps: StepSketch[] = [
        {
          name: 'map',
          type: 'fan_out',
          fanOut: { do: stepOf({ name: 'map', output }), forEach: [1, 2], maxWidth: 2, failureStrategy },
        },
        { name: 'gate', type: 'synthesis_gate', after: ['map'] },
      ];
      const text = JSON.stringify(
        resultOf(
          run(steps, () => done({ key: 'secret', n: 7 })),
          'gate',
        ),
      );
      expect(text).toContain('"n":7');
      expect(text).not.toContain('secret');
    }
  });

  it('names the dependencies without a result', () => {
    const tolerated = run(frame({}, { critical: false }), ({ step }) =>
      step === 'notes' ? failed : done({ from: step }),
    );
    expect(resultOf(tolerated, 'gate')).toMatchObject({
      results: { orders: { from: 'orders' } },
      tolerated: [{ step: 'notes', code: 'CAPABILITY_THREW', message: 'bad luck' }],
    });
    const unwanted = run(frame({}, { when: { $lisp: 'false' } }));
    expect(resultOf(unwanted, 'gate').skipped).toEqual([{ step: 'notes', reason: 'when_false' }]);
  });

  it('fails when not even an outline fits its allowance', () => {
    const world = run(frame({ context: { maxTokens: 20 } }), ({ step }) =>
      done(step === 'notes' ? rows(50) : rows(90)),
    );
    expect(world.state.steps.get('gate')?.failure).toMatchObject({ code: 'CONTEXT_OVER_ALLOWANCE' });
  });

  it('at the end of a phase shows the results of the phase, and names its failures', () => {
    const steps: StepSketch[] = [
      { name: 'plan', planning: { target: 'gate' } },
      {
        name: 'gate',
        type: 'synthesis_gate',
        after: ['plan'],
        convergence: { policy: 'all_settled', early: false, onExhaustion: 'converge' },
      },
    ];
    const world = run(steps, ({ type, step }) => {
      if (type === 'ask-planner') return done({ steps: ['a', 'b'].map((name) => ({ name, capability: 'work' })) });
      return step === 'plan.1/b' ? failed : done({ from: step });
    });
    expect(resultOf(world, 'gate')).toMatchObject({
      results: { 'plan.1/a': { from: 'plan.1/a' } },
      failed: [{ step: 'plan.1/b', root: 'plan.1/b', code: 'CAPABILITY_THREW', message: 'bad luck' }],
    });
  });
});

describe('a synthesis gate with a capability', () => {
  const gate: Partial<StepSketch> = { capability: 'work' };

  it('passes the results and the absent dependencies to the capability, and counts tokens in and out', () => {
    const world = run(frame(gate, { when: { $lisp: 'false' } }), ({ step }) => done({ from: step }));
    const call = world.performed.find(({ step }) => step === 'gate');
    expect(call?.input).toEqual({
      results: { orders: { from: 'orders' } },
      absent: [{ step: 'notes', reason: 'when_false' }],
    });
    expect(completed(world, 'gate')).toMatchObject({
      tokens: { in: estimateTokens(JSON.stringify(call?.input)), out: estimateTokens('{"from":"gate"}') },
    });
  });

  it('passes its own input instead when it declares one', () => {
    const world = run(frame({ ...gate, input: { only: '{{ results.notes.from }}' } }));
    expect(world.performed.find(({ step }) => step === 'gate')?.input).toEqual({ only: 'notes' });
  });

  it('passes the same input again after a crash', () => {
    const world = new World(templateOf({ steps: frame(gate) }), {
      perform: ({ step }) => done(step === 'orders' ? rows(500) : { from: step }),
    }).begin();
    while (!world.state.running.has('gate')) world.step();
    world.crash();
    world.run();
    const call = world.performed.find(({ step }) => step === 'gate');
    expect(call).toMatchObject({ delivery: 2, input: { results: { orders: rows(500), notes: { from: 'notes' } } } });
    expect(world.state.ended?.status).toBe('completed');
  });
});

describe('a synthesis gate as a checkpoint', () => {
  const failing: Partial<StepSketch>[] = [
    { critical: false },
    { onFailure: 'skip' },
    { verification: { $lisp: 'false' }, onVerificationFailure: 'skip' },
  ];

  it.each(failing)('fails although its settings tolerate failures: %o', (gate) => {
    const world = run(frame({ capability: 'work', ...gate }), ({ step }) =>
      step === 'gate' && gate.verification === undefined ? failed : done(),
    );
    expect(status(world, 'gate')).toBe('failed');
    expect(status(world, 'end')).toBe('upstream');
    expect(world.performed.map(({ step }) => step)).not.toContain('end');
  });

  it('has a failure that only a convergence step can absorb', () => {
    const policy = { policy: 'all_settled' as const, early: false, onExhaustion: 'converge' as const };
    const steps = frame({ verification: { $lisp: 'false' } }).map((step) =>
      step.name === 'end' ? { ...step, type: 'deferred' as const, convergence: policy } : step,
    );
    const world = run(steps);
    expect(status(world, 'gate')).toBe('failed');
    expect(status(world, 'end')).toBe('completed');
    expect(world.state.steps.get('end')?.convergence?.convergence.failed).toMatchObject([
      { step: 'gate', code: 'VERIFICATION_FAILED' },
    ]);
  });
});

describe('the record of gathered results', () => {
  const gatherer = (type: 'deferred' | 'synthesis_gate', after = ['orders', 'notes']): StepSketch[] => [
    { name: 'orders' },
    { name: 'notes', critical: false },
    { name: 'gate', type, after },
  ];

  it('is the same for a deferred step and a synthesis gate without a call and without input', () => {
    for (const breaks of ['', 'notes']) {
      const perform = ({ step }: Work) => (step === breaks ? failed : done({ from: step }));
      const [deferred, gate] = [run(gatherer('deferred'), perform), run(gatherer('synthesis_gate'), perform)];
      expect(resultOf(deferred, 'gate')).toEqual(resultOf(gate, 'gate'));
      expect(resultOf(deferred, 'gate')).toMatchObject({
        results: { orders: { from: 'orders' } },
        tolerated: breaks === '' ? [] : [{ step: 'notes', code: 'CAPABILITY_THREW', message: 'bad luck' }],
        partial: breaks !== '',
      });
    }
  });

  it('is shrunk to the allowance of a deferred step', () => {
    const perform = ({ step }: Work) => done(step === 'orders' ? rows(2_000) : { from: step });
    const [deferred, gate] = [run(gatherer('deferred'), perform), run(gatherer('synthesis_gate'), perform)];
    expect(resultOf(deferred, 'gate')).toMatchObject({
      results: { orders: { $count: 2_000 }, notes: { from: 'notes' } },
    });
    expect(resultOf(deferred, 'gate')).toEqual(resultOf(gate, 'gate'));
  });

  it('lets a deferred step converge when no result fits, and names the results that are left out', () => {
    const small = gatherer('deferred').map((step) =>
      step.name === 'gate' ? { ...step, context: { maxTokens: 20 } } : step,
    );
    const world = run(small, () => done(rows(50)));
    expect(status(world, 'gate')).toBe('completed');
    expect(resultOf(world, 'gate')).toMatchObject({
      results: {},
      succeeded: 2,
      receipt: [
        { step: 'orders', shown: 'left out' },
        { step: 'notes', shown: 'left out' },
      ],
    });
  });

  it('fails a synthesis gate behind a failure, although a deferred step would apply its policy', () => {
    const perform = ({ step }: Work) => (step === 'orders' ? failed : done({ from: step }));
    expect(status(run(gatherer('synthesis_gate'), perform), 'gate')).toBe('upstream');
    const settled = { policy: 'all_settled', early: false, onExhaustion: 'converge' } as const;
    const steps = gatherer('deferred').map((step) => (step.name === 'gate' ? { ...step, convergence: settled } : step));
    expect(resultOf(run(steps, perform), 'gate')).toMatchObject({
      results: { notes: { from: 'notes' } },
      failed: [{ step: 'orders', code: 'CAPABILITY_THREW' }],
    });
  });
});
