// Where a template may ask people, before it has run.
import { describe, expect, it } from 'vitest';
import type { Effect } from '../../src/contract/declaration.ts';
import type { EffectsPolicy } from '../../src/contract/effects-policy.ts';
import type { ReplanSpec } from '../../src/template/step-spec.ts';
import { defaultReplan } from '../../src/template/step-spec.ts';
import { templateGates, templateGatesText } from '../../src/view/template-gates.ts';
import { type StepSketch, stepOf, templateOf, work } from '../engine/template-of.ts';
import { textOf } from './story.ts';

const gatesOf = (step: StepSketch) => templateGates(templateOf({ steps: [step] }));
const planned = (replan: Partial<ReplanSpec>) =>
  gatesOf({ name: 'plan', planning: { target: 'end', replan: { ...defaultReplan, ...replan } } });

describe('the gates of a template', () => {
  it('are its reviews and approvals, with what is asked and how long they wait', () => {
    expect(
      gatesOf({
        name: 'write',
        gate: { prompt: 'Is it good?', expiresIn: 3_600_000, onExpiry: 'converge' },
        approval: { prompt: 'May it?', onExpiry: 'fail', when: { $lisp: 'true' } },
      }),
    ).toEqual([
      {
        step: 'write',
        kind: 'review',
        when: 'always',
        prompt: 'Is it good?',
        waits: '1h, then the run goes on without it',
      },
      { step: 'write', kind: 'approval', when: 'when its condition holds', prompt: 'May it?' },
    ]);
  });

  it('are the reviews of its plans', () => {
    expect(gatesOf({ name: 'plan', planning: { target: 'end', review: 'always' } })).toEqual([
      { step: 'plan', kind: 'plan_review', when: 'always' },
    ]);
  });

  it('are what must be agreed to before a repair, and what is asked after the last one', () => {
    expect(planned({ approval: 'always' })).toEqual([{ step: 'plan', kind: 'replan', when: 'before each repair' }]);
    expect(planned({ approval: 'on_budget' })[0]?.when).toContain('little of the budget is left');
    expect(planned({ afterLast: 'ask' })[0]?.when).toBe('after the last repair');
    expect(planned({})).toEqual([]);
  });

  it('are the risky calls that its plans may make', () => {
    const declared = (name: string, effect: Effect) => ({ ...work, name, effects: [effect] });
    const capabilities = [work, declared('pay', 'write'), declared('wipe', 'delete'), declared('note', 'output')];
    const of = (allow: readonly string[], effects: EffectsPolicy) =>
      templateGates(
        templateOf({ steps: [{ name: 'plan', planning: { target: 'end', allow } }], capabilities, effects }),
      );
    const none = { allowed: [], denied: [], approval: [] };
    expect(of([], none)).toEqual([{ step: 'plan.…', kind: 'approval', when: 'when its plan calls pay, wipe' }]);
    expect(of(['wipe', 'note'], { ...none, allowed: ['delete'] })).toEqual([]);
  });

  it('are what is asked when the budget is used up', () => {
    const convergence = { policy: 'all_success', early: false, onExhaustion: 'ask' } as const;
    expect(gatesOf({ name: 'end', type: 'deferred', convergence })).toEqual([
      { step: 'end', kind: 'exhaustion', when: 'the budget is used up before' },
    ]);
  });

  it('are those of each item of a fan-out', () => {
    const each = stepOf({ name: 'one', approval: { prompt: 'May it?', onExpiry: 'fail' } });
    const fanOut = { do: each, forEach: [], maxWidth: 5, failureStrategy: 'fail_fast' } as const;
    expect(gatesOf({ name: 'map', type: 'fan_out', fanOut })[0]?.step).toBe('map/…');
  });

  it('are a table that says of what waits for ever that it does', () => {
    const gates = gatesOf({ name: 'write', gate: { prompt: 'Is it good?', onExpiry: 'fail' } });
    expect(textOf(templateGatesText(gates))).toMatch(/^write +review +always +for ever +Is it good\?$/m);
  });
});
