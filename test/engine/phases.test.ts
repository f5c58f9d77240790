// Phases: a planner answers, the fragment is grafted toward its target, and the target fires when every branch has ended.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import { World, type WorldOptions } from '../../src/testing/world.ts';
import { type StepSketch, templateOf } from './template-of.ts';

const done = (value: Json = { ok: true }): EffectOutcome => good(value);
const broken: EffectOutcome = bad({ code: 'CAPABILITY_THREW', message: 'it broke', retry: 'never' });

const task = (name: string, ...after: string[]): Json => ({
  name,
  capability: 'work',
  ...(after.length === 0 ? {} : { depends_on: after }),
});
const fragment = (...steps: Json[]): EffectOutcome => done({ rationale: 'because', steps });

/** plan → (fragment) → end */
const frame = (end: Partial<StepSketch> = {}, plan: Partial<StepSketch> = {}): readonly StepSketch[] => [
  { name: 'plan', planning: { target: 'end' }, ...plan },
  { name: 'end', type: 'deferred', after: ['plan'], ...end },
];

function worldOf(steps: readonly StepSketch[], perform: WorldOptions['perform'], sketch = {}): World {
  return new World(templateOf({ steps, ...sketch }), { perform }).begin();
}

/** Planners answer with the plan under their id; every other step succeeds unless it is listed as broken. */
function answering(
  plans: Readonly<Record<string, EffectOutcome>>,
  breaks: readonly string[] = [],
): WorldOptions['perform'] {
  return (work: Work) =>
    work.type === 'ask-planner' ? present(plans[work.step], work.step) : breaks.includes(work.step) ? broken : done();
}

const convergenceOf = (world: World, id: string) => present(world.state.steps.get(id)?.convergence, id).convergence;

describe('a graft', () => {
  it('adds the fragment between its planner and the target, in one batch with the completion of the planner', () => {
    const world = worldOf(frame(), answering({ plan: fragment(task('a'), task('b', 'a'), task('c')) }));
    world.step();
    const batch = world.journal.length;
    world.step();
    expect(world.events.slice(batch).map(({ type }) => type)).toEqual([
      'plan.proposed',
      'fragment.grafted',
      'step.completed',
    ]);
    expect(world.state.steps.get('end')?.status).toBe('waiting');
    world.run();
    expect([...world.state.steps.keys()]).toEqual(['plan', 'end', 'plan.1/a', 'plan.1/b', 'plan.1/c']);
    expect(world.state.steps.get('plan.1/b')?.provenance).toMatchObject({ planner: 'plan', depth: 1 });
    expect(world.state.steps.get('plan')?.result).toMatchObject({
      value: { rationale: 'because', steps: ['plan.1/a', 'plan.1/b', 'plan.1/c'] },
    });
    expect(world.state.ended?.status).toBe('completed');
  });

  it('lets the target run when the fragment is empty', () => {
    const world = worldOf(frame(), answering({ plan: fragment() })).run();
    expect(convergenceOf(world, 'end')).toMatchObject({ expected: 0, reason: 'empty', partial: false });
    expect(world.state.ended?.status).toBe('completed');
  });

  it('charges its steps and its phase once', () => {
    const world = worldOf(frame(), answering({ plan: fragment(task('a'), task('b')) })).run();
    expect(world.state.ledger.accounts.get('run')).toMatchObject({
      spent: { steps: 4, phases: 1, tool_calls: 2 },
      reserved: { phases: 0, tool_calls: 0 },
    });
  });

  it('feeds a target that is itself a planning step, which sees the results of the fragment', () => {
    const steps: StepSketch[] = [
      { name: 'recon', planning: { target: 'execute' } },
      { name: 'execute', after: ['recon'], planning: { target: 'end', goal: 'use what {{ input.who }} found' } },
      { name: 'end', type: 'deferred', after: ['execute'] },
    ];
    const seen: Json[] = [];
    const plans = answering({ recon: fragment(task('look')), execute: fragment(task('act')) });
    const world = new World(templateOf({ steps }), {
      input: { who: 'Ada' },
      perform: (work) => {
        if (work.type === 'ask-planner') seen.push(JSON.parse(JSON.stringify(work.brief)));
        return work.step === 'recon.1/look' ? done({ found: 42 }) : plans(work);
      },
    });
    world.begin().run();
    expect(seen[1]).toMatchObject({
      goal: 'use what Ada found',
      packet: { results: { 'recon.1/look': { found: 42 } } },
    });
    expect(world.state.ended?.status).toBe('completed');
  });

  it('lets a fragment refer to results of its ancestors', () => {
    const steps: StepSketch[] = [{ name: 'ingest' }, ...frame({}, { after: ['ingest'] })];
    const use = { name: 'use', capability: 'work', input: { n: '{{ results.ingest.n }}' } };
    const world = worldOf(steps, (work) =>
      work.step === 'ingest' ? done({ n: 5 }) : answering({ plan: fragment(use) })(work),
    ).run();
    expect(world.performed.find(({ step }) => step === 'plan.1/use')?.input).toEqual({ n: 5 });
  });

  it('may be nested: a planning step in a fragment inherits the target', () => {
    const nested = {
      name: 'deeper',
      type: 'planning',
      goal: 'look closer',
      planner: { kind: 'fixed', fragment: { steps: [] } },
    };
    const world = worldOf(
      frame(),
      answering({ plan: fragment(task('a'), nested), 'plan.1/deeper': fragment(task('b')) }),
    ).run();
    expect(world.state.steps.get('plan.1/deeper.1/b')?.provenance).toMatchObject({
      planner: 'plan.1/deeper',
      depth: 2,
    });
    expect(world.state.steps.get('plan.1/deeper')?.target).toBe('end');
    expect(convergenceOf(world, 'end')).toMatchObject({
      expected: 2,
      succeeded: 2,
      by_phase: { plan: { expected: 1 }, 'plan.1/deeper': { expected: 1 } },
    });
  });
});

describe('a refused fragment', () => {
  const bad = fragment({ name: 'a', capability: 'nothing.like.it' });

  it('goes back to its planner with its issues, and the next fragment is grafted', () => {
    let asked = 0;
    const feedback: unknown[] = [];
    const world = worldOf(frame(), (work) => {
      if (work.type !== 'ask-planner') return done();
      feedback.push(work.brief.feedback?.map(({ code }) => code));
      return asked++ === 0 ? bad : fragment(task('a'));
    }).run();
    expect(feedback).toEqual([undefined, ['FRAGMENT_UNKNOWN_CAPABILITY']]);
    expect(world.events.filter(({ type }) => type === 'fragment.rejected')).toHaveLength(1);
    expect(world.state.ended?.status).toBe('completed');
  });

  it('fails its planner when the same issues come twice', () => {
    const world = worldOf(frame(), answering({ plan: bad })).run();
    expect(world.performed).toHaveLength(2);
    expect(world.state.steps.get('plan')?.failure).toMatchObject({
      code: 'PLAN_INVALID',
      message: expect.stringContaining('twice'),
    });
    expect(convergenceOf(world, 'end')).toMatchObject({
      expected: 1,
      failed: [{ step: 'plan', code: 'PLAN_INVALID' }],
    });
  });

  it('names the place and the step of its first mistake in the failure', () => {
    const asking = { name: 'agree', type: 'human_review', prompt: 'Yes?', expires_in: 'soon' };
    const said = (reply: Json) => {
      const world = worldOf(frame(), answering({ plan: done(reply) })).run();
      return world.state.steps.get('plan')?.failure?.message;
    };
    const place =
      /^planner "plan" proposed the same rejected plan twice: steps\[1\]\.expires_in \("agree"\): .*must be a duration/;
    expect(said({ steps: [task('a'), asking] })).toMatch(place);
    expect(said(`the plan: ${JSON.stringify({ steps: [task('a'), asking] })}`)).toMatch(place);
    expect(said({ steps: [{ name: 'a', capability: 'no.such' }] })).toMatch(/: steps\[0\]\.\w+( \("a"\))?: /);
  });

  it('fails its planner when its attempts are used up', () => {
    let n = 0;
    const world = worldOf(frame(), (work) =>
      work.type === 'ask-planner' ? fragment({ name: 'a', capability: `nothing.${'x'.repeat(++n)}` }) : done(),
    ).run();
    expect(world.performed).toHaveLength(3);
    expect(world.state.steps.get('plan')?.failure?.code).toBe('PLAN_INVALID');
  });

  it.each([['a text that is no fragment'], [42], [{ stepz: [] }], [null], [{ steps: [{ name: 'a' }] }]])(
    'may be any value: %j',
    (reply) => {
      const world = worldOf(
        frame({ convergence: { policy: 'all_settled', early: false, onExhaustion: 'converge' } }),
        (work) => (work.type === 'ask-planner' ? done(reply as Json) : done()),
      ).run();
      expect(world.state.steps.get('plan')?.status).toBe('failed');
      expect(world.state.ended).toMatchObject({ status: 'failed', partial: true });
    },
  );

  it('may declare the goal infeasible', () => {
    const world = worldOf(frame(), answering({ plan: done({ impossible: 'there is nothing to read' }) })).run();
    expect(world.state.steps.get('plan')?.failure).toMatchObject({
      code: 'PLAN_IMPOSSIBLE',
      message: 'there is nothing to read',
    });
  });
});

describe('convergence', () => {
  const three = { plan: fragment(task('a'), task('b'), task('c')) };
  const policy = (
    of: 'all_success' | 'all_settled' | 'quorum',
    min?: { count: number } | { percent: number },
  ): Partial<StepSketch> => ({
    convergence: { policy: of, early: false, onExhaustion: 'converge', ...(min === undefined ? {} : { min }) },
  });

  it.each([
    [policy('all_success'), 'failed'],
    [policy('all_settled'), 'completed'],
    [policy('quorum'), 'completed'],
    [policy('quorum', { count: 2 }), 'completed'],
    [policy('quorum', { count: 3 }), 'failed'],
    [policy('quorum', { percent: 60 }), 'completed'],
    [policy('quorum', { percent: 67 }), 'failed'],
  ])('by %j with one failure of three ends %s', (end, status) => {
    const world = worldOf(frame(end), answering(three, ['plan.1/b'])).run();
    expect(world.state.steps.get('end')?.status).toBe(status);
    expect(convergenceOf(world, 'end')).toMatchObject({
      expected: 3,
      succeeded: 2,
      partial: true,
      failed: [{ step: 'plan.1/b', root: 'plan.1/b', code: 'CAPABILITY_THREW' }],
    });
    expect(world.state.ended?.status).toBe(status);
  });

  it('names the step that failed first, not the step that was skipped after it', () => {
    const world = worldOf(
      frame(policy('all_settled')),
      answering({ plan: fragment(task('a'), task('b', 'a'), task('c', 'b')) }, ['plan.1/a']),
    ).run();
    expect(convergenceOf(world, 'end').failed).toMatchObject([
      { step: 'plan.1/c', root: 'plan.1/a', code: 'CAPABILITY_THREW' },
    ]);
  });

  it('names the first cause once when several later targets fail', () => {
    const world = worldOf(
      [
        ...frame(),
        { name: 'next', type: 'deferred', after: ['end'] },
        { name: 'last', type: 'deferred', after: ['next'] },
      ],
      answering({ plan: fragment(task('a')) }, ['plan.1/a']),
    ).run();
    for (const target of ['end', 'next', 'last']) {
      expect(world.state.steps.get(target)?.failure).toMatchObject({
        code: 'CONVERGENCE_UNMET',
        message: `"${target}" needs its branch (all_success), and 0 succeeded; first failure: plan.1/a, it broke`,
      });
    }
  });

  it('counts a tolerated step neither as success nor as failure', () => {
    const lenient = { name: 'a', capability: 'work', critical: false };
    const world = worldOf(
      frame(policy('all_success')),
      answering({ plan: fragment(lenient, task('b')) }, ['plan.1/a']),
    ).run();
    expect(world.state.steps.get('end')?.status).toBe('completed');
    expect(convergenceOf(world, 'end')).toMatchObject({
      expected: 2,
      succeeded: 1,
      failed: [],
      tolerated: [{ step: 'plan.1/a', code: 'CAPABILITY_THREW', message: 'it broke' }],
      skipped: [],
      partial: true,
    });
  });

  it('drops a branch whose condition did not hold', () => {
    const world = worldOf(
      frame(policy('all_success')),
      answering({ plan: fragment({ name: 'a', capability: 'work', when: 'false' }, task('b')) }),
    ).run();
    expect(convergenceOf(world, 'end')).toMatchObject({ expected: 1, succeeded: 1, partial: false });
  });

  it('waits for several planners at one target', () => {
    const steps: StepSketch[] = [
      { name: 'left', planning: { target: 'end' } },
      { name: 'right', planning: { target: 'end' } },
      { name: 'end', type: 'deferred', after: ['left', 'right'], ...policy('all_settled') },
    ];
    const world = worldOf(
      steps,
      answering({ left: fragment(task('a')), right: fragment(task('b'), task('c')) }, ['right.1/c']),
    ).run();
    expect(convergenceOf(world, 'end').by_phase).toEqual({
      left: { expected: 1, succeeded: 1, failed: 0 },
      right: { expected: 2, succeeded: 1, failed: 1 },
    });
  });

  it('shows its target the results of its branches, by step', () => {
    const end: Partial<StepSketch> = {
      ...policy('all_settled'),
      type: 'deferred',
      input: { found: '{{ depends }}', failed: '{{ convergence.failed }}' },
    };
    const world = worldOf(frame(end), answering(three, ['plan.1/b'])).run();
    expect(world.state.steps.get('end')?.result).toMatchObject({
      value: { found: { 'plan.1/a': { ok: true }, 'plan.1/c': { ok: true } }, failed: [{ step: 'plan.1/b' }] },
    });
  });
});

describe('an early convergence', () => {
  const early = (
    policy: 'all_success' | 'quorum',
    min?: { count: number } | { percent: number },
  ): Partial<StepSketch> => ({
    convergence: { policy, early: true, onExhaustion: 'converge', ...(min === undefined ? {} : { min }) },
  });
  const plan = { plan: fragment(task('a'), task('b'), task('c'), task('d', 'c')) };
  const ends = (world: World) =>
    Object.fromEntries([...world.state.steps].map(([id, { status, skipped }]) => [id, skipped ?? status]));

  it('fires as soon as its quorum is met, and stops the other branches', () => {
    const world = worldOf(frame(early('quorum', { count: 1 })), answering(plan));
    while (!world.state.running.has('plan.1/c')) world.step();
    const before = world.performed.length;
    world.run();
    expect(ends(world)).toEqual({
      plan: 'completed',
      end: 'completed',
      'plan.1/a': 'completed',
      'plan.1/b': 'converged',
      'plan.1/c': 'converged',
      'plan.1/d': 'converged',
    });
    expect(world.performed.slice(before).map(({ step }) => step)).toEqual(['plan.1/a']);
    expect(convergenceOf(world, 'end')).toMatchObject({
      expected: 3,
      succeeded: 1,
      failed: [],
      partial: true,
      reason: 'quorum',
    });
    expect(world.state.ledger.accounts.get('run')).toMatchObject({ reserved: { tool_calls: 0 } });
  });

  it('fails as soon as its policy cannot be met any more', () => {
    const world = worldOf(frame(early('all_success')), answering(plan, ['plan.1/a'])).run();
    expect(ends(world)).toMatchObject({
      end: 'failed',
      'plan.1/a': 'failed',
      'plan.1/b': 'converged',
      'plan.1/d': 'converged',
    });
    expect(convergenceOf(world, 'end').failed).toMatchObject([{ step: 'plan.1/a' }]);
  });

  it('waits for a planner that may still add branches when its quorum is a share', () => {
    const nested = { name: 'more', type: 'planning', goal: 'more', depends_on: ['slow'] };
    const plans = { plan: fragment(task('a'), task('slow'), nested), 'plan.1/more': fragment(task('b')) };
    const world = worldOf(frame(early('quorum', { percent: 50 })), answering(plans)).run();
    expect(ends(world)).toMatchObject({ 'plan.1/more': 'completed', end: 'completed' });
  });

  it('leaves steps alone that other steps also wait for', () => {
    const steps: StepSketch[] = [
      { name: 'quick' },
      { name: 'shared' },
      { name: 'other', after: ['shared'] },
      { name: 'end', type: 'deferred', after: ['quick', 'shared'], ...early('quorum', { count: 1 }) },
    ];
    const world = worldOf(steps, answering({})).run();
    expect(ends(world)).toEqual({ quick: 'completed', shared: 'completed', other: 'completed', end: 'completed' });
  });

  it('hands out no step that the same batch has cut', () => {
    const flaky: StepSketch[] = [
      { name: 'lost', maxDeliveries: 1 },
      { name: 'slow' },
      { name: 'end', type: 'deferred', after: ['slow', 'lost'], ...early('all_success') },
    ];
    const world = worldOf(flaky, answering({}));
    world.tell({ type: 'start-step', step: 'slow' });
    world.tell({ type: 'start-step', step: 'lost' });
    world.crash();
    expect(ends(world.run())).toEqual({ lost: 'failed', slow: 'converged', end: 'failed' });
    expect(world.performed).toEqual([]);
  });
});
