// Questions to people as templates write them: reviews, approvals, plan reviews and clarifications.
import { describe, expect, it } from 'vitest';
import { findings, template } from './given-steps.ts';

const only = (fields: string) => template(`  - { name: a, ${fields} }\n`).steps[0];
const call = (fields: string) => `  - { name: a, handler: report.write, ${fields} }\n`;

describe('a human_review', () => {
  it('asks for an approval without a time limit by default', () => {
    expect(only('type: gate, prompt: May it go out?')).toMatchObject({
      type: 'human_review',
      gate: { prompt: 'May it go out?', onExpiry: 'fail' },
    });
    expect(only('type: human_review, prompt: x')?.gate).not.toHaveProperty('expiresIn');
  });

  it('reads its contract, its time limit and its on_expiry', () => {
    const said = only(
      'type: human_review, prompt: Which?, decision: "{pick :string}", expires_in: 2h, on_expiry: converge',
    );
    expect(said?.gate).toEqual({
      prompt: 'Which?',
      decision: { type: 'object', required: ['pick'], properties: { pick: { type: 'string' } } },
      expiresIn: 7_200_000,
      onExpiry: 'converge',
    });
  });

  it('requires a prompt, and expires_in beside on_expiry', () => {
    expect(findings('  - { name: a, type: human_review }\n')).toEqual(['SHAPE_MISSING_KEY steps.0']);
    expect(findings('  - { name: a, type: human_review, prompt: x, on_expiry: approve }\n')).toEqual([
      'SHAPE_MISSING_KEY steps.0',
    ]);
  });

  it('refuses an empty prompt', () => {
    expect(findings('  - { name: a, type: human_review, prompt: "" }\n')).toEqual(['SHAPE_WRONG_VALUE steps.0.prompt']);
    expect(findings('  - { name: a, type: human_review, prompt: "  " }\n')).toEqual([
      'SHAPE_WRONG_VALUE steps.0.prompt',
    ]);
    expect(findings(call('approval: { prompt: " " }'))).toEqual(['SHAPE_WRONG_VALUE steps.0.approval.prompt']);
  });

  it('refuses an invalid contract', () => {
    const pick = '{ type: integer, minimum: 5, maximum: 3 }';
    expect(findings(`  - { name: a, type: human_review, prompt: x, decision: ${pick} }\n`)).toEqual([
      'CONTRACT_RANGE_EMPTY steps.0.decision.minimum',
    ]);
  });

  it('cannot expire with approve when its contract refuses an approval', () => {
    const review = (decision: string) =>
      findings(
        `  - { name: a, type: human_review, prompt: x, expires_in: 1h, on_expiry: approve, decision: "${decision}" }\n`,
      );
    expect(review('{pick :string}')).toEqual(['CONTRACT_MISMATCH steps.0.on_expiry']);
    expect(review('{approved :bool, pick :string?}')).toEqual([]);
    const steps = '  - { name: a, type: human_review, prompt: x, expires_in: 1h, on_expiry: approve }\n';
    expect(findings(steps)).toEqual([]);
  });

  it('depends on the steps that its prompt refers to, and its answer has a contract', () => {
    const steps = `${call('')}  - { name: ask, type: human_review, prompt: "May {{ results.a }} go?" }\n`;
    expect(template(steps).steps[1]?.dependencies).toEqual(['a']);
    const use = (path: string) =>
      `${steps}  - { name: b, handler: report.write, input: { x: "{{ results.ask.${path} }}" } }\n`;
    expect(findings(use('approved'))).toEqual([]);
    expect(findings(use('aproved'))).toEqual(['REFERENCE_PATH_UNKNOWN steps.2.input.x']);
  });

  it('has its contract under "decision", and calls nothing', () => {
    expect(findings('  - { name: a, type: human_review, prompt: x, output: "{a :int}" }\n')).toEqual([
      'SHAPE_KEY_MISPLACED steps.0.output',
    ]);
    expect(findings('  - { name: a, type: human_review, prompt: x, handler: report.write }\n')).toEqual([
      'SHAPE_KEY_MISPLACED steps.0.handler',
    ]);
  });
});

describe('an approval', () => {
  it.each(['true', 'always', '{}'])('written as %s asks about every call', (written) => {
    const [step] = template(call(`approval: ${written}`)).steps;
    expect(step?.approval).toEqual({ onExpiry: 'fail' });
  });

  it.each(['false', 'never'])('written as %s asks about no call', (written) => {
    expect(template(call(`approval: ${written}`)).steps[0]?.approval).toBeUndefined();
  });

  it('may have a prompt, a condition and a time limit', () => {
    const steps = `${call('')}  - { name: b, handler: report.write, approval: { prompt: "Send {{ results.a }}?", when: (pos? (:n (:a data/results))), expires_in: 1h, on_expiry: reject } }\n`;
    expect(template(steps).steps[1]).toMatchObject({
      implied: ['a'],
      approval: {
        prompt: 'Send {{ results.a }}?',
        when: { $lisp: '(pos? (:n (:a data/results)))', place: { line: 6 } },
        expiresIn: 3_600_000,
        onExpiry: 'reject',
      },
    });
  });

  it('can be asked for each item of a fan-out', () => {
    const steps =
      '  - { name: m, type: fan_out, for_each: [1], do: { handler: report.write, approval: { prompt: "{{ item }}?" } } }\n';
    expect(template(steps).steps[0]?.fanOut?.do.approval?.prompt).toBe('{{ item }}?');
  });

  it('may refer to existing values only', () => {
    expect(findings(call('approval: { prompt: "{{ results.nobody }}" }'))).toEqual([
      'REFERENCE_UNKNOWN steps.0.approval.prompt',
    ]);
    expect(findings(call('approval: { when: (pos? data/nothing) }'))).toEqual(['LISP_UNBOUND steps.0.approval.when']);
    expect(findings(call('approval: sometimes'))).toEqual(['SHAPE_WRONG_VALUE steps.0.approval']);
  });
});

it('has max_clarifications beside it', () => {
  expect(only('handler: report.write, max_clarifications: 0')?.maxClarifications).toBe(0);
  expect(only('handler: report.write')).not.toHaveProperty('maxClarifications');
});

describe('a plan review', () => {
  const plan = (fields: string) =>
    `  - { name: p, type: planning, planner: { kind: fixed, fragment: { steps: [] } }, convergence_target: end, ${fields} }\n  - { name: end, type: deferred, after: p, convergence: { on_exhaustion: ask } }\n`;
  const planning = (fields: string) => template(plan(fields)).steps[0]?.planning;

  it('is never, always, or a condition', () => {
    expect(planning('plan_review: never')).not.toHaveProperty('review');
    expect(planning('plan_review: always')?.review).toBe('always');
    expect(planning('plan_review: true')?.review).toBe('always');
    expect(planning('plan_review: false')).not.toHaveProperty('review');
    expect(planning('plan_review: { when: (> (count (:steps data/plan)) 3) }')?.review).toMatchObject({
      when: { $lisp: '(> (count (:steps data/plan)) 3)', place: { line: 5 } },
    });
  });

  it('may read the plan, the budget and the input only', () => {
    expect(findings(plan('plan_review: { when: (and data/plan data/budget data/input) }'))).toEqual([]);
    expect(findings(plan('plan_review: { when: (some? data/results) }'))).toEqual([
      'LISP_UNBOUND steps.0.plan_review.when',
    ]);
    expect(findings(plan('plan_review: sometimes'))).toEqual(['SHAPE_WRONG_VALUE steps.0.plan_review']);
  });

  it('is also asked for when the budget is used up', () => {
    expect(template(plan('')).steps[1]?.convergence?.onExhaustion).toBe('ask');
  });
});
