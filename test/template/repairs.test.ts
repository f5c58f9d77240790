// Planning again, as templates ask for it: on a planning step, and for steps that no planner brought.
import { describe, expect, it } from 'vitest';
import { findings, template } from './given-steps.ts';

const plan = (fields: string) =>
  `  - { name: p, type: planning, planner: { kind: lisp, source: "{:steps []}", repair: "{:steps []}" }, convergence_target: end, ${fields} }\n  - { name: end, type: deferred, after: p }\n`;
const planning = (fields: string) => template(plan(fields)).steps[0]?.planning;

describe('replan on a planning step', () => {
  it('has defaults', () => {
    expect(planning('')).not.toHaveProperty('replan');
    expect(planning('replan: {}')?.replan).toEqual({
      scope: 'tail',
      approval: 'never',
      afterLast: 'fail',
      maxAttempts: 3,
      cooldown: 1_000,
    });
  });

  it('reads its limit, its scope, its approval and its end', () => {
    const said =
      'replan: { max: 2, scope: phase, approval: on_budget, then: ask, max_replan_attempts: 0, replan_cooldown: 5s }';
    expect(planning(said)?.replan).toEqual({
      max: 2,
      scope: 'phase',
      approval: 'on_budget',
      afterLast: 'ask',
      maxAttempts: 0,
      cooldown: 5_000,
    });
  });

  it('reports the place of errors in a repair rule', () => {
    expect(planning('')?.planner).toMatchObject({ repair: { $lisp: '{:steps []}', place: { line: 5 } } });
    expect(findings(plan('').replace('repair: "{:steps []}"', 'repair: "(nonsense)"'))).toEqual([
      'LISP_UNBOUND steps.0.planner.repair',
    ]);
  });

  it('may have a repair rule only for lisp and fixed planners', () => {
    const steps = plan('').replace('kind: lisp, source: "{:steps []}"', 'kind: capability, name: report.write');
    expect(findings(steps)).toEqual(['SHAPE_KEY_MISPLACED steps.0.planner.repair']);
  });
});

describe('a planning step', () => {
  it('gets warnings for failure keys without effect', () => {
    expect(findings(plan('on_failure: retry'))).toEqual(['PLANNING_KEY_IDLE steps.0.on_failure']);
    expect(findings(plan('on_failure: skip, critical: false'))).toEqual([
      'PLANNING_KEY_IDLE steps.0.critical',
      'PLANNING_KEY_IDLE steps.0.on_failure',
    ]);
    expect(findings(plan('verification: (some? data/result), on_verification_failure: replan'))).toEqual([
      'PLANNING_KEY_IDLE steps.0.verification',
      'PLANNING_KEY_IDLE steps.0.on_verification_failure',
    ]);
    expect(findings(plan('on_failure: stop, on_verification_failure: stop, critical: true'))).toEqual([]);
  });

  it('with replan requires a repair planner', () => {
    const repair = 'repair: { planner: { kind: lisp, source: "{:steps []}" } }';
    expect(findings(plan('on_failure: replan'))).toEqual(['REPAIR_MISSING steps.0.on_failure']);
    expect(findings(plan('on_failure: replan'), repair)).toEqual([]);
  });
});

describe("the template's own repair planner", () => {
  const steps =
    '  - { name: a, handler: report.write, on_failure: replan }\n  - { name: end, type: deferred, after: a }\n';
  const repair = (fields: string) => `repair: { planner: { kind: lisp, source: "{:steps []}" }${fields} }`;

  it('is read like a planning step', () => {
    const said = repair(
      ', goal: Mend it., allow: [report.*], constraints: Be quick., max_attempts: 2, replan: { then: ask }',
    );
    expect(template(steps, said).repair?.planning).toMatchObject({
      planner: { kind: 'lisp', source: { $lisp: '{:steps []}', place: { line: 3 } } },
      goal: 'Mend it.',
      allow: ['report.*'],
      deny: [],
      constraints: ['Be quick.'],
      maxAttempts: 2,
      replan: { afterLast: 'ask', scope: 'tail' },
    });
    expect(template(steps, repair(''))).not.toHaveProperty('repair.planning.target');
  });

  it('may restrict effects of its plans', () => {
    expect(template(steps, repair(', effects: [read]')).repair?.effects).toEqual(['read']);
    expect(findings(steps, 'repair: { planner: { kind: capability, name: report.write }, effects: [read] }')).toEqual([
      'EFFECT_DENIED repair.planner.name',
    ]);
  });

  it('has no scope, because it has no phase', () => {
    expect(findings(steps, repair(', replan: { max: 1 }'))).toEqual(['SHAPE_UNKNOWN_KEY repair.replan.max']);
    expect(findings(steps, repair(', replan: { scope: phase }'))).toEqual(['SHAPE_UNKNOWN_KEY repair.replan.scope']);
  });

  it('is part of the digest of the template', () => {
    expect(template(steps, repair('')).digest).not.toBe(template(steps, repair(', goal: x')).digest);
  });

  it('may refer to steps and to the input, and needs granted capabilities', () => {
    expect(findings(steps, repair(', goal: "{{ results.a }} {{ input.x }}"'))).toEqual([]);
    expect(findings(steps, repair(', goal: "{{ results.nobody }}"'))).toEqual(['REFERENCE_UNKNOWN repair.goal']);
    expect(findings(steps, 'repair: { planner: { kind: capability, name: nobody } }')).toEqual([
      'CAPABILITY_UNKNOWN repair.planner.name',
    ]);
    expect(findings(steps, 'repair: { planner: { kind: lisp, source: "(nonsense)" } }')).toEqual([
      'LISP_UNBOUND repair.planner.source',
    ]);
    expect(findings(steps, 'repair: { planner: { kind: llm } }')).toContain('MODEL_NOT_CONFIGURED repair.planner');
    expect(findings(steps, 'repair: { goal: x }')).toContain('SHAPE_MISSING_KEY repair');
  });

  it('needs a convergence step behind the failed step', () => {
    const to = (end: string) =>
      findings(
        `  - { name: a, handler: report.write, on_failure: replan }\n  - { name: b, handler: report.write, after: a }\n${end}`,
        repair(''),
      );
    expect(to('  - { name: end, handler: report.write, after: b, convergence: { policy: all_settled } }\n')).toEqual(
      [],
    );
    expect(to('  - { name: end, handler: report.write, after: b }\n')).toEqual([
      'REPAIR_WITHOUT_TARGET steps.0.on_failure',
    ]);
  });
});
