// Random worlds: random templates with tight budgets, adversarial planners, and work that fails at random.

import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import type { Amount, Limit, LimitedResource } from '../../src/budget/amount.ts';
import { defaultRunBudget } from '../../src/budget/limits.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import type { Call } from '../../src/engine/record/call.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { AskPlanner } from '../../src/engine/record/effect.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import {
  defaultReplan,
  type GateSpec,
  type PlanningSpec,
  type ReplanSpec,
  type StepSpec,
} from '../../src/template/step-spec.ts';
import type { Template } from '../../src/template/template.ts';
import { World } from '../../src/testing/world.ts';
import { dice } from './dice.ts';
import { think, thinking, wonder } from './random-models.ts';
import { frugal } from './random-people.ts';
import { repairOf, type StepSketch, stepOf, templateOf, work } from './template-of.ts';

/** Runs in CI; `RECONVERGE_LONG=1` asks for the long suite. */
export const RUNS = process.env.RECONVERGE_LONG === '1' ? 10_000 : 120;

interface Asking {
  readonly asks: Call;
}

/** Longer than any crash lasts. */
const PATIENCE = 30 * 24 * 3_600_000;

export interface Sketch {
  readonly template: Template;
  readonly seed: number;
  /** Plans fail, and most failed steps ask for a repair. */
  readonly brittle?: boolean;
  /** Capabilities bill more than was reserved for them. */
  readonly lies?: boolean;
  /** Nothing planned has a clock of its own, which a crash would let run on. */
  readonly timeless?: boolean;
}

/** The resources that such capabilities bill at random: no estimate bounds their use. */
export const liedAbout: readonly LimitedResource[] = [
  'tool_calls',
  'cost_usd',
  'llm_calls',
  'tokens',
  'tokens_in',
  'tokens_out',
];

const recovery = fc.constantFrom('stop' as const, 'skip' as const, 'retry' as const, 'replan' as const);
const retry = fc.record({
  maxAttempts: fc.integer({ min: 1, max: 3 }),
  backoff: fc.constantFrom('none' as const, 'linear' as const, 'exponential' as const, 'fibonacci' as const),
  base: fc.nat(500),
  max: fc.constant(2_000),
  jitter: fc.constantFrom(0, 0.5),
});

/** Fan-outs that fit and that are too wide, over lists and over other values. */
const fanOut = fc.record({
  width: fc.integer({ min: 1, max: 6 }),
  forEach: fc.oneof(
    fc.nat(8).map((n) => Array.from({ length: n }, (_, i) => i) as Json),
    fc.constant({ $lisp: 'data/results' } as Json),
    fc.constant({ $lisp: '(vals data/results)' } as Json),
  ),
  batchSize: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  failureStrategy: fc.constantFrom('fail_fast' as const, 'continue_on_failure' as const),
  computes: fc.boolean(),
});

/** Gates, and their policies on expiry. */
const people = fc.record({
  expiresIn: fc.constantFrom(undefined, 5_000, PATIENCE),
  onExpiry: fc.constantFrom('approve' as const, 'reject' as const, 'fail' as const, 'converge' as const),
  plans: fc.constantFrom(undefined, 'always' as const, { when: { $lisp: '(> (count (:steps data/plan)) 2)' } }),
  approves: fc.boolean(),
  asks: fc.boolean(),
  reviews: fc.constantFrom('nowhere' as const, 'first' as const, 'last' as const),
});

/** The limits, scope and policy of repairs. */
const replan: fc.Arbitrary<ReplanSpec> = fc.record(
  {
    max: fc.nat(2),
    scope: fc.constantFrom('tail' as const, 'phase' as const),
    approval: fc.constantFrom('never' as const, 'never' as const, 'on_budget' as const, 'always' as const),
    afterLast: fc.constantFrom('fail' as const, 'fail' as const, 'ask' as const),
    maxAttempts: fc.nat(3),
    cooldown: fc.constantFrom(0, 1_000),
  },
  { requiredKeys: ['scope', 'approval', 'afterLast', 'maxAttempts', 'cooldown'] },
);

const pay: Declaration = { ...work, name: 'pay', effects: ['write'], repeat: 'keyed' };

const unspread = {
  width: 2,
  forEach: [1, 2],
  failureStrategy: 'fail_fast',
  computes: false,
  batchSize: undefined,
} as const;

const ownTime = fc.constantFrom(undefined, undefined, 20, 3_000, 900_000);

/** A frame of one to three planning steps in a row, with tasks before, between and after. */
const templates: fc.Arbitrary<Template> = fc
  .record({
    phases: fc.integer({ min: 1, max: 3 }),
    before: fc.nat(3),
    policy: fc.constantFrom('all_success' as const, 'all_settled' as const, 'quorum' as const),
    onExhaustion: fc.constantFrom('converge' as const, 'fail' as const, 'ask' as const),
    early: fc.boolean(),
    onFailure: recovery,
    critical: fc.boolean(),
    failFast: fc.boolean(),
    retry,
    fan: fc.option(fanOut, { nil: undefined }),
    people: fc.option(people, { nil: undefined }),
    replan: fc.option(replan, { nil: undefined }),
    repairs: fc.boolean(),
    gate: fc.constantFrom(undefined, 'shrinks' as const, 'calls' as const),
    /** The steps that ask models. */
    thinks: fc.constantFrom(
      'nobody' as const,
      'agent' as const,
      'judge' as const,
      'summary' as const,
      'critic' as const,
    ),
    strict: fc.boolean(),
    ending: fc.constantFrom('deferred' as const, 'deferred' as const, 'fan_out' as const, 'synthesis_gate' as const),
    limit: fc.record({
      phases: fc.integer({ min: 3, max: 8 }),
      steps: fc.integer({ min: 10, max: 60 }),
      tool_calls: fc.integer({ min: 5, max: 80 }),
      replans: fc.nat(5),
    }),
    /** The tool calls reserved for the first phase. */
    own: fc.option(fc.integer({ min: 1, max: 20 }), { nil: undefined }),
    /** The time limits of each phase, of a fan-out's items, and of the landing set. */
    times: fc.record({ phase: ownTime, item: ownTime, end: ownTime }),
    planningDepth: fc.integer({ min: 1, max: 4 }),
    /** The limit of the child run that a call of `work` starts; undefined when it starts none. */
    runs: fc.constantFrom<(Limit | undefined)[]>(
      undefined,
      undefined,
      { steps: 1, tool_calls: 2 },
      { steps: 4, phases: 1, tool_calls: 9 },
    ),
    wallClock: fc.constantFrom(50, 5_000, 1_800_000),
  })
  .map(
    ({
      phases,
      before,
      policy,
      onExhaustion,
      early,
      onFailure,
      critical,
      failFast,
      limit,
      own,
      times,
      planningDepth,
      runs,
      wallClock,
      fan,
      people,
      replan,
      repairs,
      gate,
      thinks,
      strict,
      ending,
      ...rest
    }) => {
      const spread = (name: string): Partial<StepSketch> => {
        const { width, computes, forEach, failureStrategy, batchSize } = fan ?? unspread;
        const item: StepSketch = computes
          ? { name, type: 'compute', expr: { $lisp: 'data/item' } }
          : {
              name,
              input: { item: '{{ item }}' },
              onFailure,
              critical,
              retry: rest.retry,
              ...budgeted({}, times.item),
            };
        const of = { do: stepOf(item), forEach, maxWidth: width, failureStrategy };
        return { type: 'fan_out', fanOut: { ...of, ...(batchSize === undefined ? {} : { batchSize }) } };
      };
      const asked = (prompt: string) => {
        const { expiresIn, onExpiry = 'fail' } = people ?? {};
        return { prompt, onExpiry, ...(expiresIn === undefined ? {} : { expiresIn }) };
      };
      const approval = people?.approves ? { approval: asked('May it?') } : {};
      const sources: StepSketch[] = Array.from({ length: before }, (_, i) => ({
        name: `s${i}`,
        after: i > 1 ? ['s0'] : [],
        onFailure,
        critical,
        retry: rest.retry,
        ...approval,
      }));
      if (people?.reviews === 'first')
        sources.push({ name: 'look', type: 'human_review', onFailure, critical, gate: asked('Well?') });
      if (fan !== undefined)
        sources.push({ name: 'map', after: sources.map(({ name }) => name), onFailure, critical, ...spread('map') });
      if (thinks === 'agent' || thinks === 'judge') {
        const who = thinks === 'agent' ? { agent: { name: 'scout' } } : { judge: {}, capability: 'work' };
        sources.push({ name: 'think', type: 'task', onFailure, critical, retry: rest.retry, ...approval, ...who });
      }
      const calls = gate === 'calls' ? { capability: 'work', retry: rest.retry, onFailure } : {};
      if (gate !== undefined)
        sources.push({ name: 'gate', type: 'synthesis_gate', after: sources.map(({ name }) => name), ...calls });
      const planners: StepSketch[] = Array.from({ length: phases }, (_, i) => ({
        name: `p${i}`,
        after: i === 0 ? sources.map(({ name }) => name) : [`p${i - 1}`],
        planning: {
          target: i === phases - 1 ? 'end' : `p${i + 1}`,
          ...(people?.plans === undefined ? {} : { review: people.plans }),
          ...(replan === undefined ? {} : { replan }),
        },
        ...budgeted(i === 0 && own !== undefined ? { tool_calls: own } : {}, times.phase),
        ...(i === 0 ? {} : { convergence: { policy: 'all_settled', early: false, onExhaustion } }),
      }));
      const end: StepSketch = {
        name: 'end',
        type: ending,
        after: [`p${phases - 1}`],
        convergence: { policy, early, onExhaustion },
        ...budgeted({}, times.end),
        ...(ending === 'deferred' ? { capability: 'work', ...approval } : ending === 'fan_out' ? spread('end') : calls),
        ...(people?.reviews === 'last' ? { type: 'human_review', gate: asked('{{ convergence.succeeded }}?') } : {}),
      };
      const steps = [...sources, ...planners, end];
      const authored = steps.reduce((sum, step) => sum + (step.fanOut?.maxWidth ?? 0), steps.length);
      const whole = { ...defaultRunBudget.limit, ...limit, steps: Math.max(limit.steps, authored) };
      const started = runs === undefined ? {} : { runs: { template: 'a template', steps: 1, phases: 0 } };
      const capabilities = [{ ...work, ...started, ...(people?.asks === true ? { asks: true as const } : {}) }, pay];
      const template = templateOf({
        steps,
        failFast,
        missing: ['synthesize'],
        capabilities,
        ...(thinks === 'nobody' ? {} : thinking),
        ...(thinks === 'summary' ? { context: { strategy: 'summary', maxTokens: 700 } } : {}),
        ...(thinks === 'critic' ? { criticModel: 'default' } : {}),
        ...(thinks === 'critic' && strict ? { critic: 'strict' as const } : {}),
        ...(people?.approves ? { effects: { allowed: [], denied: [], approval: [] } } : {}),
        budget: { limit: whole, planningDepth, wallClock },
      });
      const withRuns =
        runs === undefined
          ? template
          : { ...template, templates: { work: { template, most: { ...nothingElse, ...runs } } } };
      return repairs ? { ...withRuns, repair: repairOf(replan === undefined ? {} : { replan }) } : withRuns;
    },
  );

const nothingElse: Limit = { phases: 0, llm_calls: 0, tokens: 0, cost_usd: 0, replans: 0 };

/** A step has an account of its own when a limit is given. */
function budgeted(limit: Limit, wallClock: number | undefined): Pick<StepSketch, 'budget'> {
  if (wallClock !== undefined) return { budget: { limit, wallClock } };
  return Object.keys(limit).length === 0 ? {} : { budget: { limit } };
}

/** The failure policy of a planned step, and a predicate that its result may fail. */
function fragility(seed: number, step: string, i: number, brittle: boolean): Record<string, Json> {
  const luck = dice(seed, 'fragile', step, i) * (brittle ? 0.5 : 1);
  const predicate = ['(map? data/result)', '(< (get data/result "n") 60)', '(> (get data/result "no") 1)'][
    Math.floor(luck * 97) % 3
  ];
  return {
    ...(luck < 0.4 ? { on_failure: 'replan' } : {}),
    ...(luck < 0.2 || luck > 0.9 ? { verification: predicate ?? 'nil' } : {}),
    ...(luck < 0.15 ? { on_verification_failure: 'replan' } : {}),
    ...(luck < 0.3 ? { retry: { max_attempts: 2, backoff: 'none', base: '0s', jitter: 0 } } : {}),
    ...(luck > 0.8 && luck < 0.85 ? { fresh: true } : {}),
  };
}

/** The doer of a planned step: mostly the same capability, sometimes one with side effects, or an agent when the template has any. */
function doerOf(seed: number, { step, brief }: AskPlanner, i: number): JsonObject {
  const what = dice(seed, 'what', step, i);
  if (what > 0.85 && brief.agents !== undefined) return { agent: 'scout', description: 'Look.' };
  return {
    capability: what < 0.2 ? 'pay' : 'work',
    ...(what > 0.8 && brief.agents !== undefined ? { judge: true } : {}),
  };
}

/** Planners that nest, fan out, repeat themselves, answer rubbish, plan nothing, fail or give up. */
function adversary({ seed, brittle = false, timeless }: Sketch, work: AskPlanner): EffectOutcome | Asking | undefined {
  const { step, attempt } = work;
  const call = wonder(seed, work);
  if (call !== undefined) return { asks: call };
  const mood = brittle
    ? 9 - Math.floor(dice(seed, 'mood', step, attempt) ** 2 * 10)
    : Math.floor(dice(seed, 'mood', step, attempt) * 10);
  const width = 1 + Math.floor(dice(seed, 'width', step, attempt) * (brittle ? 4 : 12));
  const tasks = (chained: boolean): Json[] =>
    Array.from({ length: width }, (_, i) => ({
      name: `t${i}`,
      ...doerOf(seed, work, i),
      // There are few inputs, so that plans repeat calls.
      input: { of: Math.floor(dice(seed, 'of', step, attempt, i) * 5) },
      ...fragility(seed, step, i, brittle),
      ...(chained && i > 0 && i < 3 ? { depends_on: [`t${i - 1}`] } : {}),
      ...(dice(seed, 'optional', step, i) < 0.2 ? { critical: false } : {}),
      ...(dice(seed, 'when', step, i) < 0.1 ? { when: 'false' } : {}),
      ...(dice(seed, 'approval', step, i) < 0.05 ? { approval: 'always' } : {}),
    }));
  const mayAsk = dice(seed, 'person', step, attempt);
  if (mayAsk < 0.1) return good({ needs_clarification: { question: 'How?', answer: ':int' } });
  if (mayAsk > 0.95) return good({ needs: ['s0', { step: 'nowhere', path: 'n' }] });
  const mayLast = ['20ms', '3s', '15m'][Math.floor(dice(seed, 'lasts', step) * 9)];
  const lasting = mayLast === undefined || timeless === true ? {} : { budget: { max_wall_clock_time: mayLast } };
  const nested: Json = { name: 'again', type: 'planning', goal: 'more', ...lasting };
  if (dice(seed, 'spread', step, attempt) < 0.2) return good({ steps: spread(seed, step) });
  switch (mood) {
    case 0:
      return good({ steps: [nested] });
    case 1:
    case 2:
      return good({ steps: [...tasks(true), nested, ...(mayAsk < 0.3 ? [personIn(seed, step)] : [])] });
    case 3:
      return good({ steps: tasks(false).concat(tasks(false)) });
    case 4:
      return good('rubbish');
    case 5:
      return good({ steps: [] });
    case 6:
      return undefined;
    case 7:
      if (dice(seed, 'choice', step) < 0.7) return good({ steps: decision(seed, step) });
      return good({ impossible: 'no' });
    default:
      if (dice(seed, 'meets', step, attempt) < 0.3) return good({ steps: [...tasks(false), ...meeting(seed, step)] });
      if (dice(seed, 'own', step, attempt) < 0.3) return good({ ...broughtAlong(seed, step, tasks(false)) });
      return good({ steps: tasks(mood === 8) });
  }
}

/** A plan that defines a capability, under a name that may be taken. */
function broughtAlong(seed: number, step: string, tasks: readonly Json[]): JsonObject {
  const name = `own.n${Math.floor(dice(seed, 'own name', step) * 3)}`;
  const lisp = dice(seed, 'own lisp', step) < 0.5 ? 'data/input' : '{"n" 1}';
  const own = { name, input: {}, output: { type: 'object' }, lisp };
  return { capabilities: [own], steps: [{ name: 'own', capability: name, input: { of: 1 } }, ...tasks] };
}

/** A nested phase that ends before the outer one. */
function meeting(seed: number, step: string): Json[] {
  const policies = ['all_success', 'all_settled', 'quorum'];
  const policy = policies[Math.floor(dice(seed, 'policy', step) * policies.length)] ?? 'quorum';
  const early = policy === 'quorum' && dice(seed, 'early', step) < 0.5;
  const convergence = { policy, ...(policy === 'quorum' ? { min: 1, early } : {}) };
  const hard = dice(seed, 'hard', step) < 0.5 ? { on_failure: 'replan' } : {};
  return [
    { name: 'inner', type: 'planning', goal: 'more', convergence_target: 'meet', ...hard },
    { name: 'meet', type: 'deferred', depends_on: ['t0', 'inner'], convergence, ...hard },
    { name: 'behind', capability: 'work', depends_on: ['meet'] },
  ];
}

/** A review within a phase, which may never be answered. */
function personIn(seed: number, step: string): Json {
  const limits = [{ expires_in: '720h', on_expiry: 'converge' }, { expires_in: '720h', on_expiry: 'approve' }, {}];
  const limit = limits[Math.floor(dice(seed, 'expiry', step) * limits.length)] ?? {};
  return { name: 'ask', type: 'human_review', prompt: 'Well?', depends_on: ['t0'], ...limit };
}

/** A fan-out over a list that may be too long, a step beside it, and a synthesis of both. */
function spread(seed: number, step: string): Json[] {
  const upTo = (most: number, of: string): number => Math.floor(dice(seed, of, step) * (most + 1));
  const map: JsonObject = {
    name: 'map',
    type: 'fan_out',
    for_each: Array.from({ length: upTo(9, 'items') }, (_, i) => i),
    max_width: 1 + upTo(7, 'wide'),
    failure_strategy: upTo(1, 'strategy') === 0 ? 'fail_fast' : 'continue_on_failure',
    do: { capability: 'work', input: { item: '{{ item }}' }, ...(upTo(1, 'gaps') === 0 ? { critical: false } : {}) },
    ...(upTo(1, 'batches') === 0 ? { batch_size: 1 + upTo(2, 'batch') } : {}),
  };
  const gate = { name: 'sum', type: 'synthesis_gate', depends_on: ['map', 'beside'] };
  return [map, { name: 'beside', capability: 'work' }, upTo(1, 'calls') === 0 ? gate : { ...gate, capability: 'work' }];
}

/** A decision between two branches, one with a second step. The choice is random and may be no branch at all. */
function decision(seed: number, step: string): Json[] {
  const choose = ['"left"', '["left" "right"]', 'nil', '"nowhere"'][Math.floor(dice(seed, 'taken', step) * 4)] ?? 'nil';
  return [
    { name: 'pick', type: 'decision', branches: ['left', 'right'], choose: { $lisp: choose } },
    { name: 'left', capability: 'work', depends_on: ['pick'] },
    { name: 'right', capability: 'work', depends_on: ['pick'] },
    { name: 'behind', capability: 'work', depends_on: ['right'] },
  ];
}

function performer(sketch: Sketch) {
  const { seed, brittle = false, lies = false } = sketch;
  const perform = (work: Work): EffectOutcome | Asking | undefined => {
    if (work.type === 'ask-planner') return adversary(sketch, work);
    if (work.type === 'ask-model') return think(seed, work);
    const which = work.call === undefined ? [] : [work.call];
    const luck = dice(seed, 'luck', work.step, work.attempt, ...which) * (brittle ? 0.5 : 1);
    if (luck < 0.1) return undefined;
    if (dice(seed, 'asks', work.step, work.attempt) < 0.07) return good({ needs_clarification: 'Which?' });
    if (luck < 0.3) return bad({ code: 'CAPABILITY_THREW', message: 'bad luck', retry: luck < 0.2 ? 'may' : 'never' });
    return good({ n: Math.floor(luck * 100), text: luck > 0.9 ? 'x'.repeat(2_000) : '' });
  };
  const waited = new Set<string>();
  return (work: Work) => {
    const outcome = perform(work);
    if (outcome === undefined || 'asks' in outcome) return outcome;
    if (work.type === 'call-capability' && work.child !== undefined) {
      if (!waited.has(work.key) && dice(seed, 'waits', work.key) < 0.3) {
        waited.add(work.key);
        return { suspended: { run: work.child.run, standing: 'waiting', asks: [] } } as const;
      }
      return { ...outcome, bill: billOfRun(seed, work.key, work.child.limit) };
    }
    return lies ? { ...outcome, bill: lie(seed, work) } : outcome;
  };
}

/** Checks that a run stays within its limits. */
function billOfRun(seed: number, key: string, { steps = 0, tool_calls: calls = 0, phases = 0 }: Limit): Amount {
  const share = (of: string, most: number): number => Math.floor(dice(seed, of, key) * (most + 1));
  return {
    steps: Math.max(1, share('steps', steps)),
    tool_calls: 1 + share('calls', calls),
    ...(phases === 0 ? {} : { phases: share('phases', phases) }),
  };
}

/** Mostly the agreed price, sometimes a bill that no account was asked for. */
function lie(seed: number, { type, step, attempt }: Work): Amount {
  const greed = dice(seed, 'bills', step, attempt);
  const cost = greed > 0.8 ? { cost_usd: Math.floor(dice(seed, 'costs', step, attempt) * 4_000_000) } : {};
  const calls = greed < 0.4 ? 1 : 1 + Math.floor(dice(seed, 'calls', step, attempt) * 5);
  return type === 'ask-model'
    ? { llm_calls: calls, tokens_in: calls * 1_000, ...cost }
    : { tool_calls: calls, ...cost };
}

const tight: fc.Arbitrary<Sketch> = fc.record({
  template: templates,
  seed: fc.nat(),
  lies: fc.constantFrom(false, false, true),
});

/** Sketches of runs with failures and enough budget for repairs. */
const mending: fc.Arbitrary<Sketch> = fc
  .record({ sketch: tight, replan, again: fc.integer({ min: 1, max: 3 }) })
  .map(({ sketch: { template, ...rest }, replan, again }) => {
    const { budget } = template;
    const steps = template.steps.map(({ budget: _, planning, convergence, ...spec }) => ({
      ...spec,
      ...(convergence === undefined ? {} : { convergence: { ...convergence, policy: 'all_settled' as const } }),
      ...(planning === undefined
        ? {}
        : { planning: { ...planning, replan: { ...replan, max: again, maxAttempts: again } } }),
    }));
    const limit = { ...budget.limit, phases: 8, steps: 400, tool_calls: 4_000, replans: 6 };
    const ample = { ...template, steps, failFast: false, budget: { ...budget, limit, wallClock: 1e9 } };
    return { ...rest, template: ample, brittle: true };
  });

export const sketches: fc.Arbitrary<Sketch> = fc.oneof(tight, mending);

export function worldOf(sketch: Sketch, review = frugal(sketch.seed), before?: World): World {
  const { template, seed } = sketch;
  let asked = 0;
  return new World(template, {
    perform: performer(sketch),
    review,
    choose: (n) => Math.floor(dice(seed, 'choose', asked++) * n),
    pace: 1,
  }).begin(before);
}

/** Makes gates outlive any crash: a gate that expires meanwhile would change the end of the run. */
function patient<Spec extends Pick<GateSpec, 'expiresIn'>>(gate: Spec): Spec {
  return gate.expiresIn === undefined ? gate : { ...gate, expiresIn: PATIENCE };
}

/** Takes the cooldown away: a crash that outlasts the cooldown would change the end of the run. */
function atOnce(planning: PlanningSpec): PlanningSpec {
  return { ...planning, replan: { ...(planning.replan ?? defaultReplan), cooldown: 0 } };
}

/** A step whose end no other order of events or second delivery can change: it races for no budget and has no time limit. */
function calm({ budget: own, gate, approval, planning, retry, fanOut, convergence, ...spec }: StepSpec): StepSpec {
  return {
    ...spec,
    ...(own === undefined ? {} : { budget: { limit: {}, wallClock: 1e12 } }),
    retry: { ...retry, base: 0 },
    // Branches race for a target that fires early.
    ...(convergence === undefined ? {} : { convergence: { ...convergence, early: false } }),
    ...(planning === undefined ? {} : { planning: atOnce(planning) }),
    ...(gate === undefined ? {} : { gate: patient(gate) }),
    ...(approval === undefined ? {} : { approval: patient(approval) }),
    ...(fanOut === undefined ? {} : { fanOut: { ...fanOut, do: calm(fanOut.do) } }),
  };
}

/** The same template with patient gates, ample budgets and no fail_fast, where the order of events changes nothing. */
export function orderly(sketch: Sketch): World {
  const { template, seed } = sketch;
  const { budget, repair, templates: _, capabilities, ...rest } = template;
  const limit = { ...budget.limit, tool_calls: 100_000, llm_calls: 100_000, cost_usd: 1e12 };
  const { runs: __, ...plainWork } = capabilities.work ?? work;
  const quiet: Template = {
    ...rest,
    // Runs race for steps and phases.
    capabilities: { ...capabilities, work: plainWork },
    ...(repair === undefined ? {} : { repair: calm(repair) }),
    steps: template.steps.map(calm),
    failFast: false,
    budget: { ...budget, limit, wallClock: 1e12 },
  };
  const perform = performer({ ...sketch, timeless: true });
  return new World(quiet, { perform, review: frugal(seed), hangsLast: true }).begin();
}
