// Plans that a person reviews before they are grafted: when a review is due, what it shows, and its answers.

import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import { valueIn } from '../../src/engine/record/stored-value.ts';
import { isWaiting } from '../../src/engine/state/waiting.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import { defaultReplan, type PlanningSpec } from '../../src/template/step-spec.ts';
import { type GateAnswer, World, type WorldOptions } from '../../src/testing/world.ts';
import { type StepSketch, type TemplateSketch, templateOf } from './template-of.ts';

const done = (value: Json = { ok: true }): EffectOutcome => good(value);
const task = (name: string, ...after: string[]): Json => ({ name, capability: 'work', depends_on: after });
const plan = (...steps: Json[]): Json => ({ rationale: 'to see', steps });

const frame = (planning: Partial<PlanningSpec> = { review: 'always' }): StepSketch[] => [
  { name: 'plan', planning: { target: 'end', ...planning } },
  { name: 'other' },
  { name: 'end', type: 'deferred', after: ['plan', 'other'] },
];

type Rest = Partial<WorldOptions> & { readonly budget?: TemplateSketch['budget'] };

function worldOf(
  steps: readonly StepSketch[],
  propose: (work: Work) => Json,
  { budget, ...options }: Rest = {},
): World {
  const perform = (work: Work) => done(work.type === 'ask-planner' ? propose(work) : { ok: true });
  const template = templateOf({ steps, ...(budget === undefined ? {} : { budget }) });
  return new World(template, { perform, ...options }).begin();
}

const review = (world: World, gate: string, said: GateAnswer) =>
  world.tell({ type: 'review', gate, by: 'ada', ...said });
const grafted = (world: World) => world.events.flatMap((event) => (event.type === 'fragment.grafted' ? [event] : []));
const stepsOf = (world: World) => grafted(world).flatMap(({ steps }) => steps.map(({ id }) => id));
const briefs = (world: World) => world.performed.flatMap((work) => (work.type === 'ask-planner' ? [work.brief] : []));

describe('a plan under review', () => {
  const proposed = () => worldOf(frame(), () => plan(task('a'), task('b', 'a'))).run();

  it('is held and shown as it was written, with its estimate, while other steps continue', () => {
    const world = proposed();
    expect(isWaiting(world.state)).toBe(true);
    expect(world.state.steps.get('other')?.status).toBe('completed');
    const gate = world.state.gates.get('g1');
    expect(gate).toMatchObject({ kind: 'plan_review', step: 'plan', prompt: 'plan plans 2 steps: to see' });
    expect(gate?.context && valueIn(gate.context, world.blobs)).toMatchObject({
      planner: 'plan',
      target: 'end',
      plan: plan(task('a'), task('b', 'a')),
      estimate: { steps: 2, tool_calls: 2 },
      warnings: [],
    });
    expect(grafted(world)).toEqual([]);
  });

  it('is grafted when it is approved', () => {
    const world = proposed();
    review(world, 'g1', { verdict: 'approve' });
    expect(world.run().state.ended?.status).toBe('completed');
    expect(stepsOf(world)).toEqual(['plan.1/a', 'plan.1/b']);
  });

  it('goes back with the reason when it is rejected, and counts as an attempt', () => {
    const world = worldOf(frame({ review: 'always', maxAttempts: 2 }), ({ attempt }) => plan(task(`a${attempt}`)), {
      review: ({ id }) => (id === 'g1' ? { verdict: 'reject', why: 'too bold' } : { verdict: 'approve' }),
    }).run();
    expect(briefs(world)[1]).toMatchObject({
      attempt: 2,
      feedback: [{ code: 'PLAN_REJECTED', message: 'ada rejected the plan: too bold' }],
    });
    expect(stepsOf(world)).toEqual(['plan.1/a2']);
  });

  it('may be rejected for the same reason as often as plans may be proposed', () => {
    const world = worldOf(frame(), () => plan(task('a')), { review: () => ({ verdict: 'reject' }) }).run();
    expect(briefs(world)).toHaveLength(3);
    expect(world.state.steps.get('plan')?.failure).toMatchObject({
      code: 'PLAN_INVALID',
      message: '3 plans of planner "plan" were rejected: ada rejected the plan',
    });
  });

  it('is grafted as the reviewer edited it; the journal keeps both plans', () => {
    const world = proposed();
    review(world, 'g1', { verdict: 'edit', value: plan(task('a')), why: 'b is not needed' });
    world.run();
    expect(stepsOf(world)).toEqual(['plan.1/a']);
    expect(world.events.find(({ type }) => type === 'plan.proposed')).toMatchObject({
      reply: { value: plan(task('a'), task('b', 'a')) },
    });
    expect(world.events.find(({ type }) => type === 'gate.decided')).toMatchObject({
      verdict: 'edit',
      value: { value: plan(task('a')) },
      why: 'b is not needed',
    });
  });

  it.each<[string, Json, object]>([
    ['cannot be read', 'a, then b', { message: expect.stringContaining('does not take this plan') }],
    ['cannot be grafted', plan({ name: 'a', capability: 'wrok' }), { path: ['steps', 0, 'capability'] }],
    ['gives up', { impossible: 'no' }, { hint: 'reject the plan instead, with the reason' }],
  ])('refuses an edit that %s, and stays open', (_, value, refused) => {
    const world = proposed();
    const before = world.journal.length;
    const decision = review(world, 'g1', { verdict: 'edit', value });
    expect(decision.refused).toMatchObject({ code: 'PLAN_EDIT_INVALID', ...refused });
    expect([world.journal.length, [...world.state.openGates]]).toEqual([before, ['g1']]);
    expect(review(world, 'g1', { verdict: 'approve' }).refused).toBeUndefined();
  });

  it('goes back to its planner when it no longer fits the run', () => {
    const steps: StepSketch[] = [
      ...['one', 'two'].map((name) => ({ name, planning: { target: 'end', review: 'always' as const } })),
      { name: 'end', type: 'deferred', after: ['one', 'two'] },
    ];
    const propose = ({ attempt, step }: Work) =>
      plan(...Array.from({ length: attempt === 1 ? 5 : 1 }, (_, i) => task(`${step}${i}`)));
    // Room for the three authored steps and eight more.
    const world = worldOf(steps, propose, { budget: { limit: { steps: 11, phases: 5 } } }).run();
    review(world, 'g1', { verdict: 'approve' });
    expect(review(world, 'g2', { verdict: 'approve' }).refused).toBeUndefined();
    const rejected = world.events.find(({ type }) => type === 'fragment.rejected');
    expect(rejected).toMatchObject({ step: 'two', issues: [{ code: 'BUDGET_EXCEEDED' }] });
    world.run();
    review(world, 'g3', { verdict: 'approve' });
    expect(world.run().state.ended?.status).toBe('completed');
  });

  it('survives a crash without a second request to the planner', () => {
    const world = proposed();
    world.crash();
    review(world, 'g1', { verdict: 'approve' });
    expect(world.run().state.ended?.status).toBe('completed');
    expect(briefs(world)).toHaveLength(1);
  });

  it('is loaded from its blob when it is large', () => {
    const large = plan(
      ...Array.from({ length: 15 }, (_, i) => ({ name: `a${i}`, capability: 'work', description: 'x'.repeat(200) })),
    );
    const world = worldOf(frame(), () => large).run();
    review(world, 'g1', { verdict: 'approve' });
    expect(stepsOf(world)).toHaveLength(15);
  });

  it('is dropped when its target has no time left, and the target converges', () => {
    const steps: StepSketch[] = [
      { name: 'first', planning: { target: 'second' } },
      { name: 'second', after: ['first'], planning: { target: 'end', review: 'always' } },
      { name: 'third', planning: { target: 'end' } },
      { name: 'end', type: 'deferred', after: ['second', 'third'] },
    ];
    const perform = (work: Work): EffectOutcome | undefined => {
      if (work.type === 'ask-planner' && work.step !== 'third') return done(plan(task('a')));
      if (work.type === 'ask-planner') return done(plan(task('a'), task('b', 'a'), task('c', 'b')));
      return work.step === 'third.1/c' ? undefined : done();
    };
    const world = worldOf(steps, () => null, { perform, budget: { wallClock: 20_000 } }).run();
    expect(world.state.gates.get('g1')?.end).toBe('closed');
    expect(grafted(world).find(({ planner }) => planner === 'second')).toMatchObject({ forced: true, steps: [] });
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: true });
  });
});

describe('the plan of a repair', () => {
  const broken: Json = { name: 'b', capability: 'work', on_failure: 'replan', depends_on: ['a'] };
  const perform = (work: Work): EffectOutcome => {
    if (work.type === 'ask-planner')
      return done(plan(...(work.step === 'plan' ? [task('a'), broken, task('c', 'b')] : [task('d')])));
    const breaks = work.step === 'plan.1/b';
    return breaks ? bad({ code: 'CAPABILITY_THREW', message: 'no', retry: 'never' }) : done();
  };
  const world = (approval: 'always' | 'on_budget', budget?: TemplateSketch['budget']) =>
    worldOf(frame({ replan: { ...defaultReplan, approval } }), () => null, { perform, budget }).run();

  it('is held when the template wants a review, and shown beside the failed plan', () => {
    const asked = world('always');
    const gate = asked.state.gates.get('g1');
    expect(gate).toMatchObject({
      kind: 'replan',
      step: 'plan~2',
      prompt: 'plan~2 would mend the plan with 1 step: to see',
    });
    expect(gate?.context && valueIn(gate.context, asked.blobs)).toMatchObject({
      plan: plan(task('d')),
      repairs: {
        trial: 1,
        failed: [{ step: 'plan.1/b', code: 'CAPABILITY_THREW' }],
        failed_plan: [{ name: 'a' }, { name: 'b' }, { name: 'c' }],
        diff: { added: ['d'], removed: ['b', 'c'], same: ['a'] },
      },
    });
    review(asked, 'g1', { verdict: 'approve' });
    expect(asked.run().state.ended?.status).toBe('completed');
    expect(stepsOf(asked)).toContain('plan~2.1/d');
  });

  it('fails with the failure of the repaired step after the last rejection', () => {
    const asked = world('always');
    for (const gate of ['g1', 'g2', 'g3']) {
      review(asked, gate, { verdict: 'reject', why: 'no' });
      asked.run();
    }
    expect(asked.state.ended).toMatchObject({ status: 'failed' });
    expect(asked.state.steps.get('plan~2')?.failure?.message).toContain('ada rejected the plan: no');
  });

  it('is held by on_budget only when little of the budget is left', () => {
    expect(world('on_budget').state.gates.size).toBe(0);
    const spent = world('on_budget', { limit: { steps: 7, phases: 3, replans: 3 } });
    expect(spent.state.gates.get('g1')?.kind).toBe('replan');
  });
});

describe('the condition of a plan review', () => {
  it.each([
    ['(> (count (:steps data/plan)) 1)', [1], 0],
    ['(> (count (:steps data/plan)) 1)', [1, 2], 1],
    ['(> (:tool_calls (:estimate data/plan)) 2)', [1, 2, 3], 1],
    ['(= (:rationale data/plan) "to see")', [1], 1],
    ['(< (:steps data/budget) 5)', [1], 0],
    ['(:careful data/input)', [1], 1],
    ['(+ 1 nil)', [1], 1],
  ])('holds by %s, and also when it cannot be evaluated: %j', ($lisp, steps, gates) => {
    const world = worldOf(frame({ review: { when: { $lisp } } }), () => plan(...steps.map((i) => task(`a${i}`))), {
      review: () => ({ verdict: 'approve' }),
      input: { careful: true },
    }).run();
    expect([world.state.ended?.status, world.state.gates.size]).toEqual(['completed', gates]);
  });

  it('applies to nested plans too', () => {
    const world = worldOf(
      frame(),
      ({ step }) => plan(...(step === 'plan' ? [{ name: 'more', type: 'planning', goal: 'more' }] : [task('a')])),
      { review: () => ({ verdict: 'approve' }) },
    ).run();
    expect([...world.state.gates.values()].map(({ step }) => step)).toEqual(['plan', 'plan.1/more']);
    expect(world.state.ended?.status).toBe('completed');
  });
});
