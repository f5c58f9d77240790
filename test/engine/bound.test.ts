// The bound is printed before anything runs, and no run exceeds it.

import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import { limitable, quantity } from '../../src/budget/amount.ts';
import { defaultRunBudget, type RunBudget } from '../../src/budget/limits.ts';
import { boundOf } from '../../src/engine/bound/bound.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { ModelProfile } from '../../src/model/profile.ts';
import { defaultReplan, type PlanningSpec, type ReplanSpec } from '../../src/template/step-spec.ts';
import type { Template } from '../../src/template/template.ts';
import { World, type WorldOptions } from '../../src/testing/world.ts';
import { calls, says, trouble } from './models-say.ts';
import {
  agentOf,
  repairOf,
  type StepSketch,
  stepOf,
  type TemplateSketch,
  templateOf,
  thinker,
  work,
} from './template-of.ts';

const none: ReplanSpec = { ...defaultReplan, max: 0, maxAttempts: 0 };
/** Flat: one phase of at most four steps. */
const small = { fragmentSteps: 4, planningDepth: 1 };

function given(
  steps: readonly StepSketch[],
  more: Omit<TemplateSketch, 'steps' | 'budget'> & { budget?: Partial<RunBudget> } = {},
): Template {
  const { budget, ...rest } = more;
  return templateOf({ steps, budget: { ...small, ...budget }, ...rest });
}

const frame = (
  planning: Partial<PlanningSpec> = {},
  end: Partial<StepSketch> = {},
  plan: Partial<StepSketch> = {},
): readonly StepSketch[] => [
  { name: 'plan', planning: { target: 'end', ...planning }, ...plan },
  { name: 'end', type: 'deferred', after: ['plan'], ...end },
];

const settled = { policy: 'all_settled', early: false, onExhaustion: 'converge' } as const;
const task = (n: number): Json => ({ name: `t${n}`, capability: 'work' });

const bound = (template: Template, resource: string): number | undefined =>
  boundOf(template).find((row) => row.resource === resource)?.bound;
const binds = (template: Template, resource: string): string | undefined =>
  boundOf(template).find((row) => row.resource === resource)?.binds;

const done = (value: Json = {}): EffectOutcome => good(value);
const broken: EffectOutcome = bad({ code: 'CAPABILITY_THREW', message: 'it broke', retry: 'may' });

/** Runs the template to its end and checks that it stayed within its bound. */
function heldRun(template: Template, options: WorldOptions): World {
  const world = new World(template, options).begin().run();
  expect(world.state.status).toBe('ended');
  const spent = world.state.ledger.accounts.get('run')?.spent ?? {};
  for (const of of limitable) {
    expect(quantity(spent, of), of).toBeLessThanOrEqual(bound(template, of) ?? Number.POSITIVE_INFINITY);
  }
  expect(world.attempts).toBeLessThanOrEqual(bound(template, 'attempts') ?? 0);
  return world;
}

describe('the bound of models', () => {
  const scout = agentOf({ name: 'scout', maxTurns: 3, tools: ['work'] });
  const model: ModelProfile = { ...thinker, maxRetries: 0, contextWindow: 2_000 };
  const limit = {};
  const asking = (step: Partial<StepSketch>, more: Partial<TemplateSketch> = {}) =>
    given([{ name: 'a', type: 'task', agent: { name: 'scout' }, maxDeliveries: 1, ...step }], {
      models: { default: model },
      agents: [scout],
      budget: { limit },
      ...more,
    });
  it('is zero when no step asks a model, though one is declared', () => {
    const template = given([{ name: 'a' }], { models: { default: model } });
    expect([bound(template, 'llm_calls'), bound(template, 'cost_usd'), bound(template, 'tokens')]).toEqual([
      0,
      0,
      undefined,
    ]);
  });

  /** Three turns, and one more request when the last turn calls a tool. */
  const ASKS = 3 + 1;

  it('counts every turn of an agent and every reading of its judge, in every attempt', () => {
    expect(bound(asking({}), 'llm_calls')).toBe(ASKS);
    expect(bound(asking({ judge: {} }), 'llm_calls')).toBe(ASKS + 3);
    const retry = { maxAttempts: 2, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;
    expect(bound(asking({ retry, maxDeliveries: 3 }), 'llm_calls')).toBe(ASKS * 2 * 3);
  });

  it('adds the tries that attempts leave to failed requests, and does not multiply the two', () => {
    const retry = { maxAttempts: 2, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;
    const patient = (maxRetries: number) => ({ models: { default: { ...model, maxRetries } } });
    expect(bound(asking({}, patient(2)), 'llm_calls')).toBe(ASKS + 2);
    expect(bound(asking({ retry }, patient(1)), 'llm_calls')).toBe(2 * ASKS);
    expect(bound(asking({ retry }, patient(4)), 'llm_calls')).toBe(2 * ASKS + 3);
  });

  it('counts the most tools that an agent may call, on all turns except the last', () => {
    expect(bound(asking({}), 'tool_calls')).toBe(2 * 8);
    expect(bound(asking({ agent: { name: 'default' } }), 'tool_calls')).toBe(0);
  });

  it('counts the longest request, at the price of its model', () => {
    expect(bound(asking({}), 'tokens')).toBe(ASKS * (2_000 + 100));
    expect(bound(asking({}), 'cost_usd')).toBe(ASKS * (2_000 + 100));
  });

  it('is missing for tokens without a context window, and names the model', () => {
    const { contextWindow: _, ...open } = model;
    const template = asking({}, { models: { default: open } });
    expect(boundOf(template).find(({ resource }) => resource === 'tokens')).toEqual({
      resource: 'tokens',
      ifNothingFails: { least: 0 },
      bound: undefined,
      binds: 'nothing',
      note: 'every ask at its longest; models.default: no context_window is said, and there is no budget.max_total_tokens',
    });
    expect(bound(template, 'llm_calls')).toBe(ASKS);
    const free = { ...open, price: { input: 0, output: 0 } };
    expect(bound(asking({}, { models: { default: free } }), 'cost_usd')).toBe(0);
  });

  it('names the steps that ask, with their tries', () => {
    const template = given([{ name: 'b', judge: {} }, ...frame({ planner: { kind: 'llm' } })], {
      models: { default: model },
    });
    expect(boundOf(template).find(({ resource }) => resource === 'llm_calls')).toMatchObject({
      binds: 'budget.max_total_llm_calls',
      note: 'asked by b (1 try), plan (3 tries), what is planned; every turn, reading and fallback counts; failed attempts and failed requests share the tries of a step',
    });
  });

  it('counts the requests of a planner for each proposal, and one more turn for each question', () => {
    const plan = { planner: { kind: 'llm' }, replan: none, maxAttempts: 2 } as const;
    const template = given(
      frame(plan, {}, { maxDeliveries: 1, maxClarifications: 1, budget: { limit: {}, fragmentSteps: 0 } }),
      {
        models: { default: model },
        budget: { limit },
      },
    );
    expect(bound(template, 'llm_calls')).toBe((2 + 1) * (6 + 1));
  });

  it('counts the agents that a planner may plan, as far as the review lets them in', () => {
    const template = given(frame({ replan: none }), { models: { default: model }, budget: { limit } });
    expect(bound(template, 'llm_calls')).toBe(4 * 3 * 10 * (20 + 1 + 3));
  });

  it('holds for the worst agent', () => {
    let nth = 0;
    const template = asking({
      judge: {},
      onFailure: 'retry',
      retry: { maxAttempts: 2, backoff: 'none', base: 0, max: 0, jitter: 0 },
    });
    const tools = calls(...Array.from({ length: 12 }, () => ['work', {}] as const));
    const refused = { ...trouble('MODEL_FORMAT_UNSUPPORTED', { retryAfter: 0 }), bill: {} };
    const answers = [refused, tools, tools, says('')];
    const world = heldRun(template, {
      perform: ({ type }) => (type === 'ask-model' ? (answers[nth++ % 4] ?? tools) : done()),
    });
    expect(world.state.steps.get('a')).toMatchObject({ attempt: 2, status: 'failed' });
  });
});

describe('the bound of steps', () => {
  it('counts the width of authored fan-outs', () => {
    const map: StepSketch = {
      name: 'map',
      type: 'fan_out',
      fanOut: { do: stepOf({ name: 'map' }), forEach: [1, 2], maxWidth: 7, failureStrategy: 'fail_fast' },
    };
    const template = given([map]);
    expect([bound(template, 'steps'), bound(template, 'tool_calls'), bound(template, 'attempts')]).toEqual([8, 21, 21]);
    heldRun(template, { perform: () => done() });
  });

  it('counts each fragment at the largest size that its planning step allows', () => {
    const narrow = { budget: { limit: {}, fragmentSteps: 2 } };
    expect(bound(given(frame({ replan: none })), 'steps')).toBe(2 + 4);
    expect(bound(given(frame({ replan: none }, {}, narrow)), 'steps')).toBe(2 + 2);
  });

  it('counts a step and a fragment for each replan', () => {
    const template = given(frame(), { budget: { limit: { ...defaultRunBudget.limit, replans: 2 } } });
    expect(bound(template, 'steps')).toBe(2 + 4 + 2 * (1 + 4));
    expect(boundOf(template).find(({ resource }) => resource === 'steps')?.note).toBe(
      '2 authored + what 1 phase and 2 replans may bring',
    );
  });

  it('counts a fragment for a phase that a failed planner leaves to a nested planner', () => {
    const nested = { name: 'n', type: 'planning', planner: { kind: 'fixed', fragment: [1, 2, 3].map(task) } };
    const template = given(
      [
        { name: 'p1', planning: { target: 'e1', replan: none }, budget: { limit: {}, fragmentSteps: 1 } },
        { name: 'e1', type: 'deferred', after: ['p1'] },
        { name: 'p2', planning: { target: 'e2', replan: none }, after: ['e1'] },
        { name: 'e2', type: 'deferred', after: ['p2'] },
      ].map((step) => (step.name.startsWith('e') ? { ...step, convergence: settled } : step)) as StepSketch[],
      { budget: { planningDepth: 2, limit: { ...defaultRunBudget.limit, phases: 2, replans: 0 } } },
    );
    const replies: Record<string, Json> = { p1: 'no plan', p2: { steps: [1, 2, 3].map(task).concat([nested]) } };
    const world = heldRun(template, {
      perform: ({ type, step }) => {
        if (type !== 'ask-planner') return done();
        return done(replies[step] ?? { steps: [1, 2, 3, 4].map(task) });
      },
    });
    expect(world.state.steps.size).toBe(4 + 4 + 4);
    expect([bound(template, 'phases'), bound(template, 'planning_depth')]).toEqual([2, 2]);
  });

  it('is the budget where that is less', () => {
    const template = given(frame(), { budget: { limit: { ...defaultRunBudget.limit, steps: 9 } } });
    expect([bound(template, 'steps'), binds(template, 'steps')]).toEqual([9, 'budget.max_total_steps']);
  });
});

describe('the bound of phases', () => {
  it('leaves no room for nesting when one planning step takes the only phase', () => {
    const limit = { ...defaultRunBudget.limit, phases: 1 };
    const template = given(frame(), { budget: { planningDepth: 3, limit } });
    expect(['phases', 'planning_depth'].map((each) => [bound(template, each), binds(template, each)])).toEqual([
      [1, 'the template'],
      [1, 'budget.max_total_planning_phases'],
    ]);
  });

  it('is missing when nothing limits phases, and then names the steps that may go on for ever', () => {
    const { phases: _, ...limit } = defaultRunBudget.limit;
    const template = given(frame(), { budget: { planningDepth: 2, limit } });
    expect(boundOf(template).find(({ resource }) => resource === 'phases')).toEqual({
      resource: 'phases',
      ifNothingFails: { least: 1 },
      bound: undefined,
      binds: 'nothing',
      note: 'planning steps may nest, and there is no budget.max_total_planning_phases',
    });
    expect([bound(template, 'steps'), binds(template, 'steps')]).toEqual([100, 'budget.max_total_steps']);
  });
});

describe('the bound of cost', () => {
  const priced = (name: string, micro_dollars: number) => ({ ...work, name, cost: { micro_dollars } });

  it('counts every authored call at its price, and every planned call at the dearest', () => {
    const capabilities = [priced('work', 10), priced('dear', 100)];
    expect(bound(given([{ name: 'a' }], { capabilities }), 'cost_usd')).toBe(3 * 10);
    const planned = given(frame({ replan: none }), { capabilities });
    expect(bound(planned, 'cost_usd')).toBe(4 * 10 * 3 * 100);
    heldRun(given([{ name: 'a' }], { capabilities }), { perform: () => done() });
  });

  it('is the budget where that is less', () => {
    const limit = { ...defaultRunBudget.limit, cost_usd: 29 };
    const template = given([{ name: 'a' }], { budget: { limit }, capabilities: [priced('work', 10)] });
    expect([bound(template, 'cost_usd'), binds(template, 'cost_usd')]).toEqual([29, 'budget.max_cost_budget']);
  });
});

describe('the bound of replans', () => {
  const repair = repairOf({ maxAttempts: 2 });
  const asking: StepSketch[] = [
    { name: 'a', onFailure: 'replan' },
    { name: 'end', type: 'deferred', after: ['a'] },
  ];

  it('is the budget when anything is planned', () => {
    expect([bound(given(frame()), 'replans'), binds(given(frame()), 'replans')]).toEqual([
      5,
      'budget.max_total_replans',
    ]);
  });

  it('is zero when nothing is planned, or nothing may be planned again', () => {
    expect(bound(given([{ name: 'a' }]), 'replans')).toBe(0);
    expect(bound(given(frame({ replan: none })), 'replans')).toBe(0);
    expect(bound(given(frame({ replan: { ...none, maxAttempts: 1 } })), 'replans')).toBe(5);
  });

  it('is the budget when a person may answer exhaustion with a new plan', () => {
    const ask = { convergence: { policy: 'all_settled', early: false, onExhaustion: 'ask' } } as const;
    expect(bound(given(frame({ replan: none }, ask)), 'replans')).toBe(5);
  });

  it('counts authored steps when the template has a repair planner', () => {
    expect(bound(given(asking), 'replans')).toBe(0);
    expect(bound({ ...given(asking), repair }, 'replans')).toBe(5);
    expect(bound({ ...given([{ name: 'a' }]), repair }, 'replans')).toBe(0);
    expect(bound({ ...given(asking), repair }, 'steps')).toBe(2 + 5 * (1 + 4));
    expect(bound({ ...given(asking), repair }, 'planning_depth')).toBe(1);
  });

  it('holds for a run with the most repairs', () => {
    const template = { ...given(asking), repair };
    const steps = [{ name: 'a', capability: 'work', on_failure: 'replan', max_retries: 0 }];
    const replies = (step: string): Json => ({ steps: [{ ...steps[0], input: { of: step } }] });
    const world = heldRun(template, {
      perform: ({ type, step }) => (type === 'ask-planner' ? done(replies(step)) : broken),
    });
    expect(world.events.filter(({ type }) => type === 'replan.started')).toHaveLength(3);
  });
});

describe('the bound of attempts', () => {
  it('counts the questions of capabilities that declare questions', () => {
    const step: StepSketch = { name: 'a', maxClarifications: 2 };
    expect(bound(given([step]), 'attempts')).toBe(3);
    expect(bound(given([step], { capabilities: [{ ...work, asks: true }] }), 'attempts')).toBe(9);
    expect(bound(given([{ name: 'a' }], { capabilities: [{ ...work, asks: true }] }), 'attempts')).toBe(12);
  });

  it('counts questions of planned steps when a capability may ask', () => {
    const asks = [{ ...work, asks: true as const }];
    const more =
      (bound(given(frame({ replan: none }), { capabilities: asks }), 'attempts') ?? 0) -
      (bound(given(frame({ replan: none })), 'attempts') ?? 0);
    expect(more).toBe(4 * 10 * 3);
  });

  it('counts the questions and look-ups of a planner beside its proposals', () => {
    const planner = 3 * (3 + 3 + 1);
    expect(bound(given(frame({ replan: none })), 'attempts')).toBe(planner + 4 * 10 * 3);
    expect(bound(given(frame({ replan: none }), { budget: { fragmentSteps: 0 } }), 'tool_calls')).toBe(0);
    const capability = { replan: none, planner: { kind: 'capability', name: 'work' } } as const;
    expect(bound(given(frame(capability), { budget: { fragmentSteps: 0 } }), 'tool_calls')).toBe(planner);
  });

  it('holds for a run with the most questions and the most failures', () => {
    const retry = { maxAttempts: 2, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;
    const template = given([{ name: 'a', onFailure: 'retry', retry }], { capabilities: [{ ...work, asks: true }] });
    const world = heldRun(template, {
      perform: ({ attempt }) => (attempt <= 3 ? done({ needs_clarification: 'Which?' }) : broken),
      review: () => ({ verdict: 'answer', value: 'this one' }),
    });
    expect(world.performed).toHaveLength(5);
  });
});

describe('the bound of time', () => {
  it('is the time of the run, and shows how much of it steps may use', () => {
    const within = (seconds: number): Pick<StepSketch, 'budget'> => ({
      budget: { limit: {}, wallClock: seconds * 1_000 },
    });
    const map: StepSketch = {
      name: 'map',
      type: 'fan_out',
      fanOut: { do: stepOf({ name: 'map', ...within(5) }), forEach: [1], maxWidth: 1, failureStrategy: 'fail_fast' },
    };
    const template = given([...frame({}, {}, within(90)), map], { budget: { wallClock: 600_000 } });
    expect(boundOf(template).find(({ resource }) => resource === 'time')).toMatchObject({
      bound: 600_000,
      binds: 'budget.max_wall_clock_time',
      note: expect.stringMatching(/; of it: plan 1m 30s, each of map 5s$/),
    });
  });
});

describe('the bound of what can happen', () => {
  const fragment = (...more: Json[]): Json => ({ rationale: 'as written', steps: [task(1), task(2), ...more] });
  const fixed = (plan: Json, more: Partial<PlanningSpec> = {}): Partial<PlanningSpec> => ({
    planner: { kind: 'fixed', fragment: plan },
    ...more,
  });
  const nested = { planningDepth: 3 };
  const range = (template: Template, resource: string) =>
    boundOf(template).find((row) => row.resource === resource)?.ifNothingFails;
  const free = { ...work, name: 'free' };
  const dear = { ...work, name: 'dear', cost: { micro_dollars: 1_000_000 } };

  it('is exact for a fixed plan: its steps, no other phases, and no repairs', () => {
    const template = given(frame(fixed(fragment())), { budget: nested });
    expect(['steps', 'phases', 'replans', 'planning_depth'].map((of) => bound(template, of))).toEqual([4, 1, 0, 1]);
    // Two steps have three deliveries each; the convergence step calls nothing.
    expect(bound(template, 'tool_calls')).toBe(2 * 3);
    expect(range(template, 'tool_calls')).toEqual({ least: 2, most: 2 });
    expect(range(template, 'attempts')).toEqual({ least: 3, most: 3 });
  });

  it('counts repairs with the same plan when a step of a fixed plan asks for them', () => {
    const asking = fragment({ name: 't3', capability: 'work', on_failure: 'replan' });
    const template = given(frame(fixed(asking)), { budget: nested });
    expect([bound(template, 'replans'), bound(template, 'steps')]).toEqual([5, 2 + 3 + 5 * (1 + 3)]);
    expect(bound(given(frame(fixed(asking, { replan: none }))), 'replans')).toBe(0);
    expect(range(template, 'replans')).toEqual({ least: 0, most: 0 });
  });

  it('is open for a fixed plan that a rule repairs, that nests, or that a person may edit', () => {
    const mended = { planner: { kind: 'fixed', fragment: fragment(), repair: { $lisp: '{:steps []}' } } } as const;
    const nesting = fragment({ name: 'more', type: 'planning', goal: 'more' });
    const open = [frame(mended), frame(fixed(nesting)), frame(fixed(fragment(), { review: 'always' }))];
    expect(open.map((steps) => bound(given(steps, { budget: nested }), 'phases'))).toEqual([5, 5, 5]);
    expect(range(given(open[2] ?? []), 'steps')).toEqual({ least: 4, most: 4 });
  });

  it('counts only calls of capabilities that the planning step grants', () => {
    const capabilities = [free, dear];
    const cost = (planning: Partial<PlanningSpec>) =>
      bound(given(frame(planning), { capabilities, budget: { limit: { steps: 50, replans: 1 } } }), 'cost_usd');
    expect(cost({ allow: ['free'] })).toBe(0);
    expect(cost({ allow: ['free'], planner: { kind: 'capability', name: 'dear' } })).toBeGreaterThan(0);
    expect(cost({ deny: ['free'] })).toBeGreaterThan(0);
    expect(
      bound(
        given(frame({ allow: ['nothing'] }), { capabilities, budget: { limit: { steps: 50, replans: 1 } } }),
        'tool_calls',
      ),
    ).toBe(0);
  });

  it('is at most the budget of the step', () => {
    const retry = { maxAttempts: 9, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;
    const own = { limit: { tool_calls: 4 } };
    expect(bound(given([{ name: 'a', retry, budget: own }]), 'tool_calls')).toBe(4);
  });

  it('counts one attempt for each review by a person', () => {
    const template = given([{ name: 'look', type: 'human_review', gate: { prompt: 'Well?', onExpiry: 'fail' } }]);
    expect(range(template, 'attempts')).toEqual({ least: 1, most: 1 });
    const world = heldRun(template, { perform: () => done(), review: () => ({ verdict: 'approve' }) });
    expect(world.attempts).toBe(1);
  });

  it('is missing for tokens when a critic without a context window reads the plans', () => {
    const template = given(frame({ replan: none }), { models: { default: thinker }, criticModel: 'default' });
    expect(bound(template, 'tokens')).toBeUndefined();
    expect(range(template, 'tokens')).toEqual({ least: 0 });
  });

  it('counts the items of a written list, and up to the width for a computed one', () => {
    const list = (forEach: Json, batchSize?: number): Template => {
      const of = { do: stepOf({ name: 'map' }), forEach, maxWidth: 8, failureStrategy: 'fail_fast' } as const;
      return given([{ name: 'map', type: 'fan_out', fanOut: batchSize === undefined ? of : { ...of, batchSize } }]);
    };
    expect(range(list([1, 2, 3]), 'tool_calls')).toEqual({ least: 3, most: 3 });
    expect(range(list([1, 2, 3], 2), 'steps')).toEqual({ least: 3, most: 3 });
    expect(range(list({ $lisp: 'data/results' }), 'tool_calls')).toEqual({ least: 0, most: 8 });
    expect(bound(list([1, 2, 3]), 'tool_calls')).toBe(8 * 3);
  });

  it('counts steps with a condition as possible and not as certain', () => {
    const when = { $lisp: 'false' };
    const template = given([{ name: 'a' }, { name: 'b', when }, { name: 'c', after: ['b'] }]);
    expect(range(template, 'tool_calls')).toEqual({ least: 1, most: 3 });
  });
});
