// Losses inside successful branches: how the record of the target reports them.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { ConvergenceSpec, FanOutSpec } from '../../src/template/step-spec.ts';
import { World } from '../../src/testing/world.ts';
import { shortfallsOf } from '../../src/view/summary.ts';
import { type StepSketch, stepOf, templateOf } from './template-of.ts';

const done = (value: Json = { ok: true }): EffectOutcome => good(value);
const broken: EffectOutcome = bad({ code: 'CAPABILITY_THREW', message: 'bad luck', retry: 'never' });
const spec = (policy: ConvergenceSpec['policy']): ConvergenceSpec => ({
  ...{ policy, early: false, onExhaustion: 'converge' },
});

function run(steps: readonly StepSketch[], ...breaks: readonly string[]): World {
  const template = templateOf({ steps });
  const perform = ({ step }: { readonly step: string }) => (breaks.includes(step) ? broken : done());
  return new World(template, { perform }).begin().run();
}

const map = (strategy: FanOutSpec['failureStrategy'], item: Partial<StepSketch> = {}): StepSketch => ({
  ...{ name: 'map', type: 'fan_out' },
  fanOut: { do: stepOf({ name: 'map', ...item }), forEach: [1, 2, 3], maxWidth: 3, failureStrategy: strategy },
});
const end = (policy: ConvergenceSpec['policy'], ...after: string[]): StepSketch => ({
  ...{ name: 'end', type: 'deferred', after, convergence: spec(policy) },
});
const convergenceOf = (world: World) => present(world.state.steps.get('end')?.convergence, 'end').convergence;

describe('a fan-out with items that failed', () => {
  const lost = { step: 'map/1', of: 'map', root: 'map/1', code: 'CAPABILITY_THREW', message: 'bad luck' };

  it('counts as a success for its target, which is partial and lists the failed items', () => {
    const world = run([map('continue_on_failure'), end('all_success', 'map')], 'map/1');
    expect(convergenceOf(world)).toMatchObject({
      ...{ expected: 1, succeeded: 1, failed: [lost], tolerated: [], skipped: [], partial: true },
      by_phase: { frame: { expected: 1, succeeded: 1, failed: 0 } },
    });
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: true });
  });

  it('makes the run partial when no step converges', () => {
    const world = run([map('continue_on_failure'), { name: 'after', after: ['map'] }], 'map/1');
    expect(world.state.steps.get('after')?.status).toBe('completed');
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: true });
    expect(shortfallsOf(world.state).failed).toMatchObject([{ step: 'map/1', code: 'CAPABILITY_THREW' }]);
  });

  it('is reported at the first target after it, and not at later targets', () => {
    const steps = [
      map('continue_on_failure'),
      { name: 'sum', after: ['map'] },
      end('all_success', 'sum'),
      { ...end('all_success', 'end'), name: 'last' },
    ];
    const world = run(steps, 'map/1');
    expect(convergenceOf(world)).toMatchObject({ succeeded: 1, failed: [lost], partial: true });
    expect(world.state.steps.get('last')?.convergence?.convergence).toMatchObject({ failed: [], partial: false });
  });

  it('is not partial when no item failed', () => {
    const world = run([map('continue_on_failure'), end('all_success', 'map')]);
    expect(convergenceOf(world)).toMatchObject({ failed: [], partial: false });
    expect(world.state.ended?.partial).toBe(false);
  });

  it('fails its branch with fail_fast', () => {
    const world = run([map('fail_fast'), end('all_settled', 'map')], 'map/1');
    expect(convergenceOf(world)).toMatchObject({ succeeded: 0, failed: [{ step: 'map' }], partial: true });
  });

  it('lists items that may fail as tolerated', () => {
    const world = run([map('continue_on_failure', { critical: false }), end('all_success', 'map')], 'map/1');
    expect(convergenceOf(world)).toMatchObject({
      failed: [],
      tolerated: [{ step: 'map/1', of: 'map', code: 'CAPABILITY_THREW', message: 'bad luck' }],
    });
  });
});

describe('a tolerated failure', () => {
  const steps: StepSketch[] = [
    { name: 'extra', critical: false },
    { name: 'use', after: ['extra'] },
    end('all_success', 'use'),
  ];

  it('is reported with code and message even if the branch continued', () => {
    const world = run(steps, 'extra');
    expect(convergenceOf(world)).toMatchObject({
      ...{ expected: 1, succeeded: 1, failed: [], skipped: [] },
      tolerated: [{ step: 'extra', code: 'CAPABILITY_THREW', message: 'bad luck' }],
    });
  });

  it('is reported when a failed verification is skipped', () => {
    const checked = { name: 'extra', verification: { $lisp: '"too few"' }, onVerificationFailure: 'skip' } as const;
    const world = run([checked, end('all_success', 'extra')]);
    expect(convergenceOf(world).tolerated).toEqual([
      { step: 'extra', code: 'VERIFICATION_FAILED', message: 'too few' },
    ]);
  });

  it('can be read by the target, as an empty list when no failure was tolerated', () => {
    const read = { ...end('all_success', 'use'), input: { gaps: '{{ convergence.tolerated }}' } };
    const [extra, use] = steps as [StepSketch, StepSketch];
    const result = (world: World) => world.state.steps.get('end')?.result;
    expect(result(run([extra, use, read], 'extra'))).toMatchObject({
      value: { gaps: [{ step: 'extra', code: 'CAPABILITY_THREW', message: 'bad luck' }] },
    });
    expect(result(run([extra, use, read]))).toEqual({ value: { gaps: [] } });
  });
});
