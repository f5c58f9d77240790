// Recovery by replanning: a repair is a planning step of its own and plans failed work anew before the phase converges.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import { estimateTokens } from '../../src/context/tokens.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import { advance } from '../../src/planners/planner.ts';
import { plannerOf } from '../../src/planners/planner-of.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import { defaultReplan, type ReplanSpec } from '../../src/template/step-spec.ts';
import { World } from '../../src/testing/world.ts';
import { repairOf, type StepSketch, templateOf } from './template-of.ts';

const done = (value: Json = { ok: true }): EffectOutcome => good(value);
const broken: EffectOutcome = bad({ code: 'CAPABILITY_THREW', message: 'it broke', retry: 'never' });

const task = (name: string, after: string[] = [], more: JsonObject = {}): JsonObject => ({
  name,
  capability: 'work',
  input: { of: name },
  depends_on: after,
  ...more,
});
const fragile = (name: string, after: string[] = [], more: JsonObject = {}): JsonObject =>
  task(name, after, { on_failure: 'replan', max_retries: 0, ...more });
const plan = (...steps: Json[]): EffectOutcome => done({ rationale: 'because', steps });

const replan = (more: Partial<ReplanSpec> = {}): ReplanSpec => ({ ...defaultReplan, ...more });

/** plan → (fragment) → end */
const frame = (more: Partial<ReplanSpec> = {}, end: Partial<StepSketch> = {}): readonly StepSketch[] => [
  { name: 'plan', planning: { target: 'end', replan: replan(more) } },
  { name: 'end', type: 'deferred', after: ['plan'], ...end },
];

interface Setting {
  readonly steps?: readonly StepSketch[];
  readonly plans: Readonly<Record<string, EffectOutcome>>;
  readonly breaks?: readonly string[];
  readonly perform?: (work: Work) => EffectOutcome | undefined;
  readonly budget?: Parameters<typeof templateOf>[0]['budget'];
}

function given({ steps = frame(), plans, breaks = [], perform, budget = {} }: Setting): World {
  return new World(templateOf({ steps, budget }), {
    perform: (work) =>
      work.type === 'ask-planner'
        ? present(plans[work.step], work.step)
        : breaks.includes(work.step)
          ? broken
          : (perform?.(work) ?? done({ of: work.step })),
  }).begin();
}

const ends = (world: World) =>
  Object.fromEntries([...world.state.steps].map(([id, { status, skipped }]) => [id, skipped ?? status]));
const convergenceOf = (world: World, id = 'end') => present(world.state.steps.get(id)?.convergence, id).convergence;
const called = (world: World) =>
  world.performed.flatMap(({ type, step }) => (type === 'call-capability' ? [step] : []));
const started = (world: World) => world.events.filter(({ type }) => type === 'replan.started');
const failureOf = (world: World, id: string) => world.state.steps.get(id)?.failure;

describe('a failed step that asks for a replan', () => {
  it('is planned anew with its dependents, while finished siblings stay', () => {
    const world = given({
      plans: {
        plan: plan(task('a'), fragile('b', ['a']), task('c', ['b']), task('d')),
        'plan~2': plan(task('around', [], { input: { from: '{{ results["plan.1/a"].of }}' } })),
      },
      breaks: ['plan.1/b'],
    }).run();
    expect(ends(world)).toEqual({
      plan: 'completed',
      end: 'completed',
      'plan.1/a': 'completed',
      'plan.1/b': 'failed',
      'plan.1/c': 'superseded',
      'plan.1/d': 'completed',
      'plan~2': 'completed',
      'plan~2.1/around': 'completed',
    });
    expect(convergenceOf(world)).toMatchObject({
      expected: 2,
      succeeded: 2,
      failed: [],
      partial: false,
      by_phase: { plan: { expected: 2, succeeded: 2, failed: 0 } },
    });
    expect(called(world)).toEqual(['plan.1/a', 'plan.1/d', 'plan.1/b', 'plan~2.1/around']);
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: false });
  });

  it('tells the planner the failure, the input, the output and the results so far, and the repair follows all begun steps', () => {
    const world = given({
      plans: {
        plan: plan(
          task('a'),
          fragile('b', ['a'], {
            input: { from: '{{ results.a.of }}' },
            verification: '(pos? (get data/result "price" 0))',
            on_verification_failure: 'replan',
          }),
          task('slow'),
        ),
        'plan~2': plan(),
      },
    }).run();
    const [asked] = world.performed.filter(({ step }) => step === 'plan~2');
    expect(asked?.type === 'ask-planner' && asked.brief.repair).toMatchObject({
      scope: 'tail',
      trial: 1,
      failed: [
        {
          step: 'plan.1/b',
          capability: 'work',
          input: { from: 'plan.1/a' },
          output: { of: 'plan.1/b' },
          code: 'VERIFICATION_FAILED',
        },
      ],
      plan: {
        planner: 'plan',
        rationale: 'because',
        steps: [{ name: 'a' }, { name: 'b', depends_on: ['a'], status: 'failed' }, { name: 'slow' }],
      },
      succeeded: ['plan.1/a', 'plan.1/slow'],
    });
    expect(asked?.type === 'ask-planner' && asked.brief.packet).toMatchObject({
      feedback: { failed: [{ step: 'plan.1/b' }] },
      results: { 'plan.1/a': { of: 'plan.1/a' }, 'plan.1/slow': { of: 'plan.1/slow' } },
    });
  });

  it('leaves the repair room to plan after many failures', () => {
    const shownToModel = { kind: 'fixed', fragment: { steps: [] }, model: 'default' } as const;
    const many = Array.from({ length: 12 }, (_, i) =>
      fragile(`b${i}`, [], {
        input: { text: 'long '.repeat(400) },
        verification: '(nil? data/result)',
        on_verification_failure: 'replan',
      }),
    );
    const world = given({
      steps: frame().map((step) => ({
        ...step,
        ...(step.planning === undefined ? {} : { planning: { ...step.planning, planner: shownToModel } }),
        context: { maxTokens: 2_000 },
      })),
      plans: { plan: plan(...many), 'plan~2': plan(task('x')) },
      perform: () => done('and long '.repeat(400)),
    }).run();
    const told = world.performed.find(({ step }) => step === 'plan~2');
    const brief = told?.type === 'ask-planner' ? told.brief : undefined;
    expect(brief?.repair?.failed.length).toBeGreaterThan(0);
    expect(estimateTokens(JSON.stringify(brief?.packet))).toBeLessThanOrEqual(2_000);
    expect(world.state.ended?.status).toBe('completed');
  });

  it('leaves siblings running: the repair waits for those that have begun, and others begin beside it', () => {
    const world = given({
      plans: {
        plan: plan(fragile('b'), task('begun'), task('later', ['begun'])),
        'plan~2': plan(task('around')),
      },
      breaks: ['plan.1/b'],
    });
    while (!world.state.running.has('plan.1/begun')) world.step();
    world.tell({ type: 'settle', step: 'plan.1/b', attempt: 1, delivery: 1, input: null, outcome: broken, chance: 0 });
    expect(ends(world)).toMatchObject({
      'plan.1/b': 'failed',
      'plan.1/begun': 'running',
      'plan~2': 'waiting',
      end: 'waiting',
    });
    expect(started(world)).toMatchObject([
      { step: 'plan~2', failing: ['plan.1/b'], after: ['plan.1/b', 'plan.1/begun'] },
    ]);
    world.run();
    expect(ends(world)).toMatchObject({
      'plan.1/later': 'completed',
      'plan~2.1/around': 'completed',
      end: 'completed',
    });
  });

  it('joins the repair of another failure of its phase that has not begun', () => {
    const world = given({
      plans: {
        plan: plan(fragile('b'), task('behind_b', ['b']), fragile('c'), task('behind_c', ['c'])),
        'plan~2': plan(task('x')),
      },
      breaks: ['plan.1/b', 'plan.1/c'],
    }).run();
    expect(started(world)).toHaveLength(1);
    expect(ends(world)).toMatchObject({
      'plan.1/b': 'failed',
      'plan.1/c': 'failed',
      'plan.1/behind_b': 'superseded',
      'plan.1/behind_c': 'superseded',
    });
    expect(world.state.steps.get('plan~2')?.repairs?.failing).toEqual(['plan.1/b', 'plan.1/c']);
    expect(convergenceOf(world)).toMatchObject({ expected: 1, succeeded: 1 });
    expect(world.state.ledger.accounts.get('run')?.spent).toMatchObject({ replans: 1, phases: 1, steps: 6 });
  });

  it('releases the steps that are superseded, so that others may be planned', () => {
    const world = given({
      plans: { plan: plan(fragile('b'), task('c', ['b']), task('d', ['b'])), 'plan~2': plan(task('x'), task('y')) },
      breaks: ['plan.1/b'],
      budget: { limit: { phases: 1, steps: 6, replans: 1 } },
    }).run();
    expect(world.state.ledger.accounts.get('run')?.spent).toMatchObject({ steps: 6 });
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: false });
  });

  it('is repaired a second time after the cooldown, when the first repair fails too', () => {
    const world = given({
      steps: frame({ cooldown: 5_000 }),
      plans: { plan: plan(fragile('b')), 'plan~2': plan(fragile('c')), 'plan~3': plan(task('d')) },
      breaks: ['plan.1/b', 'plan~2.1/c'],
    }).run();
    const at = world.journal.flatMap(({ at, event }) => (event.type === 'replan.started' ? [at] : []));
    const asked = world.journal.find(({ event }) => event.type === 'plan.requested' && event.step === 'plan~3')?.at;
    expect(started(world)).toMatchObject([{ trial: 1 }, { trial: 2, planner: 'plan~2' }]);
    expect(asked).toBeGreaterThanOrEqual(present(at[0], 'first repair') + 5_000);
    expect(convergenceOf(world)).toMatchObject({ expected: 1, succeeded: 1, by_phase: { plan: { expected: 1 } } });
    const told = world.performed.find(({ step }) => step === 'plan~3');
    expect(told?.type === 'ask-planner' && told.brief.repair?.trials).toMatchObject([
      { planner: 'plan', failed: [{ step: 'plan.1/b', code: 'CAPABILITY_THREW' }] },
    ]);
  });

  it('counts the cooldown from the beginning of the last repair, not from the failure', () => {
    const minute = 60_000;
    const world = given({
      steps: frame({ cooldown: 30_000 }),
      plans: { plan: plan(fragile('b'), task('slow')), 'plan~2': plan(fragile('c')), 'plan~3': plan(task('d')) },
      breaks: ['plan.1/b', 'plan~2.1/c'],
      // The repair waits for this step, for longer than the whole cooldown.
      perform: ({ step }) => {
        if (step === 'plan.1/slow') world.now += minute;
        return done();
      },
    });
    world.run();
    const began = (step: string) =>
      present(world.journal.find(({ event }) => event.type === 'attempt.started' && event.step === step)?.at, step);
    const [called] = world.journal.flatMap(({ at, event }) => (event.type === 'replan.started' ? [at] : []));
    expect(began('plan~2')).toBeGreaterThan(present(called, 'first repair') + minute);
    expect(began('plan~3')).toBeGreaterThanOrEqual(began('plan~2') + 30_000);
  });

  it('supersedes all steps of the phase that have not begun when the scope says so', () => {
    const world = given({
      steps: frame({ scope: 'phase', max: 1 }),
      plans: { plan: plan(fragile('b'), task('a'), task('later', ['a'])), 'plan~2': plan(task('x')) },
      breaks: ['plan.1/b'],
    }).run();
    expect(ends(world)).toMatchObject({
      'plan.1/a': 'completed',
      'plan.1/later': 'superseded',
      'plan~2.1/x': 'completed',
    });
    expect(called(world)).toEqual(['plan.1/b', 'plan.1/a', 'plan~2.1/x']);
  });

  it('keeps a convergence step where a nested phase that has begun ends', () => {
    const nested = { name: 'deeper', type: 'planning', goal: 'more', convergence_target: 'merge' };
    const merge = {
      name: 'merge',
      type: 'deferred',
      depends_on: ['b', 'deeper'],
      convergence: { policy: 'all_settled' },
    };
    const world = given({
      plans: {
        plan: plan(fragile('b'), nested, merge, task('use', ['merge'])),
        'plan.1/deeper': plan(task('found')),
        'plan~2': plan(task('x')),
      },
      breaks: ['plan.1/b'],
    }).run();
    expect(ends(world)).toMatchObject({
      'plan.1/merge': 'completed',
      'plan.1/use': 'completed',
      'plan.1/deeper.1/found': 'completed',
      'plan~2.1/x': 'completed',
    });
    expect(convergenceOf(world, 'plan.1/merge')).toMatchObject({ expected: 1, succeeded: 1 });
  });

  it('shows the repair the output that broke its contract', () => {
    const output = { type: 'object', required: ['price'] };
    const world = given({ plans: { plan: plan(fragile('a', [], { output })), 'plan~2': plan() } }).run();
    const told = world.performed.find(({ step }) => step === 'plan~2');
    expect(told?.type === 'ask-planner' && told.brief.repair?.failed).toMatchObject([
      { step: 'plan.1/a', code: 'OUTPUT_INVALID', output: { of: 'plan.1/a' } },
    ]);
  });

  it('goes back to the planner when its predicate cannot be evaluated, whatever the step says', () => {
    const world = given({
      plans: {
        plan: plan(
          task('a', [], { verification: '(> (get data/result "price") (nth [] 3))', on_verification_failure: 'stop' }),
        ),
        'plan~2': plan(task('a', [], { verification: '(map? data/result)' })),
      },
    }).run();
    expect(failureOf(world, 'plan.1/a')?.code).toBe('VERIFICATION_ERROR');
    const told = world.performed.find(({ step }) => step === 'plan~2');
    expect(told?.type === 'ask-planner' && told.brief.repair?.failed).toMatchObject([{ code: 'VERIFICATION_ERROR' }]);
    expect(ends(world)).toMatchObject({ 'plan~2.1/a': 'completed', end: 'completed' });
  });

  it('is retried first', () => {
    const world = given({
      plans: { plan: plan(fragile('b', [], { max_retries: 1 })), 'plan~2': plan(task('x')) },
      perform: ({ step }) =>
        step === 'plan.1/b' ? bad({ code: 'CAPABILITY_THREW', message: 'busy', retry: 'may' }) : done(),
    }).run();
    expect(called(world)).toEqual(['plan.1/b', 'plan.1/b', 'plan~2.1/x']);
  });
});

describe('a repair', () => {
  it('is sent back when it repeats the failed call, and fails when it repeats it again', () => {
    const world = given({
      plans: { plan: plan(fragile('b')), 'plan~2': plan(fragile('again', [], { input: { of: 'b' } })) },
      breaks: ['plan.1/b'],
    }).run();
    expect(failureOf(world, 'plan~2')).toMatchObject({
      code: 'PLAN_INVALID',
      message: expect.stringContaining('plan.1/b'),
      cause: { code: 'CAPABILITY_THREW' },
      issues: [{ code: 'REPLAN_REPEATS_FAILURE' }],
    });
  });

  it('counts as a failed branch in the place of the steps that it superseded when it fails', () => {
    const world = given({
      plans: { plan: plan(fragile('b'), fragile('c')), 'plan~2': done({ impossible: 'there is no other way' }) },
      breaks: ['plan.1/b', 'plan.1/c'],
    }).run();
    expect(convergenceOf(world)).toMatchObject({
      expected: 1,
      succeeded: 0,
      failed: [{ step: 'plan~2', root: 'plan~2', code: 'PLAN_IMPOSSIBLE' }],
      by_phase: { plan: { expected: 1, failed: 1 } },
    });
    expect(failureOf(world, 'plan~2')?.message).toBe('there is no other way; it was to mend plan.1/b: it broke');
    expect(world.state.ended).toMatchObject({ status: 'failed' });
  });

  it('may plan no steps', () => {
    const world = given({
      plans: { plan: plan(task('a'), fragile('b')), 'plan~2': plan() },
      breaks: ['plan.1/b'],
    }).run();
    expect(convergenceOf(world)).toMatchObject({ expected: 1, succeeded: 1 });
    expect(world.state.ended?.status).toBe('completed');
  });

  it('fails with a budget failure when it cannot be paid', () => {
    const steps: StepSketch[] = [
      { name: 'plan', planning: { target: 'end', planner: { kind: 'capability', name: 'work' } } },
      { name: 'end', type: 'deferred', after: ['plan'] },
    ];
    const world = given({
      steps,
      plans: { plan: plan(fragile('b')), 'plan~2': plan() },
      breaks: ['plan.1/b'],
      budget: { limit: { phases: 5, steps: 50, replans: 5, tool_calls: 2 } },
    }).run();
    expect(ends(world)).toMatchObject({ 'plan.1/b': 'failed', 'plan~2': 'budget', end: 'completed' });
    expect(convergenceOf(world)).toMatchObject({
      reason: 'budget',
      failed: [{ step: 'plan~2', code: 'BUDGET_EXCEEDED' }],
    });
    expect(world.state.ended).toMatchObject({ partial: true });
  });

  it('keeps the goal of the plan that it repairs, and does not evaluate its condition again', () => {
    const steps: StepSketch[] = [
      { name: 'look' },
      {
        name: 'plan',
        after: ['look'],
        when: { $lisp: '(= 1 (:attempt (:look data/results)))' },
        planning: { target: 'end', goal: 'use {{ depends.look.of }}' },
      },
      { name: 'end', type: 'deferred', after: ['plan'] },
    ];
    const world = given({
      steps,
      plans: { plan: plan(fragile('b')), 'plan~2': plan(task('x')) },
      breaks: ['plan.1/b'],
      perform: ({ step }) => done({ of: step, attempt: 1 }),
    }).run();
    const goals = world.performed.flatMap((work) => (work.type === 'ask-planner' ? [work.brief.goal] : []));
    expect(goals).toEqual(['use look', 'use look']);
    expect(world.state.ended?.status).toBe('completed');
  });

  it('is given by the repair expression of a rule planner, which reads what failed', () => {
    const repair = {
      $lisp: `{:rationale "again, without what broke"
               :steps [{:name "other" :capability "work" :input {:instead_of (:step (first (:failed (:feedback data/packet))))}}]}`,
    };
    const planner = { kind: 'fixed' as const, fragment: { steps: [fragile('b')] }, repair };
    const steps: StepSketch[] = [
      { name: 'plan', planning: { target: 'end', planner } },
      { name: 'end', type: 'deferred', after: ['plan'] },
    ];
    const world = new World(templateOf({ steps }), {
      perform: (work) => {
        if (work.type !== 'ask-planner') return work.step === 'plan.1/b' ? broken : done();
        const progress = advance(plannerOf(work.planner), work.brief, []);
        return progress.done && progress.end.ok ? done(progress.end.value.fragment) : broken;
      },
    });
    world.begin().run();
    expect(world.performed.at(-1)).toMatchObject({ step: 'plan~2.1/other', input: { instead_of: 'plan.1/b' } });
    expect(world.state.ended?.status).toBe('completed');
  });
});

describe('the limits of repairs', () => {
  const chain = (n: number) =>
    Object.fromEntries(
      Array.from({ length: n }, (_, i) => [i === 0 ? 'plan' : `plan~${i + 1}`, plan(fragile(`b${i}`))]),
    );
  const everything = (work: Work): EffectOutcome => (work.type === 'ask-planner' ? done() : broken);

  it.each([
    ['replan.max_replan_attempts is 2', frame({ maxAttempts: 2 }), {}, 2],
    ['replan.max_replan_attempts is 3', frame(), {}, 3],
    ['budget.max_total_replans', frame({ maxAttempts: 9 }), { limit: { steps: 50, phases: 5, replans: 1 } }, 1],
    ['replan.max is 0', frame({ scope: 'phase' }), {}, 0],
    ['replan.max is 2', frame({ scope: 'phase', max: 2 }), {}, 2],
  ])('are named in the failure: %s', (reason, steps, budget, repairs) => {
    const world = given({ steps, plans: chain(6), perform: everything, budget }).run();
    expect(started(world)).toHaveLength(repairs);
    const last = [...world.state.steps.values()].filter(({ id }) => id.includes('/')).at(-1);
    expect(last?.failure).toMatchObject({ code: 'CAPABILITY_THREW' });
    expect(last?.failure?.message).toContain('it is not planned again: ');
    expect(last?.failure?.message).toContain(reason);
    expect(world.state.ended?.status).toBe('failed');
  });

  it('leave an uncritical step tolerated', () => {
    const world = given({
      steps: frame({ maxAttempts: 0 }),
      plans: { plan: plan(task('a'), fragile('b', [], { critical: false })) },
      breaks: ['plan.1/b'],
    }).run();
    expect(ends(world)).toMatchObject({ 'plan.1/b': 'tolerated', end: 'completed' });
  });

  it('end with the target: a failure after it has begun is too late', () => {
    const world = given({ plans: { plan: plan(task('a'), fragile('b')) }, breaks: ['plan.1/b'] });
    while (!world.state.running.has('plan.1/b')) world.step();
    world.tell({ type: 'resolve-step', step: 'end', value: 'by hand', by: 'ada' });
    world.run();
    expect(failureOf(world, 'plan.1/b')).toMatchObject({
      code: 'REPLAN_TOO_LATE',
      message: 'it broke; it is not planned again: end has begun already',
      cause: { code: 'CAPABILITY_THREW' },
    });
    expect(started(world)).toEqual([]);
  });

  it('allow no repair when the first failure ends the run', () => {
    const template = { steps: frame(), failFast: true };
    const world = new World(templateOf(template), {
      perform: (work) => (work.type === 'ask-planner' ? plan(fragile('b'), task('c')) : broken),
    });
    expect(world.begin().run().state.ended?.status).toBe('failed');
    expect(failureOf(world, 'plan.1/b')?.message).toContain('fail_fast');
  });
});

describe('a phase that misses the policy of its target', () => {
  const twice = (more: Partial<ReplanSpec> = {}, end: Partial<StepSketch> = {}) => frame({ max: 1, ...more }, end);
  const settled = (of: 'all_settled' | 'quorum' | 'all_success', more = {}): Partial<StepSketch> => ({
    convergence: { policy: of, early: false, onExhaustion: 'converge', ...more },
  });

  it('is planned again before its target is judged', () => {
    const world = given({
      steps: twice(),
      plans: { plan: plan(task('a'), task('b')), 'plan~2': plan(task('c')) },
      breaks: ['plan.1/b'],
    }).run();
    expect(started(world)).toMatchObject([
      { step: 'plan~2', scope: 'phase', failing: ['plan.1/b'], after: ['plan.1/a', 'plan.1/b'] },
    ]);
    expect(world.events.filter(({ type }) => type === 'convergence.judged')).toHaveLength(1);
    expect(convergenceOf(world)).toMatchObject({ expected: 2, succeeded: 2, partial: false });
  });

  it.each([
    ['of a lisp planner', frame(), 0],
    ['that may be planned again twice', twice({ max: 2 }), 2],
    ['whose policy is met, and something came of it', twice({}, settled('all_settled')), 0],
    ['that failed at a quorum', twice({}, settled('quorum', { min: { count: 2 } })), 1],
  ])('%s is planned again %#', (_, steps, times) => {
    const repairs = { 'plan~2': plan(task('c')), 'plan~3': plan(task('d')) };
    const world = given({
      steps,
      plans: { plan: plan(task('a'), task('b')), ...repairs },
      breaks: ['plan.1/b', 'plan~2.1/c', 'plan~3.1/d'],
    }).run();
    expect(started(world)).toHaveLength(times);
  });

  it('is planned again without any success, whatever the policy', () => {
    const world = given({
      steps: twice({}, settled('all_settled')),
      plans: { plan: plan(task('a'), task('b', ['a'])), 'plan~2': plan(task('c')) },
      breaks: ['plan.1/a'],
    }).run();
    const told = world.performed.find(({ step }) => step === 'plan~2');
    expect(told?.type === 'ask-planner' && told.brief.repair?.failed).toMatchObject([{ step: 'plan.1/a' }]);
    expect(convergenceOf(world)).toMatchObject({ expected: 1, succeeded: 1, reason: 'all_settled' });
  });

  it('says that its repairs are used up', () => {
    const world = given({
      steps: twice(),
      plans: { plan: plan(task('a')), 'plan~2': plan(task('b')) },
      breaks: ['plan.1/a', 'plan~2.1/b'],
    }).run();
    expect(failureOf(world, 'end')).toMatchObject({
      code: 'CONVERGENCE_UNMET',
      message: expect.stringContaining('it is not planned again: replan.max is 1'),
    });
  });

  it('is planned again by its own planner when several phases share a target', () => {
    const steps: StepSketch[] = [
      { name: 'left', planning: { target: 'end', replan: replan({ max: 1 }) } },
      { name: 'right', planning: { target: 'end', replan: replan({ max: 1 }) } },
      { name: 'end', type: 'deferred', after: ['left', 'right'] },
    ];
    const world = given({
      steps,
      plans: {
        left: plan(task('a')),
        right: plan(task('b'), task('c')),
        'left~2': plan(task('x')),
        'right~2': plan(task('y')),
      },
      breaks: ['left.1/a', 'right.1/c'],
    }).run();
    expect(convergenceOf(world)).toMatchObject({
      expected: 3,
      succeeded: 3,
      by_phase: { left: { expected: 1 }, right: { expected: 2 } },
    });
  });

  it.each([
    ['all_settled' as const, 1],
    ['all_success' as const, 0],
  ])('is one of two at a target, by %s, where one repair is left: %i is planned again', (of, times) => {
    const steps: StepSketch[] = [
      { name: 'left', planning: { target: 'end', replan: replan({ max: 1 }) } },
      { name: 'right', planning: { target: 'end', replan: replan({ max: 1 }) } },
      { name: 'end', type: 'deferred', after: ['left', 'right'], ...settled(of) },
    ];
    const world = given({
      steps,
      plans: { left: plan(task('a')), right: plan(task('b')), 'left~2': plan(task('x')) },
      breaks: ['left.1/a', 'right.1/b'],
      budget: { limit: { phases: 5, steps: 50, replans: 1 } },
    }).run();
    expect(started(world)).toHaveLength(times);
    expect(world.state.ledger.accounts.get('run')?.overdrawn).toBe(false);
  });

  it('is not planned again when a failed authored branch makes the target fail anyway', () => {
    const steps: StepSketch[] = [
      { name: 'own' },
      { name: 'plan', planning: { target: 'end', replan: replan({ max: 1 }) } },
      { name: 'end', type: 'deferred', after: ['plan', 'own'] },
    ];
    const world = given({ steps, plans: { plan: plan(task('a')) }, breaks: ['own', 'plan.1/a'] }).run();
    expect(started(world)).toEqual([]);
  });

  it('is judged at a convergence step inside it, and replanned only at its own target', () => {
    const merge = { name: 'merge', type: 'deferred', depends_on: ['a'] };
    const world = given({
      steps: twice(),
      plans: { plan: plan(task('a'), merge, task('use', ['merge'])), 'plan~2': plan(task('x')) },
      breaks: ['plan.1/a'],
    }).run();
    expect(started(world)).toMatchObject([{ target: 'end', failing: ['plan.1/use'] }]);
    expect(ends(world)).toMatchObject({ 'plan.1/merge': 'failed', 'plan.1/use': 'upstream', end: 'completed' });
  });

  it('is planned again by its own planner at its own target when it is nested', () => {
    const nested = { name: 'deeper', type: 'planning', goal: 'more', convergence_target: 'merge' };
    const merge = { name: 'merge', type: 'deferred', depends_on: ['deeper'] };
    const world = given({
      steps: twice(),
      plans: {
        plan: plan(nested, merge),
        'plan.1/deeper': plan(task('a')),
        'plan.1/deeper~2': plan(task('b')),
      },
      breaks: ['plan.1/deeper.1/a'],
    }).run();
    expect(ends(world)).toMatchObject({
      'plan.1/deeper~2': 'completed',
      'plan.1/deeper~2.1/b': 'completed',
      'plan.1/merge': 'completed',
      end: 'completed',
    });
  });
});

describe('a question after the last repair', () => {
  const asking = frame({ maxAttempts: 1, max: 0, afterLast: 'ask' });
  const plans = { plan: plan(fragile('b'), task('c', ['b'])), 'plan~2': plan(fragile('d')), 'plan~3': plan(task('e')) };
  const breaks = ['plan.1/b', 'plan~2.1/d'];

  it('lets a person allow one more', () => {
    const world = given({ steps: asking, plans, breaks }).run();
    expect([...world.state.gates.values()]).toMatchObject([
      { kind: 'replan', step: 'plan~2.1/d', prompt: expect.stringContaining('it broke') },
    ]);
    expect(world.state.steps.get('plan~2.1/d')?.status).toBe('held');
    world.tell({ type: 'review', gate: 'g1', verdict: 'approve', by: 'ada' });
    world.run();
    expect(ends(world)).toMatchObject({ 'plan~2.1/d': 'failed', 'plan~3.1/e': 'completed', end: 'completed' });
  });

  it('fails the step when a person refuses', () => {
    const world = given({ steps: asking, plans, breaks }).run();
    world.tell({ type: 'review', gate: 'g1', verdict: 'reject', by: 'ada' });
    world.run();
    expect(failureOf(world, 'plan~2.1/d')).toMatchObject({
      code: 'CAPABILITY_THREW',
      message: expect.stringContaining('ada wants no further repair'),
    });
    expect(world.state.ended?.status).toBe('failed');
  });

  it('may be about a whole phase, whose target waits', () => {
    const of = {
      steps: frame({ max: 1, afterLast: 'ask' }),
      plans: { plan: plan(task('a')), 'plan~2': plan(task('b')), 'plan~3': plan(task('c')) },
      breaks: ['plan.1/a', 'plan~2.1/b'],
    };
    const again = given(of).run();
    expect(ends(again)).toMatchObject({ end: 'held' });
    again.tell({ type: 'review', gate: 'g1', verdict: 'approve', by: 'ada' });
    expect(ends(again.run())).toMatchObject({ 'plan~3.1/c': 'completed', end: 'completed' });
    const enough = given(of).run();
    enough.tell({ type: 'review', gate: 'g1', verdict: 'reject', by: 'ada' });
    expect(ends(enough.run())).toMatchObject({ end: 'failed' });
  });

  it('refuses an answer that cannot be paid', () => {
    const budget = { limit: { steps: 50, phases: 5, replans: 1 } };
    const world = given({
      steps: frame({ max: 1, afterLast: 'ask' }),
      plans: { plan: plan(task('a')), 'plan~2': plan(task('b')) },
      breaks: ['plan.1/a', 'plan~2.1/b'],
      budget,
    }).run();
    expect(world.state.gates.size).toBe(0);
    expect(failureOf(world, 'end')?.message).toContain('budget.max_total_replans');
  });
});

describe('the repair planner of a template', () => {
  const repair = repairOf();
  const steps: StepSketch[] = [
    { name: 'fetch', onFailure: 'replan' },
    { name: 'clean', after: ['fetch'] },
    { name: 'log', after: ['fetch'] },
    { name: 'side' },
    { name: 'report', type: 'deferred', after: ['clean', 'side'] },
  ];
  const world = (more = {}, plans = plan(task('other'))) =>
    new World(
      { ...templateOf({ steps }), ...more },
      {
        perform: (work) => (work.type === 'ask-planner' ? plans : work.step === 'fetch' ? broken : done()),
      },
    )
      .begin()
      .run();

  it('plans anew for an authored step outside any phase, up to the next convergence step', () => {
    const mended = world({ repair });
    expect(started(mended)).toMatchObject([{ step: 'template-repair~2', target: 'report', failing: ['fetch'] }]);
    expect(ends(mended)).toEqual({
      fetch: 'failed',
      clean: 'superseded',
      log: 'upstream',
      side: 'completed',
      report: 'completed',
      'template-repair~2': 'completed',
      'template-repair~2.1/other': 'completed',
    });
    expect(convergenceOf(mended, 'report')).toMatchObject({
      expected: 2,
      succeeded: 2,
      by_phase: { 'template-repair': { expected: 1 }, frame: { expected: 1 } },
    });
  });

  it('is required: without one the step fails', () => {
    expect(ends(world())).toMatchObject({ fetch: 'failed', clean: 'upstream', report: 'failed' });
  });

  it('replaces planning steps that have not begun', () => {
    const planned: StepSketch[] = [
      { name: 'fetch', onFailure: 'replan' },
      { name: 'plan', after: ['fetch'], planning: { target: 'merge' } },
      { name: 'merge', type: 'deferred', after: ['plan'] },
      { name: 'report', type: 'deferred', after: ['merge', 'fetch'] },
    ];
    const mended = new World(
      { ...templateOf({ steps: planned }), repair },
      {
        perform: (work) =>
          work.type === 'ask-planner' ? plan(task('other')) : work.step === 'fetch' ? broken : done(),
      },
    );
    expect(ends(mended.begin().run())).toMatchObject({ plan: 'superseded', merge: 'superseded', report: 'completed' });
    expect(mended.state.ledger.accounts.get('run')).toMatchObject({ reserved: { phases: 0 } });
  });

  it('comes too late when the target is decided without the failed step', () => {
    const early: StepSketch[] = [
      { name: 'quick' },
      { name: 'fetch', onFailure: 'replan' },
      { name: 'log', after: ['fetch'] },
      {
        name: 'report',
        type: 'deferred',
        after: ['quick', 'fetch'],
        convergence: { policy: 'quorum', min: { count: 1 }, early: true, onExhaustion: 'converge' },
      },
    ];
    const late = new World(
      { ...templateOf({ steps: early }), repair },
      { perform: (work) => (work.step === 'fetch' ? broken : done()) },
    );
    expect(ends(late.begin().run())).toMatchObject({ report: 'completed', fetch: 'failed', log: 'upstream' });
    expect(failureOf(late, 'fetch')).toMatchObject({
      code: 'REPLAN_TOO_LATE',
      message: expect.stringContaining('report is decided already'),
    });
  });
});
