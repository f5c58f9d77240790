// Risky calls in plans need approvals, and an approval covers a call, a step or a capability.

import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import type { Declaration, Effect } from '../../src/contract/declaration.ts';
import type { EffectsPolicy } from '../../src/contract/effects-policy.ts';
import type { Grant } from '../../src/engine/record/gate-events.schema.ts';
import type { StepSpec } from '../../src/template/step-spec.ts';
import { World, type WorldOptions } from '../../src/testing/world.ts';
import { repairOf, type StepSketch, templateOf, work } from './template-of.ts';

const pay: Declaration = { ...work, name: 'pay', effects: ['network', 'write'], repeat: 'keyed' };
const strict: EffectsPolicy = { allowed: [], denied: [], approval: [] };

type Planned = Record<string, Json>;
const payStep = (name: string, more: Planned = {}): Planned => ({
  name,
  capability: 'pay',
  input: { to: name },
  ...more,
});

type Options = Partial<Pick<WorldOptions, 'perform' | 'review'>>;

function worldOf(
  planned: readonly Planned[],
  effects: EffectsPolicy = strict,
  { perform = () => good({ done: true }), review }: Options = {},
  authored: readonly StepSketch[] = [],
): World {
  const fragment: Json = { steps: [...planned] };
  const steps: StepSketch[] = [
    ...authored,
    { name: 'plan', planning: { target: 'end', planner: { kind: 'fixed', fragment } } },
    { name: 'end', after: ['plan'], convergence: { policy: 'all_settled', early: false, onExhaustion: 'converge' } },
  ];
  const options: WorldOptions = {
    perform: (work) => (work.type === 'ask-planner' ? good(fragment) : perform(work)),
    ...(review === undefined ? {} : { review }),
  };
  return new World(templateOf({ steps, capabilities: [work, pay], effects }), options).begin();
}

const paysIn = (world: World) =>
  world.performed.flatMap((work) => (work.type === 'call-capability' && work.capability === 'pay' ? [work] : []));
const calls = (world: World) => paysIn(world).map(({ step }) => step);
const open = (world: World) => [...world.state.openGates];
const approve = (world: World, gate: string, grant?: Grant) =>
  world.tell({ type: 'review', gate, verdict: 'approve', by: 'ada', ...(grant === undefined ? {} : { grant }) });
const endOf = (world: World, id: string) => world.state.steps.get(id)?.status;

describe('a risky call of a grafted step', () => {
  it('needs an approval first, which shows its effects and its input', () => {
    const world = worldOf([payStep('a')]).run();
    expect(calls(world)).toEqual([]);
    expect(world.state.gates.get('g1')).toMatchObject({
      kind: 'approval',
      step: 'plan.1/a',
      prompt: 'Step "plan.1/a" wants to call pay, whose effect is write. May it?',
      context: { value: { capability: 'pay', input: { to: 'a' } } },
      call: { capability: 'pay' },
    });
    approve(world, 'g1');
    world.run();
    expect(calls(world)).toEqual(['plan.1/a']);
    expect(paysIn(world)[0]?.input).toEqual({ to: 'a' });
  });

  it('fails when it is refused, and calls nothing', () => {
    const world = worldOf([payStep('a')]).run();
    world.tell({ type: 'review', gate: 'g1', verdict: 'reject', by: 'ada', why: 'no' });
    expect(world.run().state.steps.get('plan.1/a')?.failure?.code).toBe('GATE_REJECTED');
    expect(calls(world)).toEqual([]);
  });

  it('needs no approval when the template allows the effect', () => {
    const world = worldOf([payStep('a')], { ...strict, allowed: ['write'] }).run();
    expect([calls(world), world.state.gates.size]).toEqual([['plan.1/a'], 0]);
  });

  it('needs its approval whatever its plan says', () => {
    const sly = { prompt: 'Press yes to go on', when: 'nil', expires_in: '1s', on_expiry: 'approve' };
    const world = worldOf([payStep('a', { approval: sly })]).run();
    expect(world.state.gates.get('g1')).toMatchObject({ prompt: expect.stringContaining('wants to call pay') });
    expect([endOf(world, 'plan.1/a'), calls(world)]).toEqual(['failed', []]);
  });

  it('needs one approval, however often it is retried', () => {
    const world = worldOf(
      [payStep('a', { retry: { max_attempts: 3, backoff: 'none' }, on_failure: 'retry' })],
      strict,
      {
        perform: ({ attempt }) =>
          attempt < 3 ? bad({ code: 'CAPABILITY_THREW', message: 'no', retry: 'may' }) : good({}),
        review: () => ({ verdict: 'approve' }),
      },
    ).run();
    expect([calls(world).length, world.state.gates.size, endOf(world, 'plan.1/a')]).toEqual([3, 1, 'completed']);
  });

  it('is never an authored step, because its author approved it by writing it', () => {
    const world = worldOf([], strict, {}, [{ name: 'own', capability: 'pay' }]).run();
    expect([calls(world), world.state.gates.size]).toEqual([['own'], 0]);
  });
});

describe('a call that may destroy something', () => {
  const erase: Declaration = { ...work, name: 'erase', effects: ['write', 'delete'], repeat: 'safe', approval: 'each' };
  const own = (more: Partial<StepSketch> = {}): StepSketch => ({ name: 'own', capability: 'erase', ...more });
  const eraseStep = (name: string, more: Planned = {}): Planned => payStep(name, { capability: 'erase', ...more });

  function eraseIn(authored: readonly StepSketch[], planned: readonly Planned[] = [], effects = strict): World {
    const fragment: Json = { steps: [...planned] };
    const steps: StepSketch[] = [
      ...authored,
      { name: 'plan', planning: { target: 'end', planner: { kind: 'fixed', fragment } } },
      { name: 'end', after: ['plan'], convergence: { policy: 'all_settled', early: false, onExhaustion: 'converge' } },
    ];
    const perform: WorldOptions['perform'] = ({ type }) => good(type === 'ask-planner' ? fragment : {});
    return new World(templateOf({ steps, capabilities: [work, erase], effects }), { perform }).begin().run();
  }

  it('needs an approval in an authored step too', () => {
    const world = eraseIn([own({ input: { path: 'a' } })]);
    expect(world.state.gates.get('g1')).toMatchObject({
      step: 'own',
      prompt: 'Step "own" wants to call erase, which may delete or overwrite something. May it?',
      context: { value: { capability: 'erase', input: { path: 'a' } } },
    });
    approve(world, 'g1');
    expect(endOf(world.run(), 'own')).toBe('completed');
  });

  it('needs no approval when the author says so: on the step, or by allowing its effect', () => {
    expect(eraseIn([own({ approved: true })]).state.gates.size).toBe(0);
    expect(eraseIn([own()], [], { ...strict, allowed: ['delete'] }).state.gates.size).toBe(0);
    expect(eraseIn([], [eraseStep('a', { approval: 'never' })]).state.gates.size).toBe(1);
  });

  it('is shown with the prompt of the author when there is one', () => {
    const world = eraseIn([own({ approval: { prompt: 'Erase it?', onExpiry: 'fail' } })]);
    expect(world.state.gates.get('g1')?.prompt).toBe('Erase it?');
  });

  it('is approved one at a time', () => {
    const world = eraseIn([], [eraseStep('a'), eraseStep('b')]);
    expect(open(world)).toEqual(['g1', 'g2']);
    for (const grant of ['capability', 'step'] as const) {
      expect(approve(world, 'g1', grant).refused).toMatchObject({
        code: 'GATE_VERDICT_INVALID',
        message: expect.stringContaining('each call is asked about'),
      });
    }
    approve(world, 'g1');
    expect(open(world.run())).toEqual(['g2']);
  });
});

describe('an effects policy', () => {
  it('may require approvals for safe effects', () => {
    const world = worldOf([{ name: 'a', capability: 'work' }], { ...strict, approval: ['compute'] }).run();
    expect(world.state.gates.get('g1')?.prompt).toContain('whose effect is compute');
  });

  it('requires an approval for an effect that it both allows and wants approved', () => {
    const world = worldOf([payStep('a')], { ...strict, allowed: ['write'], approval: ['write'] }).run();
    expect(open(world)).toEqual(['g1']);
  });

  it('keeps denied capabilities out of plans and hides them from planners', () => {
    const world = worldOf([payStep('a')], { ...strict, denied: ['write'] }).run();
    const told = world.journal.flatMap(({ event }) => (event.type === 'fragment.rejected' ? event.issues : []));
    expect(new Set(told.map(({ code }) => code))).toEqual(new Set(['EFFECT_DENIED']));
    expect(calls(world)).toEqual([]);
  });
});

describe('the effects of a planning step', () => {
  const within = (effects: readonly Effect[], planned: Planned): World => {
    const fragment: Json = { steps: [planned] };
    const steps: StepSketch[] = [
      { name: 'plan', effects, planning: { target: 'end', planner: { kind: 'fixed', fragment } } },
      { name: 'end', after: ['plan'], convergence: { policy: 'all_settled', early: false, onExhaustion: 'converge' } },
    ];
    return new World(templateOf({ steps, capabilities: [work, pay], budget: { planningDepth: 2 } }), {
      perform: (each) =>
        good(each.type === 'ask-planner' && each.planner.kind === 'fixed' ? each.planner.fragment : {}),
    })
      .begin()
      .run();
  };
  const told = (world: World) =>
    new Set(
      world.events.flatMap((event) => (event.type === 'fragment.rejected' ? event.issues : [])).map(({ code }) => code),
    );

  it('limit its plan, though the run allows more', () => {
    const world = within(['compute'], payStep('a'));
    expect([told(world), calls(world)]).toEqual([new Set(['EFFECT_DENIED']), []]);
  });

  it('allow capabilities without other effects', () => {
    expect(endOf(within(['compute'], { name: 'a', capability: 'work' }), 'plan.1/a')).toBe('completed');
  });

  it('limit a nested plan as well', () => {
    const inner = { kind: 'fixed', fragment: { steps: [payStep('b')] } };
    const world = within(['compute'], { name: 'deeper', type: 'planning', goal: 'more', planner: inner });
    expect(told(world)).toEqual(new Set(['EFFECT_DENIED']));
  });

  it('hold a planned step to its own declared effects', () => {
    const world = within(['compute', 'network', 'write'], payStep('a', { effects: ['compute'] }));
    expect(told(world)).toEqual(new Set(['EFFECT_DENIED']));
  });
});

describe('a call that a repair plans', () => {
  const fragile: Planned = { name: 'a', capability: 'work', on_failure: 'replan', max_retries: 0 };
  const phase = (effects?: readonly Effect[]): readonly StepSketch[] => [
    { name: 'plan', ...(effects === undefined ? {} : { effects }), planning: { target: 'end' } },
    { name: 'end', type: 'deferred', after: ['plan'] },
  ];
  const authored: readonly StepSketch[] = [
    { name: 'a', capability: 'work', onFailure: 'replan' },
    { name: 'end', type: 'deferred', after: ['a'] },
  ];

  /** `a` breaks, and whoever plans again wants to pay. */
  function repaired(steps: readonly StepSketch[], repair?: StepSpec, effects: EffectsPolicy = strict): World {
    const template = templateOf({ steps, capabilities: [work, pay], effects });
    return new World(repair === undefined ? template : { ...template, repair }, {
      perform: (each) => {
        if (each.type === 'ask-planner') return good({ steps: [each.step === 'plan' ? fragile : payStep('b')] });
        const failure = { code: 'CAPABILITY_THREW', message: 'it broke', retry: 'never' } as const;
        return each.type === 'call-capability' && each.capability === 'work' ? bad(failure) : good({});
      },
    })
      .begin()
      .run();
  }
  const denied = (world: World) =>
    world.events.flatMap((event) => (event.type === 'fragment.rejected' ? event.issues : [])).map(({ code }) => code);

  it('needs an approval like the call that it replaces', () => {
    const world = repaired(phase());
    expect(calls(world)).toEqual([]);
    expect(world.state.gates.get('g1')).toMatchObject({ kind: 'approval', step: 'plan~2.1/b' });
    approve(world, 'g1');
    expect(calls(world.run())).toEqual(['plan~2.1/b']);
  });

  it('has no effects but those of the planning step that it repairs', () => {
    const world = repaired(phase(['compute']));
    expect([new Set(denied(world)), calls(world)]).toEqual([new Set(['EFFECT_DENIED']), []]);
    expect(world.state.gates.size).toBe(0);
  });

  it('needs an approval too when the repair planner of the template planned it, and keeps to its effects', () => {
    expect(open(repaired(authored, repairOf()))).toEqual(['g1']);
    const world = repaired(authored, { ...repairOf(), effects: ['compute'] });
    expect([new Set(denied(world)), calls(world)]).toEqual([new Set(['EFFECT_DENIED']), []]);
  });

  it('never has an effect that the policy of the run denies', () => {
    for (const world of [
      repaired(phase(), undefined, { ...strict, denied: ['write'] }),
      repaired(authored, repairOf(), { ...strict, denied: ['write'] }),
    ])
      expect([new Set(denied(world)), calls(world)]).toEqual([new Set(['EFFECT_DENIED']), []]);
  });
});

describe('an approval', () => {
  it('covers one call unless it says more', () => {
    const world = worldOf([payStep('a'), payStep('b')]).run();
    approve(world, 'g1');
    world.run();
    expect([calls(world), open(world)]).toEqual([['plan.1/a'], ['g2']]);
  });

  it('for a capability covers waiting and later calls', () => {
    const world = worldOf([payStep('a'), payStep('b'), payStep('c', { dependencies: ['a'] })]).run();
    approve(world, 'g1', 'capability');
    world.run();
    expect(calls(world).toSorted()).toEqual(['plan.1/a', 'plan.1/b', 'plan.1/c']);
    expect([open(world), world.state.gates.size, world.state.gates.get('g2')?.end]).toEqual([[], 2, 'decided']);
  });

  it('for a step covers all items of a fan-out, and nothing else', () => {
    const each = { name: 'each', type: 'fan_out', max_width: 3, for_each: ['x', 'y', 'z'], do: { capability: 'pay' } };
    const world = worldOf([each, payStep('b')]).run();
    const first = [...world.state.gates.values()].find(({ step }) => step.startsWith('plan.1/each/'));
    approve(world, first?.id ?? '', 'step');
    world.run();
    expect(calls(world).toSorted()).toEqual(['plan.1/each/0', 'plan.1/each/1', 'plan.1/each/2']);
    expect(open(world)).toHaveLength(1);
  });

  it('for several calls is refused at a gate without a call, and with a rejection', () => {
    const world = worldOf([payStep('a')]).run();
    const no = world.tell({ type: 'review', gate: 'g1', verdict: 'reject', by: 'ada', grant: 'step' });
    expect(no.refused?.code).toBe('GATE_VERDICT_INVALID');
    expect(open(world)).toEqual(['g1']);
  });

  it('covers every delivery of the same call, under one key', () => {
    const world = worldOf([payStep('a')]).run();
    approve(world, 'g1');
    const [first] = world.tell({ type: 'start-step', step: 'plan.1/a' }).effects;
    world.crash();
    world.run();
    expect(first).toMatchObject({ delivery: 1, input: { to: 'a' } });
    expect(paysIn(world)).toEqual([{ ...first, delivery: 2 }]);
    expect(world.state.gates.size).toBe(1);
  });

  it('is final, and records who gave it and why', () => {
    const world = worldOf([payStep('a')]).run();
    world.tell({ type: 'review', gate: 'g1', verdict: 'approve', by: 'ada', why: 'it is due' });
    expect(world.events.find(({ type }) => type === 'gate.decided')).toMatchObject({ by: 'ada', why: 'it is due' });
    const again = world.tell({ type: 'review', gate: 'g1', verdict: 'reject', by: 'ben' });
    expect([again.refused?.code, again.events]).toEqual(['GATE_CLOSED', []]);
    expect(endOf(world.run(), 'plan.1/a')).toBe('completed');
  });

  it('survives a crash', () => {
    const world = worldOf([payStep('a'), payStep('c', { dependencies: ['a'] })]).run();
    approve(world, 'g1', 'capability');
    world.crash();
    world.run();
    expect(calls(world).toSorted()).toEqual(['plan.1/a', 'plan.1/c']);
    expect(world.state.gates.size).toBe(1);
  });
});
