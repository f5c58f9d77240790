// The gates that runs of a template can open.
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
  it('include its reviews and approvals, with question and expiry', () => {
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

  it('include the reviews of its plans', () => {
    expect(gatesOf({ name: 'plan', planning: { target: 'end', review: 'always' } })).toEqual([
      { step: 'plan', kind: 'plan_review', when: 'always' },
    ]);
  });

  it('include approvals of repairs, and the question after the last repair', () => {
    expect(planned({ approval: 'always' })).toEqual([{ step: 'plan', kind: 'replan', when: 'before each repair' }]);
    expect(planned({ approval: 'on_budget' })[0]?.when).toContain('little of the budget is left');
    expect(planned({ afterLast: 'ask' })[0]?.when).toBe('after the last repair');
    expect(planned({})).toEqual([]);
  });

  it('include the risky calls of its plans', () => {
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

  it('include the question about a spent budget', () => {
    const convergence = { policy: 'all_success', early: false, onExhaustion: 'ask' } as const;
    expect(gatesOf({ name: 'end', type: 'deferred', convergence })).toEqual([
      { step: 'end', kind: 'exhaustion', when: 'the budget is used up before' },
    ]);
  });

  it('include those of each item of a fan-out', () => {
    const each = stepOf({ name: 'one', approval: { prompt: 'May it?', onExpiry: 'fail' } });
    const fanOut = { do: each, forEach: [], maxWidth: 5, failureStrategy: 'fail_fast' } as const;
    expect(gatesOf({ name: 'map', type: 'fan_out', fanOut })[0]?.step).toBe('map/…');
  });

  it('are printed as a table that marks gates without expiry', () => {
    const gates = gatesOf({ name: 'write', gate: { prompt: 'Is it good?', onExpiry: 'fail' } });
    expect(textOf(templateGatesText(gates))).toMatch(/^write +review +always +for ever +Is it good\?$/m);
  });
});
