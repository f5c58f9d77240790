// The review accepts a fragment, or refuses it with all its issues.
import { describe, expect, test } from 'vitest';
import { hasErrors } from '../../src/base/issue.ts';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { defaultRunBudget } from '../../src/budget/limits.ts';
import type { ModelProfile } from '../../src/model/profile.ts';
import { planHash } from '../../src/planning/plan-hash.ts';
import { readFragment } from '../../src/planning/read-fragment.ts';
import { review, reviewUnread } from '../../src/planning/review.ts';
import type { ModelSettings } from '../../src/template/check/models.ts';
import { profileOf } from '../profile-of.ts';
import { call, declaration, frame, framed, judged, marks, read } from './given-frame.ts';

const planner = { kind: 'fixed', fragment: { steps: [] } };
const nested = { name: 'deeper', type: 'planning', goal: 'look closer', planner };

describe('an accepted fragment', () => {
  test('has no issues and an estimate', () => {
    const verdict = judged([
      { name: 'sniff', capability: 'csv.sniff', input: { path: '{{ results.ingest.files.0 }}' } },
      { name: 'count', type: 'compute', expr: '(count (:columns (:sniff data/results)))' },
    ]);
    expect(verdict).toEqual({ accepted: true, issues: [], estimate: { steps: 2, tool_calls: 1, cost_usd: 100 } });
  });

  test('may be empty', () => {
    expect(judged([])).toEqual({ accepted: true, issues: [], estimate: {} });
  });

  test('may depend on its planning step and on ancestors', () => {
    expect(marks(judged([call('a', ['plan_recon', 'ingest'])]))).toEqual([]);
  });
});

describe('2 names', () => {
  test('are unique after they are normalized', () => {
    expect(marks(judged([call('Fetch A'), call('fetch_a')]))).toEqual(['STEP_NAME_REPEATED steps.1.name']);
  });

  test('in dependencies exist, and the nearest name is suggested', () => {
    const { issues } = judged([call('sniff'), call('b', ['snif'])]);
    expect(issues).toMatchObject([{ code: 'DEPENDENCY_UNKNOWN', hint: 'did you mean "sniff"?' }]);
  });

  test('in dependencies are not the step itself', () => {
    expect(marks(judged([call('a', ['a'])]))).toEqual(['DEPENDENCY_SELF steps.0.dependencies.0']);
  });

  test('in dependencies may not be the target', () => {
    expect(marks(judged([call('a', ['finalize'])]))).toEqual(['DEPENDENCY_UNKNOWN steps.0.dependencies.0']);
  });
});

describe('3 capabilities', () => {
  test('exist, and the nearest name is suggested', () => {
    const { issues } = judged([call('a', [], { capability: 'csv.snif' })]);
    expect(issues).toMatchObject([
      { code: 'FRAGMENT_UNKNOWN_CAPABILITY', path: ['steps', 0, 'capability'], hint: 'did you mean "csv.sniff"?' },
    ]);
  });

  test('with an unknown name bring suggestions from the same family', () => {
    const { issues } = judged([call('a', [], { capability: 'files.transmogrify' })]);
    expect(issues[0]?.hint).toBe('choose from files.read, files.write, …');
  });

  test('are granted', () => {
    expect(marks(judged([call('a', [], { capability: 'shell.run' })]))).toEqual([
      'FRAGMENT_CAPABILITY_DENIED steps.0.capability',
    ]);
  });

  test('that plan are granted', () => {
    const byCapability = { ...nested, planner: { kind: 'capability', name: 'shell.run' } };
    expect(marks(judged([byCapability]))).toEqual(['FRAGMENT_CAPABILITY_DENIED steps.0.planner.name']);
  });

  test('named like a property of every object are unknown', () => {
    expect(marks(judged([call('a', [], { capability: 'constructor' })]))).toEqual([
      'FRAGMENT_UNKNOWN_CAPABILITY steps.0.capability',
    ]);
  });
});

describe('3 agents', () => {
  const small: ModelProfile = profileOf({
    ...{ model: 'small', price: { input: 1, output: 1 } },
    ...{ maxOutputTokens: 100, minOutputTokens: 10, timeout: 1_000, maxRetries: 0 },
  });
  const asking: ModelSettings = {
    models: { default: small },
    agents: {},
    budget: defaultRunBudget,
    context: { strategy: 'contract', maxTokens: 4_000 },
  };
  const told = (agent: string, more: Record<string, Json> = {}): Json => ({
    name: 'a',
    agent,
    description: 'Think',
    ...more,
  });
  const marksOf = (reply: Json, within = asking) => marks(review(read(reply), framed({ asking: within })));

  test('may come from the template or from the plan', () => {
    expect(marksOf([told('default')])).toEqual([]);
    expect(marksOf({ agents: { ann: { prompt: 'You read.', tools: ['files.read'] } }, steps: [told('ann')] })).toEqual(
      [],
    );
  });

  test('are declared', () => {
    expect(marksOf([told('ann')])).toEqual(['AGENT_UNKNOWN 0.agent']);
  });

  test('have a model', () => {
    expect(marksOf([told('default')], { ...asking, models: {} })).toEqual(['MODEL_NOT_CONFIGURED 0.agent']);
  });

  test('have granted tools only', () => {
    const tools = ['files.read', 'shell.*', 'nothing.known'];
    expect(marksOf({ steps: [told('ann')], agents: [{ name: 'ann', prompt: 'x', tools }] })).toEqual([
      'FRAGMENT_CAPABILITY_DENIED agents.0.tools.1',
      'FRAGMENT_UNKNOWN_CAPABILITY agents.0.tools.2',
    ]);
  });
});

describe('5 cycles', () => {
  test('are reported with their steps', () => {
    const { issues } = judged([call('a', ['c']), call('b', ['a']), call('c', ['b'])]);
    expect(issues).toMatchObject([
      { code: 'GRAFT_CYCLE', message: 'steps wait for each other: a waits for c waits for b waits for a' },
    ]);
  });

  test('can be closed by a reference', () => {
    const { issues } = judged([call('a', ['b']), call('b', [], { input: { of: '{{ results.a }}' } })]);
    expect(issues.map(({ code }) => code)).toEqual(['GRAFT_CYCLE']);
  });
});

describe('6 references', () => {
  test('lead to an existing step', () => {
    const { issues } = judged([call('a', [], { input: '{{ results.ingst.files }}' })]);
    expect(issues).toMatchObject([
      { code: 'REFERENCE_UNKNOWN', path: ['steps', 0, 'input'], hint: 'did you mean "ingest"?' },
    ]);
  });

  test('lead to a path in the contract', () => {
    const { issues } = judged([call('a', [], { input: '{{ results.ingest.file }}' })]);
    expect(issues).toMatchObject([{ code: 'REFERENCE_PATH_UNKNOWN', hint: 'did you mean "files"?' }]);
  });

  test('into the run input lead to a path in its contract', () => {
    expect(marks(judged([call('a', [], { input: '{{ input.floder }}' })]))).toEqual([
      'REFERENCE_PATH_UNKNOWN steps.0.input',
    ]);
  });

  test('inside Lisp are checked', () => {
    expect(marks(judged([{ name: 'a', type: 'compute', expr: '(get-in data/results ["nobody" "x"])' }]))).toEqual([
      'REFERENCE_UNKNOWN steps.0.expr',
    ]);
  });
});

describe('4 inputs', () => {
  const properties = { path: { type: 'string' } };
  const marksWith = (input: JsonObject) => {
    const declarations = { 'files.read': declaration('files.read', { input }) };
    return marks(judged([call('a', [], { input: { path: 'x', encoding: 'utf-8' } })], framed({ declarations })));
  };

  test('have only arguments that the contract declares', () => {
    expect(marksWith({ type: 'object', properties })).toEqual(['INPUT_UNKNOWN_KEY steps.0.input.encoding']);
    expect(marksWith({ type: 'object', properties, additionalProperties: false })).toEqual([
      'INPUT_UNKNOWN_KEY steps.0.input.encoding',
    ]);
  });

  test.each<{ title: string; input: JsonObject }>([
    { title: 'lets others in', input: { type: 'object', properties, additionalProperties: true } },
    {
      title: 'has a schema for others',
      input: { type: 'object', properties, additionalProperties: { type: 'string' } },
    },
    { title: 'declares none', input: { type: 'object' } },
  ])('may have any argument when the contract $title', ({ input }) => {
    expect(marksWith(input)).toEqual([]);
  });
});

describe('9 effects', () => {
  test('that change something are allowed, for repeatable and other capabilities', () => {
    expect(marks(judged([call('a', [], { capability: 'files.write' })]))).toEqual([]);
    expect(marks(judged([call('a', [], { capability: 'report.write' })]))).toEqual([]);
  });

  test('that the run denies are reported at calls and at planners', () => {
    const denying = framed({ ruledOut: new Map([['pay.send', ['write'] as const]]) });
    const planner = { kind: 'capability', name: 'pay.send' };
    expect(marks(judged([call('a', [], { capability: 'pay.send' }), { ...nested, planner }], denying))).toEqual([
      'EFFECT_DENIED steps.0.capability',
      'EFFECT_DENIED steps.1.planner.name',
    ]);
  });

  test('that need approval are refused for planners', () => {
    const planner = { kind: 'capability', name: 'report.write' };
    expect(marks(judged([{ ...nested, planner }]))).toEqual(['EFFECT_NOT_APPROVED steps.0.planner.name']);
    const allowing = framed({ effects: { allowed: ['write'], denied: [], approval: [] } });
    expect(marks(judged([{ ...nested, planner }], allowing))).toEqual([]);
  });
});

describe('10 the bounds', () => {
  test('limit the number of steps', () => {
    const steps = Array.from({ length: 7 }, (_, index) => call(`s${index}`));
    expect(marks(judged(steps))).toEqual(['FRAGMENT_TOO_MANY_STEPS steps']);
    expect(marks(judged(steps.slice(1)))).toEqual([]);
  });

  test('limit the longest chain', () => {
    const chain = [call('a'), call('b', ['a']), call('c', ['b']), call('d', ['c'])];
    const { issues } = judged(chain);
    expect(marks({ issues })).toEqual(['FRAGMENT_TOO_DEEP steps.3.dependencies']);
    expect(issues[0]?.hint).toMatch(/end after 3 steps with a nested planning step/);
    expect(marks(judged(chain.slice(0, 3)))).toEqual([]);
  });

  test('limit attempts and time', () => {
    const patient = { retry: { max_attempts: 11 }, timeout: '2h', max_deliveries: 50, max_clarifications: 11 };
    expect(marks(judged([call('a', [], patient)]))).toEqual([
      'FRAGMENT_TOO_MANY_ATTEMPTS steps.0.retry.max_attempts',
      'FRAGMENT_TOO_MANY_ATTEMPTS steps.0.max_deliveries',
      'FRAGMENT_TOO_MANY_ATTEMPTS steps.0.max_clarifications',
      'FRAGMENT_TIMEOUT_TOO_LONG steps.0.timeout',
    ]);
  });
});

const each = (name: string, width: number, item: Record<string, Json> = { capability: 'files.read' }): Json => ({
  name,
  type: 'fan_out',
  for_each: '{{ results.ingest.files }}',
  max_width: width,
  do: item,
});

describe('10 fan-outs', () => {
  test('count with their full width', () => {
    expect(marks(judged([each('map', 5)]))).toEqual([]);
    const { issues } = judged([each('map', 5), call('a')]);
    expect(issues).toMatchObject([
      {
        code: 'FRAGMENT_TOO_MANY_STEPS',
        message: 'the plan has 2 steps and fan-outs that may become 5 more, and one fragment may have 6',
      },
    ]);
  });

  test('are no wider than max_fan_out', () => {
    const narrow = framed({ bounds: { fragmentSteps: 20, fragmentDepth: 3, fanOut: 4 } });
    expect(marks(judged([each('map', 4)], narrow))).toEqual([]);
    expect(marks(judged([each('map', 5)], narrow))).toEqual(['FRAGMENT_TOO_WIDE steps.0.max_width']);
  });

  test('have items that pass every check of steps', () => {
    const within = (item: Record<string, Json>) => marks(judged([each('map', 2, item)]));
    expect(within({ capability: 'shell.run' })).toEqual(['FRAGMENT_CAPABILITY_DENIED steps.0.do.capability']);
    expect(within({ capability: 'csv.sniff' })).toEqual(['INPUT_MISSING_KEY steps.0.do.input']);
    expect(within({ capability: 'csv.sniff', input: { path: '{{ item.x }}' } })).toEqual([
      'REFERENCE_PATH_UNKNOWN steps.0.do.input.path',
    ]);
    expect(within({ capability: 'files.read', timeout: '2h' })).toEqual([
      'FRAGMENT_TIMEOUT_TOO_LONG steps.0.do.timeout',
    ]);
    expect(within({ capability: 'csv.sniff', input: { path: '{{ item }}' } })).toEqual([]);
  });

  test('depend on the steps that their items refer to', () => {
    const { issues } = judged([
      each('map', 2, { capability: 'files.read', input: '{{ results.a }}' }),
      call('a', ['map']),
    ]);
    expect(issues.map(({ code }) => code)).toEqual(['GRAFT_CYCLE']);
  });
});

describe('10 keys reserved for templates', () => {
  test('include the review and the repair of plans', () => {
    expect(marks(judged([{ ...nested, replan: { max: 9 }, plan_review: 'always' }]))).toEqual([
      'FRAGMENT_KEY_RESERVED steps.0.replan',
      'FRAGMENT_KEY_RESERVED steps.0.plan_review',
    ]);
    expect(marks(judged([{ ...nested, plan_review: 'never' }]))).toEqual([]);
  });

  test('do not include approvals and questions to a person', () => {
    const steps = [
      call('a', [], { approval: true, max_clarifications: 1 }),
      { name: 'ask', type: 'human_review', prompt: 'Go on with {{ results.a }}?' },
    ];
    expect(marks(judged(steps))).toEqual([]);
    expect(marks(judged([call('a', [], { max_clarifications: 11 })]))).toEqual([
      'FRAGMENT_TOO_MANY_ATTEMPTS steps.0.max_clarifications',
    ]);
  });

  test('limit the budget of nested planning to the remaining budget', () => {
    const budget = { max_total_steps: 30, max_cost_budget: '$2', max_wall_clock_time: '10m', max_planning_depth: 3 };
    const left = framed({ available: { steps: 12, cost_usd: 500_000, time: 60_000 }, depthLeft: 2 });
    expect(judged([{ ...nested, budget }], left).issues.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'BUDGET_OVER_PARENT "max_total_steps" is 30 where the budget above has 12 left',
      'BUDGET_OVER_PARENT "max_cost_budget" is $2.00 where the budget above has $0.50 left',
      'BUDGET_OVER_PARENT "max_wall_clock_time" is 10m where the budget above has 1m left',
      'BUDGET_OVER_PARENT "max_planning_depth" is 3 where the budget above has 2 left',
    ]);
    const part = { max_total_steps: 12, max_cost_budget: '$0.50', max_wall_clock_time: '1m', max_planning_depth: 2 };
    expect(marks(judged([{ ...nested, budget: part }], left))).toEqual([]);
    expect(marks(judged([{ ...nested, budget }]))).toEqual(['BUDGET_OVER_PARENT steps.0.budget.max_planning_depth']);
  });

  test('limit the bounds of nested plans to the bounds of the frame', () => {
    expect(marks(judged([{ ...nested, budget: { max_fragment_steps: 7 } }]))).toEqual([
      'BUDGET_OVER_PARENT steps.0.budget.max_fragment_steps',
    ]);
    expect(marks(judged([{ ...nested, budget: { max_fragment_steps: 6 } }]))).toEqual([]);
  });
});

test('a step with on_failure replan needs no repair planner of its own', () => {
  const asks = { on_failure: 'replan', on_verification_failure: 'replan' };
  expect(marks(judged([call('a', [], asks), { ...nested, on_failure: 'replan' }]))).toEqual([]);
});

test('a synthesis gate whose failure is tolerated causes a warning', () => {
  const verdict = judged([call('a'), { name: 'all', type: 'synthesis_gate', depends_on: ['a'], critical: false }]);
  expect(verdict.accepted).toBe(true);
  expect(marks(verdict)).toEqual(['SYNTHESIS_TOLERATED steps.1.critical']);
});

describe('10 nested planning', () => {
  test('is allowed while depth is left', () => {
    expect(marks(judged([nested]))).toEqual([]);
    expect(marks(judged([nested], framed({ depthLeft: 0 })))).toEqual(['PLANNING_TOO_DEEP steps.0']);
  });

  test('is refused when little of the budget is left', () => {
    expect(marks(judged([nested], framed({ converge: true })))).toEqual(['PLANNING_WHILE_CONVERGING steps.0']);
  });

  test('converges at its only dependent', () => {
    expect(marks(judged([nested, call('merge', ['deeper'])]))).toEqual([]);
  });

  test('must name a target when two steps depend on it', () => {
    const two = [nested, call('left', ['deeper']), call('right', ['deeper'])];
    expect(marks(judged(two))).toEqual(['PLANNING_DEPENDENT_NOT_TARGET steps.0.convergence_target']);
    const named = [{ ...nested, convergence_target: 'left' }, call('left', ['deeper']), call('right', ['left'])];
    expect(marks(judged(named))).toEqual([]);
  });

  test('names a target that depends on it', () => {
    const steps = [{ ...nested, convergence_target: 'left' }, call('left')];
    expect(marks(judged(steps))).toEqual(['CONVERGENCE_TARGET_NOT_DEPENDENT steps.0.convergence_target']);
  });

  test('may name the target of the fragment itself', () => {
    expect(marks(judged([{ ...nested, convergence_target: 'finalize' }]))).toEqual([]);
    expect(marks(judged([{ ...nested, convergence_target: 'nowhere' }]))).toEqual([
      'CONVERGENCE_TARGET_UNKNOWN steps.0.convergence_target',
    ]);
  });

  test('gets a suggestion for a misspelled target', () => {
    const hintFor = (target: string) => judged([{ ...nested, convergence_target: target }]).issues[0]?.hint;
    expect(hintFor('finalise')).toBe('did you mean "finalize"?');
    expect(hintFor('report')).toBe('name "finalize", the target of the plan, or leave it out');
  });

  test('has no dependents when it ends with the fragment', () => {
    const steps = [{ ...nested, convergence_target: 'finalize' }, call('left', ['deeper'])];
    expect(marks(judged(steps))).toEqual(['PLANNING_DEPENDENT_NOT_TARGET steps.0.convergence_target']);
  });
});

describe('11 the estimate', () => {
  test('fits the remaining budget, or the issue gives the excess and the steps', () => {
    const { issues, estimate } = judged(
      [call('a'), call('b'), call('c'), call('d')],
      framed({ available: { steps: 2 } }),
    );
    expect(issues).toMatchObject([
      {
        code: 'BUDGET_EXCEEDED',
        path: ['steps', 2],
        message: 'the plan needs 4 steps, and 2 are left; without "c" and "d" it fits',
        hint: 'plan less; the limit is max_total_steps',
      },
    ]);
    expect(estimate.steps).toBe(4);
  });

  test('counts every attempt', () => {
    const steps = [call('a', [], { retry: { max_attempts: 5 } })];
    expect(marks(judged(steps, framed({ available: { tool_calls: 4 } })))).toEqual(['BUDGET_EXCEEDED steps.0']);
    expect(marks(judged(steps, framed({ available: { tool_calls: 5 } })))).toEqual([]);
  });

  test('counts the phases of nested planning', () => {
    expect(marks(judged([nested], framed({ available: { phases: 0 } })))).toEqual(['BUDGET_EXCEEDED steps.0']);
  });

  test('ignores a spent resource that the fragment does not use', () => {
    expect(marks(judged([call('a')], framed({ available: { llm_calls: -1, phases: 0 } })))).toEqual([]);
  });
});

describe('12 convergence', () => {
  const merge = (min: number | string) => [
    call('a'),
    call('b'),
    { name: 'merge', type: 'deferred', depends_on: ['a', 'b'], convergence: { policy: 'quorum', min } },
  ];

  test('cannot need more successes than there are branches', () => {
    expect(marks(judged(merge(3)))).toEqual(['CONVERGENCE_UNSATISFIABLE steps.2.convergence.min']);
    expect(marks(judged(merge(2)))).toEqual([]);
    expect(marks(judged(merge('100%')))).toEqual([]);
  });

  test('is at the target of the planning step, also when the plan does not name it', () => {
    const named = (target: string) => {
      const fragment = read({ convergence_target: target, steps: [call('a')] });
      return review(fragment, frame).issues.map(({ code, path, message, hint }) => ({ code, path, message, hint }));
    };
    expect(named('finalize')).toEqual([]);
    expect(named('finalise')).toEqual([
      {
        code: 'CONVERGENCE_TARGET_UNKNOWN',
        path: ['convergence_target'],
        message: 'the plan names "finalise" as its convergence target, and it comes together at "finalize"',
        hint: 'did you mean "finalize"?',
      },
    ]);
    expect(named('a')).toMatchObject([{ hint: 'write "finalize", or leave it out' }]);
  });

  test('with a quorum needs a plan with enough branches', () => {
    const wants = (min: number, beside: number) => framed({ quorum: { min, beside } });
    const { issues } = judged([call('a'), call('b', ['a']), call('c', ['a'])], wants(4, 1));
    expect(issues).toMatchObject([
      {
        code: 'CONVERGENCE_UNSATISFIABLE',
        path: ['steps'],
        message: '"finalize" asks for 4 successes, and the plan ends in 2 branches beside 1 other',
        hint: 'let at least 3 steps end the plan, each with a result of its own',
      },
    ]);
    expect(marks(judged([call('a'), call('b')], wants(3, 1)))).toEqual([]);
    expect(marks(judged([call('a'), nested], wants(9, 0)))).toEqual([]);
    expect(marks(judged([], wants(2, 0)))).toEqual([]);
  });

  test('in a nested phase may need more branches than there are yet', () => {
    const steps = [
      nested,
      { name: 'merge', type: 'deferred', depends_on: ['deeper'], convergence: { policy: 'quorum', min: 3 } },
    ];
    expect(marks(judged(steps))).toEqual([]);
  });
});

describe('13 failed work', () => {
  const failing = [
    call('a'),
    call('b', ['a'], { input: { path: '{{ results.a }}', how: { $lisp: '(:a data/results)' } } }),
  ];
  const hashes = (steps: readonly Json[]): Map<string, string> => {
    const specs = new Map(read({ steps: [...steps] }).steps.map((step) => [step.name, step]));
    const hash = (name: string): string => {
      const step = specs.get(name);
      return step === undefined ? name : planHash(step, hash);
    };
    return new Map([...specs.keys()].map((name) => [`plan_recon.1/${name}`, hash(name)]));
  };
  const known = hashes(failing);
  const failed = { hashes: known, steps: new Map([[known.get('plan_recon.1/b') ?? '', 'plan_recon.1/b']]) };
  const outside = new Map([['plan_recon.1/a', { id: 'plan_recon.1/a', optional: false }]]);
  const within = framed({ failed, outside });

  test('is refused under any name', () => {
    const renamed = [
      call('first'),
      call('second', ['first'], {
        description: 'the same again',
        input: { path: '{{ results.first }}', how: { $lisp: '(:first data/results)' } },
      }),
    ];
    expect(marks(judged(failing, within))).toEqual(['REPLAN_REPEATS_FAILURE steps.1']);
    expect(marks(judged(renamed, within))).toEqual(['REPLAN_REPEATS_FAILURE steps.1']);
  });

  test('is refused behind work that is already done', () => {
    const input = { path: '{{ results["plan_recon.1/a"] }}', how: { $lisp: '(:plan_recon.1/a data/results)' } };
    const alone = [call('again', ['plan_recon.1/a'], { input })];
    expect(marks(judged(alone, within))).toEqual(['REPLAN_REPEATS_FAILURE steps.0']);
  });

  test('may be replaced by another call, another input, or other work before it', () => {
    expect(marks(judged([call('a')], within))).toEqual([]);
    expect(marks(judged([call('b', [], { input: { path: 'x' } })], within))).toEqual([]);
    const before = [call('a', [], { input: { path: 'y' } }), failing[1] ?? null];
    expect(marks(judged(before, within))).toEqual([]);
  });
});

describe('the review', () => {
  test('collects the issues of all checks', () => {
    const steps = [
      call('a', [], { capability: 'csv.snif' }),
      call('b', [], { capability: 'files.write', input: '{{ results.nobody }}' }),
      { ...nested },
    ];
    const verdict = judged(steps, framed({ depthLeft: 0, available: { steps: 1 } }));
    expect(verdict.accepted).toBe(false);
    expect(new Set(verdict.issues.map(({ code }) => code))).toEqual(
      new Set(['FRAGMENT_UNKNOWN_CAPABILITY', 'REFERENCE_UNKNOWN', 'PLANNING_TOO_DEEP', 'BUDGET_EXCEEDED']),
    );
  });

  test('accepts a plan with warnings and keeps them', () => {
    const verdict = judged([call('a', [], { verification: 'true' })]);
    expect(verdict.accepted).toBe(true);
    expect(hasErrors(verdict.issues)).toBe(false);
    expect(verdict.issues.length).toBeGreaterThan(0);
  });

  test('gives the same verdict for the same fragment and frame', () => {
    const fragment = read([call('a', ['x'])]);
    expect(review(fragment, frame)).toEqual(review(fragment, frame));
  });
});

describe('a plan with several faults', () => {
  test('gets all issues at once, from checks and readers', () => {
    const steps = [
      { name: 'a', capability: 'csv.snif', input: {}, dependencies: ['nowhere'] },
      { name: 'b', capability: 'shell.run', dependencies: ['c'], verification: '(pos? (' },
      { name: 'c', capability: 'csv.sniff', input: { path: 7 }, dependencies: ['b'] },
      { name: 'd', capability: 'files.read', dependencies: ['d'], colour: 'red' },
      { name: 'e', capability: 'files.read', input: '{{ results.ingest.file }}' },
    ];
    const reading = readFragment({ steps });
    if (reading.ok) throw new Error('the predicate of b does not parse');
    expect(reviewUnread(reading.error, frame).map(({ code, path }) => `${code} ${path.join('.')}`)).toEqual([
      'SHAPE_UNKNOWN_KEY steps.3.colour',
      'LISP_PARSE steps.1.verification',
      'DEPENDENCY_UNKNOWN steps.0.dependencies.0',
      'DEPENDENCY_SELF steps.3.dependencies.0',
      'GRAFT_CYCLE steps.1.dependencies.0',
      'FRAGMENT_UNKNOWN_CAPABILITY steps.0.capability',
      'FRAGMENT_CAPABILITY_DENIED steps.1.capability',
      'CONTRACT_MISMATCH steps.2.input.path',
      'REFERENCE_PATH_UNKNOWN steps.4.input',
    ]);
  });

  test('gets one issue for each cycle', () => {
    const circles = [call('a', ['b']), call('b', ['a']), call('c', ['d']), call('d', ['c'])];
    expect(marks(judged(circles))).toEqual([
      'GRAFT_CYCLE steps.0.dependencies.0',
      'GRAFT_CYCLE steps.2.dependencies.0',
    ]);
  });

  test('gets no issues that only follow from an unreadable part', () => {
    const steps = [
      { name: '!?', capability: 'files.read' },
      { name: 'b', capability: 'files.read', dependencies: ['!?'] },
      { name: 'c', agent: 'ann', description: 'Think' },
      { name: 'd', capability: 'text.double', input: {} },
      7,
    ];
    const capabilities = [{ name: 'text.double', input: '{', output: ':string', lisp: '(str "a" "a")' }];
    const reading = readFragment({ steps, agents: { ann: 'You think.', bob: 3 }, capabilities });
    if (reading.ok) throw new Error('several parts cannot be read');
    const within = framed({ synthesizes: true });
    expect(reviewUnread(reading.error, within)).toEqual(reading.error.issues);
  });
});
