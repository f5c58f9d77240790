// A decision lets some of its branches run; the others end not chosen, up to where branches come together again.

import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import { World } from '../../src/testing/world.ts';
import { type StepSketch, stepOf, templateOf } from './template-of.ts';

const done = (value: Json = { ok: true }): EffectOutcome => good(value);

/** triage decides between simple and thorough; `more` hangs on thorough; both come together at the end. */
function frame(decision: Partial<StepSketch>): StepSketch[] {
  return [
    { name: 'look' },
    { name: 'triage', type: 'decision', after: ['look'], ...decision },
    { name: 'simple', after: ['triage'] },
    { name: 'thorough', after: ['triage'] },
    { name: 'more', after: ['thorough'] },
    { name: 'end', type: 'deferred', after: ['simple', 'more'] },
  ];
}

const branches = ['simple', 'thorough'];
const choosing = (lisp: string): Partial<StepSketch> => ({ decision: { branches, choose: { $lisp: lisp } } });

function run(steps: readonly StepSketch[], found: Json = { risk: 7 }): World {
  return new World(templateOf({ steps }), { perform: ({ step }) => done(step === 'look' ? found : { ok: true }) })
    .begin()
    .run();
}

const ends = (world: World) =>
  Object.fromEntries([...world.state.steps].map(([id, { status, skipped }]) => [id, skipped ?? status]));

describe('a decision', () => {
  it('runs the branch it chooses and skips the other branches with their dependents', () => {
    const world = run(frame(choosing('(if (> (get-in data/results ["look" "risk"]) 5) "thorough" :simple)')));
    expect(ends(world)).toEqual({
      look: 'completed',
      triage: 'completed',
      simple: 'not_chosen',
      thorough: 'completed',
      more: 'completed',
      end: 'completed',
    });
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: false });
  });

  it('skips the dependents of a skipped branch, and the convergence step drops both', () => {
    const world = run(frame(choosing('["simple"]')));
    expect(ends(world)).toMatchObject({
      simple: 'completed',
      thorough: 'not_chosen',
      more: 'not_chosen',
      end: 'completed',
    });
    expect(world.state.steps.get('end')?.convergence?.convergence).toMatchObject({
      expected: 1,
      succeeded: 1,
      skipped: [{ step: 'more', reason: 'not_chosen' }],
    });
    expect(world.state.steps.get('more')?.root).toBe('triage');
  });

  it('may choose all branches or none', () => {
    expect(ends(run(frame(choosing('["thorough" "simple" "simple"]'))))).toMatchObject({
      simple: 'completed',
      more: 'completed',
    });
    const none = run(frame(choosing('nil')));
    expect(ends(none)).toMatchObject({
      simple: 'not_chosen',
      thorough: 'not_chosen',
      more: 'not_chosen',
      end: 'completed',
    });
    expect(none.state.steps.get('end')?.convergence?.convergence).toMatchObject({ expected: 0, reason: 'empty' });
  });

  it('is made by a capability whose result names the branches', () => {
    const world = new World(templateOf({ steps: frame({ capability: 'work', decision: { branches } }) }), {
      perform: ({ step }) => done(step === 'triage' ? { branches: ['simple'], why: 'small' } : {}),
    });
    expect(ends(world.begin().run())).toMatchObject({ simple: 'completed', thorough: 'not_chosen' });
    expect(world.state.steps.get('triage')?.result).toEqual({ value: { branches: ['simple'], why: 'small' } });
  });

  it.each(['"simpel"', '7', '{:a 1}', '["simple" nil]', 'false'])(
    'that answers %s has not decided, and fails',
    (answer) => {
      const world = run(frame(choosing(answer)));
      expect(world.state.steps.get('triage')?.failure).toMatchObject({
        code: 'DECISION_INVALID',
        message: expect.stringContaining('simple, thorough'),
      });
      expect(ends(world)).toMatchObject({ simple: 'upstream', more: 'upstream' });
    },
  );

  it('works in a fragment, by the names that the planner gave', () => {
    const steps: StepSketch[] = [
      { name: 'plan', planning: { target: 'end' } },
      { name: 'end', type: 'deferred', after: ['plan'] },
    ];
    const fragment: Json = [
      { name: 'Triage', type: 'decision', branches: ['Quick Look', 'deep'], choose: { $lisp: '"deep"' } },
      { name: 'Quick Look', capability: 'work', depends_on: ['Triage'] },
      { name: 'deep', capability: 'work', depends_on: ['Triage'] },
    ];
    const world = new World(templateOf({ steps }), {
      perform: ({ type }) => done(type === 'ask-planner' ? { steps: fragment } : {}),
    });
    world.begin().run();
    // A renamed branch is called as it is known in the run.
    expect(ends(world)).toMatchObject({
      'plan.1/triage': 'completed',
      'plan.1/quick_look': 'not_chosen',
      'plan.1/deep': 'completed',
      end: 'completed',
    });
  });
});

describe('a step that joins branches of a decision', () => {
  const joined = (chosen: string, join: Partial<StepSketch> = {}): StepSketch[] => [
    { name: 'look' },
    { name: 'triage', type: 'decision', after: ['look'], ...choosing(chosen) },
    { name: 'simple', after: ['triage'] },
    { name: 'thorough', after: ['triage'] },
    { name: 'more', after: ['thorough'] },
    { name: 'join', after: ['simple', 'more'], ...join },
    { name: 'last', after: ['join'] },
  ];
  const use = { type: 'compute', expr: { $lisp: 'data/depends' } } as const;

  it('runs with the branch that was chosen, and reads null for the other one', () => {
    const world = run(joined('"simple"', use));
    expect(ends(world)).toMatchObject({ more: 'not_chosen', join: 'completed', last: 'completed' });
    expect(world.state.steps.get('join')?.result).toEqual({ value: { simple: { ok: true }, more: null } });
    const other = run(joined('"thorough"', { ...use, expr: { $lisp: '(get-in data/results ["simple" "ok"])' } }));
    expect(ends(other)).toMatchObject({ simple: 'not_chosen', join: 'completed' });
    expect(other.state.steps.get('join')?.result).toEqual({ value: null });
    expect(other.state.ended).toMatchObject({ status: 'completed', partial: false });
  });

  it('runs with both when both are chosen, and is skipped when neither is', () => {
    expect(ends(run(joined('["simple" "thorough"]')))).toMatchObject({ join: 'completed', last: 'completed' });
    expect(ends(run(joined('nil')))).toMatchObject({ join: 'not_chosen', last: 'not_chosen' });
  });

  it('refers to null at any path of a branch that was not chosen', () => {
    const input = { one: '{{ results.simple.ok }}', other: '{{ results.more.ok }}' };
    const world = run(joined('"simple"', { input }));
    expect(world.performed.find(({ step }) => step === 'join')?.input).toEqual({ one: true, other: null });
  });

  it('does not run when the chosen branch fails', () => {
    const world = new World(templateOf({ steps: joined('"simple"') }), {
      perform: ({ step }) =>
        step === 'simple' ? bad({ code: 'CAPABILITY_THREW', message: 'bad luck', retry: 'never' }) : done({ risk: 1 }),
    })
      .begin()
      .run();
    expect(ends(world)).toMatchObject({ simple: 'failed', join: 'upstream' });
    expect(world.state.ended?.status).toBe('failed');
  });

  it('is skipped with a branch that only it waits for', () => {
    const steps = joined('"simple"').map((step) =>
      step.name === 'join' ? { ...step, after: ['look', 'more'] } : step,
    );
    expect(ends(run(steps))).toMatchObject({ join: 'not_chosen', last: 'not_chosen' });
  });

  it('may be a branch itself that waits for another one', () => {
    const steps = joined('"thorough"').map((step) =>
      step.name === 'thorough' ? { ...step, after: ['triage', 'simple'] } : step,
    );
    expect(ends(run(steps))).toMatchObject({ simple: 'not_chosen', thorough: 'completed', join: 'completed' });
  });

  it('joins the branches of nested decisions, whichever was chosen', () => {
    const nested = (outer: string, inner: string): StepSketch[] => [
      { name: 'look' },
      { name: 'd1', type: 'decision', after: ['look'], decision: { branches: ['a', 'b'], choose: { $lisp: outer } } },
      { name: 'a', after: ['d1'] },
      { name: 'b', after: ['d1'] },
      { name: 'd2', type: 'decision', after: ['a'], decision: { branches: ['a1', 'a2'], choose: { $lisp: inner } } },
      { name: 'a1', after: ['d2'] },
      { name: 'a2', after: ['d2'] },
      { name: 'join', after: ['a1', 'a2', 'b'] },
    ];
    expect(ends(run(nested('"a"', '"a2"')))).toMatchObject({ a1: 'not_chosen', a2: 'completed', join: 'completed' });
    expect(ends(run(nested('"b"', '"a2"')))).toMatchObject({ d2: 'not_chosen', b: 'completed', join: 'completed' });
    expect(ends(run(nested('nil', '"a2"')))).toMatchObject({ join: 'not_chosen' });
  });

  it('may fan out over the result of the chosen branch', () => {
    const fanOut = {
      do: stepOf({ name: 'join' }),
      ...{
        forEach: { $lisp: '(remove nil? (vals data/depends))' },
        maxWidth: 2,
        failureStrategy: 'fail_fast' as const,
      },
    };
    const world = run(joined('"simple"', { type: 'fan_out', fanOut }));
    expect(ends(world)).toMatchObject({ more: 'not_chosen', 'join/0': 'completed', join: 'completed' });
  });
});
