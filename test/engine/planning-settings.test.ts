// Nested planning follows the settings of the planning step above it.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Json } from '../../src/base/json.ts';
import { good } from '../../src/base/result.ts';
import { replanSettings, reviewSetting } from '../../src/engine/packet/planning-settings.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import { defaultReplan, type PlannerSpec, type PlanningSpec } from '../../src/template/step-spec.ts';
import { World } from '../../src/testing/world.ts';
import { repairOf, type StepSketch, templateOf } from './template-of.ts';

const done = (value: Json): EffectOutcome => good(value);
const task = (name: string): Json => ({ name, capability: 'work' });
const deeper: Json = { name: 'deeper', type: 'planning', goal: 'look closer' };

function given(planning: Partial<PlanningSpec>, nested: readonly Json[], plan: Partial<StepSketch> = {}): World {
  const steps: StepSketch[] = [
    { name: 'plan', planning: { target: 'end', ...planning }, ...plan },
    { name: 'end', type: 'deferred', after: ['plan'] },
  ];
  return new World(templateOf({ steps }), {
    perform: ({ type, step }) =>
      type === 'ask-planner' ? done({ steps: step === 'plan' ? [deeper] : [...nested] }) : done({}),
    review: ({ step }) => (step === 'plan' ? { verdict: 'approve' } : undefined),
  })
    .begin()
    .run();
}

const nestedIn = (world: World) => present(world.state.steps.get('plan.1/deeper'), 'nested planning step');

describe('a nested planning step', () => {
  it('is reviewed by a person when its parent plan was', () => {
    const world = given({ review: 'always' }, [task('a')]);
    expect(reviewSetting(world.state, nestedIn(world))).toBe('always');
    expect([...world.state.gates.values()].map(({ step, kind, end }) => [step, kind, end])).toEqual([
      ['plan', 'plan_review', 'decided'],
      ['plan.1/deeper', 'plan_review', undefined],
    ]);
  });

  it('has the repair settings of its parent plan', () => {
    const replan = { ...defaultReplan, max: 4, approval: 'always' } as const;
    const world = given({ replan }, [task('a')]);
    expect(replanSettings(world.state, nestedIn(world))).toEqual(replan);
  });

  it('has the size limits of its parent plan', () => {
    const world = given({}, ['a', 'b', 'c'].map(task), { budget: { limit: {}, fragmentSteps: 2 } });
    expect(nestedIn(world).issues?.map(({ code }) => code)).toEqual(['FRAGMENT_TOO_MANY_STEPS']);
    expect(nestedIn(given({}, ['a', 'b', 'c'].map(task))).status).toBe('completed');
  });
});

describe('a whole phase', () => {
  it('is planned again once, but never by a planner that would repeat its plan', () => {
    const world = given({}, []);
    const plan = present(world.state.steps.get('plan'), 'planning step');
    const by = (planner: PlannerSpec) => replanSettings(world.state, { ...plan, spec: repairOf({ planner }) }).max;
    expect(by({ kind: 'capability', name: 'work' })).toBe(1);
    expect(by({ kind: 'fixed', fragment: [] })).toBe(0);
    expect(by({ kind: 'lisp', source: { $lisp: '[]' } })).toBe(0);
    const words = { kinds: {}, sequential: false, askBelow: 0.6, attachments: [] };
    expect(by({ kind: 'pattern', ...words })).toBe(0);
    expect(by({ kind: 'hybrid', ...words })).toBe(0);
  });
});
