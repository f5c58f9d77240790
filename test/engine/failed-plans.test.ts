// Planning steps that bring no plan: the run goes on as its targets say, and does not end as a success.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { ReplanSpec } from '../../src/template/step-spec.ts';
import { World, type WorldOptions } from '../../src/testing/world.ts';
import { type StepSketch, type TemplateSketch, templateOf } from './template-of.ts';

const settled = { policy: 'all_settled', early: false, onExhaustion: 'converge' } as const;
const done = (value: Json = { ok: true }): EffectOutcome => good(value);
const plan = (...steps: Json[]): EffectOutcome => done({ rationale: 'because', steps });
const refused: EffectOutcome = plan({ name: 'a', capability: 'no.such' });
const work = (name: string): Json => ({ name, capability: 'work' });
const broken: EffectOutcome = bad({ code: 'CAPABILITY_THREW', message: 'it broke', retry: 'never' });

/** plan → (fragment) → end → report; the target takes what has settled. */
function runOf(
  plans: Readonly<Record<string, EffectOutcome>>,
  planning: Partial<StepSketch['planning']> = {},
  rest: { readonly plan?: Partial<StepSketch>; readonly end?: Partial<StepSketch> } & Omit<
    TemplateSketch,
    'steps'
  > = {},
  breaks: readonly string[] = [],
): World {
  const { plan: more = {}, end = {}, ...sketch } = rest;
  const steps: StepSketch[] = [
    { name: 'plan', planning: { target: 'end', ...planning }, ...more },
    { name: 'end', type: 'deferred', after: ['plan'], convergence: settled, ...end },
    { name: 'report', after: ['end'] },
  ];
  const perform: WorldOptions['perform'] = (asked) => {
    if (asked.type === 'ask-planner') return present(plans[asked.step], asked.step);
    return breaks.includes(asked.step) ? broken : done();
  };
  return new World(templateOf({ steps, ...sketch }), { perform }).begin().run();
}

const statusOf = (world: World, id: string) => world.state.steps.get(id)?.status;
const convergenceOf = (world: World) => present(world.state.steps.get('end')?.convergence, 'end').convergence;

const nested = { name: 'deeper', type: 'planning', goal: 'look closer' };
const failsNested = {
  plan: plan({ ...nested, on_failure: 'replan' }, work('a')),
  'plan.1/deeper': refused,
};
const replanning: ReplanSpec = {
  ...({ scope: 'tail', approval: 'never', afterLast: 'fail' } as const),
  ...{ max: 1, maxAttempts: 1, cooldown: 0 },
};

describe('a planning step that fails', () => {
  it('makes the run a failure, though its target and the report ran', () => {
    const world = runOf({ plan: refused });
    expect(['plan', 'end', 'report'].map((id) => statusOf(world, id))).toEqual(['failed', 'completed', 'completed']);
    const { code, message } = present(world.state.steps.get('plan')?.failure, 'failure');
    expect(code).toBe('PLAN_INVALID');
    expect(world.state.ended).toMatchObject({
      status: 'failed',
      partial: true,
      failure: { code, message: `plan: ${message}`, retry: 'never' },
    });
  });

  it.each([
    ['its planner failed', { plan: broken }, {}, 'CAPABILITY_THREW'],
    [
      'its planner says that it cannot be done',
      { plan: done({ impossible: 'nothing is there' }) },
      {},
      'PLAN_IMPOSSIBLE',
    ],
    ['what it must be shown does not fit', {}, { plan: { context: { maxTokens: 1 } } }, 'CONTEXT_OVER_ALLOWANCE'],
  ] as const)('makes the run a failure when %s', (_, plans, rest, code) => {
    const world = runOf(plans, { goal: 'Count the words of every file.', planner: { kind: 'llm' } }, rest);
    expect(world.state.ended).toMatchObject({ status: 'failed', failure: { code } });
    expect(statusOf(world, 'report')).toBe('completed');
  });

  it('makes the run a failure when it is nested', () => {
    const world = runOf({ plan: plan(work('a'), nested), 'plan.1/deeper': refused });
    expect(world.state.ended).toMatchObject({ status: 'failed', failure: { code: 'PLAN_INVALID' } });
    expect(world.state.ended?.failure?.message).toMatch(/^plan\.1\/deeper: /);
  });

  it('is reported after a failure of the last step', () => {
    const world = runOf({ plan: refused }, {}, {}, ['report']);
    expect(world.state.ended?.failure).toMatchObject({ code: 'CAPABILITY_THREW', message: 'report: it broke' });
  });

  it('leaves the run completed when a repair brings a plan', () => {
    const world = runOf({ ...failsNested, 'plan~2': plan(work('b')) }, { replan: replanning });
    expect(world.state.steps.get('plan.1/deeper')).toMatchObject({ status: 'failed', takenUp: 'plan~2' });
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: false });
  });

  it('makes the run a failure when its repair brings no plan either', () => {
    const world = runOf({ ...failsNested, 'plan~2': refused }, { replan: replanning });
    expect(world.state.ended).toMatchObject({ status: 'failed', failure: { code: 'PLAN_INVALID' } });
    expect(world.state.ended?.failure?.message).toMatch(/^plan~2: /);
  });

  it('ends by its budget and not as a failed plan when nothing was left to plan with', () => {
    const budget = { limit: { steps: 3 } };
    const world = runOf({ plan: plan(work('a')) }, {}, { budget });
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: true });
    expect(world.state.stop).toMatchObject({ resource: 'steps' });
  });
});

describe('on_planning_failure: tolerate', () => {
  const tolerant = { onPlanningFailure: 'tolerate' } as const;

  it('completes the run in part, and lists the plan under what was tolerated', () => {
    const world = runOf({ plan: refused }, tolerant);
    expect(world.state.steps.get('plan')).toMatchObject({ status: 'skipped', skipped: 'tolerated' });
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: true });
    expect(world.state.ended?.failure).toBeUndefined();
    expect(convergenceOf(world)).toMatchObject({
      ...{ expected: 1, succeeded: 0, failed: [], skipped: [] },
      tolerated: [{ step: 'plan', code: 'PLAN_INVALID', message: expect.stringContaining('no.such') }],
    });
  });

  it('lets a target converge that wants every branch to succeed', () => {
    const world = runOf({ plan: refused }, tolerant, { end: { convergence: { ...settled, policy: 'all_success' } } });
    expect(statusOf(world, 'report')).toBe('completed');
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: true });
  });

  it('holds for nested planning steps that say nothing themselves', () => {
    const plans = { plan: plan(work('a'), nested), 'plan.1/deeper': refused };
    expect(runOf(plans, tolerant).state.ended?.status).toBe('completed');
    const strict = plan(work('a'), { ...nested, on_planning_failure: 'fail' });
    expect(runOf({ ...plans, plan: strict }, tolerant).state.ended?.status).toBe('failed');
    const lenient = plan(work('a'), { ...nested, on_planning_failure: 'tolerate' });
    expect(runOf({ ...plans, plan: lenient }).state.ended?.status).toBe('completed');
  });

  it('does not tolerate an exhausted budget', () => {
    const world = runOf({ plan: plan(work('a')) }, tolerant, { budget: { limit: { steps: 3 } } });
    expect(statusOf(world, 'plan')).toBe('failed');
    expect(world.state.stop).toMatchObject({ resource: 'steps' });
  });
});
