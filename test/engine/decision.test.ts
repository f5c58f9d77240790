// A decision lets some of its branches run; the others end not chosen, up to where branches come together again.
import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import type { Outcome } from '../../src/engine/command.ts';
import { World } from '../../src/testing/world.ts';
import { type StepSketch, templateOf } from './template-of.ts';

const done = (value: Json = { ok: true }): Outcome => ({ ok: true, value });

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
  it('runs the branch it chooses and ends the others, with what hangs on them', () => {
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

  it('lets what hangs on a branch end with it, and the convergence step drop both', () => {
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

  it('may choose all, and may choose none', () => {
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

  it('stands in a fragment as well, by the names that the planner gave', () => {
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
