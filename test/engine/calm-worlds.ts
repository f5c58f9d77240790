// Calm worlds: random templates in which nothing fails, with fixed plans and with plans that only a run knows.

import fc from 'fast-check';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { good } from '../../src/base/result.ts';
import { defaultRunBudget } from '../../src/budget/limits.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { PlannerSpec, StepSpec } from '../../src/template/step-spec.ts';
import type { Template } from '../../src/template/template.ts';
import { type GateAnswer, World } from '../../src/testing/world.ts';
import { dice } from './dice.ts';
import { calls, plans, says } from './models-say.ts';
import { agentOf, repairOf, type StepSketch, stepOf, templateOf, thinker, work } from './template-of.ts';

export interface CalmSketch {
  readonly template: Template;
  readonly seed: number;
  /** The template alone says what runs. */
  readonly isFixed: boolean;
}

const priced: Declaration = { ...work, cost: { micro_dollars: 1_300 } };
const look: Declaration = { ...work, name: 'look', effects: ['read'], asks: true };

const retry = fc.record({
  maxAttempts: fc.integer({ min: 1, max: 3 }),
  backoff: fc.constant('none' as const),
  base: fc.constant(0),
  max: fc.constant(0),
  jitter: fc.constant(0),
});

/** Written lists of up to six items, and some computed lists. */
const list = fc.record({
  length: fc.nat(6),
  width: fc.integer({ min: 6, max: 9 }),
  batchSize: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  isComputed: fc.boolean(),
  computes: fc.boolean(),
});

type ListSketch = typeof list extends fc.Arbitrary<infer T> ? T : never;

/** The kinds of steps of a fixed plan. */
const plannedStep = fc.constantFrom('work', 'look', 'compute', 'map', 'agent', 'judged' as const);

const planned = fc.record({
  kind: fc.constantFrom('fixed' as const, 'fixed' as const, 'open' as const),
  steps: fc.array(plannedStep, { maxLength: 4 }),
  retried: fc.boolean(),
  reviewed: fc.boolean(),
  replans: fc.boolean(),
});

const shape = fc.record({
  tasks: fc.integer({ min: 1, max: 3 }),
  retry,
  list: fc.option(list, { nil: undefined }),
  planners: fc.array(planned, { maxLength: 2 }),
  conditional: fc.boolean(),
  decides: fc.boolean(),
  early: fc.constantFrom(false, false, true),
  person: fc.boolean(),
  approves: fc.boolean(),
  thinks: fc.constantFrom('nobody' as const, 'agent' as const, 'judge' as const, 'critic' as const, 'tools' as const),
  ending: fc.constantFrom('deferred' as const, 'synthesis_gate' as const),
  repairs: fc.boolean(),
  phases: fc.integer({ min: 2, max: 5 }),
  depth: fc.integer({ min: 1, max: 3 }),
});

const scout = agentOf({ name: 'scout', tools: ['work'], maxTurns: 3 });
const writer = agentOf({ name: 'writer' });

type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;

/** The same template without the parts that only a run knows. */
function fixed(of: Shape): Shape {
  return {
    ...of,
    planners: of.planners.map((each) => ({ ...each, kind: 'fixed' })),
    list: of.list && { ...of.list, isComputed: false },
    conditional: false,
    decides: false,
    early: false,
    thinks: of.thinks === 'tools' ? 'agent' : of.thinks,
  };
}

export const calmSketches: fc.Arbitrary<CalmSketch> = fc
  .record({ shape: fc.oneof(shape, shape.map(fixed)), seed: fc.nat() })
  .map(({ shape: of, seed }) => {
    const asksModels = of.thinks !== 'nobody';
    const fixes = of.planners.map(({ kind, ...rest }) => ({ kind, plan: fixedPlan(rest, asksModels) }));
    const sources: StepSketch[] = Array.from({ length: of.tasks }, (_, i) => ({
      name: `s${i}`,
      retry: of.retry,
      after: i > 1 ? ['s0'] : [],
      ...(of.approves ? { approval: { onExpiry: 'fail' as const } } : {}),
    }));
    if (of.list !== undefined) sources.push({ name: 'map', type: 'fan_out', after: ['s0'], fanOut: fanOutOf(of.list) });
    if (of.conditional)
      sources.push({ name: 'maybe', after: ['s0'], when: { $lisp: seed % 2 === 0 ? 'true' : 'false' } });
    if (of.decides) sources.push(...choice(seed));
    if (of.person) sources.push({ name: 'look', type: 'human_review', gate: { prompt: 'Well?', onExpiry: 'fail' } });
    if (of.thinks === 'agent') sources.push({ name: 'think', type: 'task', agent: { name: 'writer' } });
    if (of.thinks === 'tools') sources.push({ name: 'think', type: 'task', agent: { name: 'scout' } });
    if (of.thinks === 'judge') sources.push({ name: 'think', judge: {}, retry: of.retry });
    const before = sources.map(({ name }) => name);
    const planners: StepSketch[] = of.planners.map(({ reviewed, replans }, i) => ({
      name: `p${i}`,
      after: i === 0 ? before : [`p${i - 1}`],
      planning: {
        target: i === of.planners.length - 1 ? 'end' : `p${i + 1}`,
        planner: plannerFor(fixes[i]),
        ...(reviewed ? { review: 'always' as const } : {}),
        ...(replans ? {} : { replan: noReplan }),
      },
      ...(i === 0
        ? {}
        : { convergence: { policy: 'all_settled' as const, early: false, onExhaustion: 'converge' as const } }),
    }));
    const end: StepSketch = {
      name: 'end',
      type: of.ending,
      after: planners.length === 0 ? before : [`p${planners.length - 1}`],
      convergence: { policy: of.early ? 'quorum' : 'all_settled', early: of.early, onExhaustion: 'converge' },
      ...(of.ending === 'deferred' ? { capability: 'work' } : {}),
    };
    const template = templateOf({
      steps: [...sources, ...planners, end],
      capabilities: [priced, look],
      ...(asksModels ? { models: { default: thinker }, agents: [scout, writer] } : {}),
      ...(of.thinks === 'critic' ? { criticModel: 'default' } : {}),
      budget: {
        limit: {
          ...defaultRunBudget.limit,
          phases: of.phases,
          steps: 500,
          llm_calls: 5_000,
          cost_usd: 1e12,
          replans: 5,
        },
        planningDepth: of.depth,
        wallClock: 1e9,
      },
    });
    const isOpen =
      of.planners.some(({ kind }) => kind === 'open') ||
      of.list?.isComputed === true ||
      of.conditional ||
      of.decides ||
      of.early ||
      of.thinks === 'tools';
    return { template: of.repairs ? { ...template, repair: repairOf() } : template, seed, isFixed: !isOpen };
  });

const noReplan = {
  max: 0,
  scope: 'tail',
  approval: 'never',
  afterLast: 'fail',
  maxAttempts: 0,
  cooldown: 0,
} as const;

function fanOutOf({ length, width, batchSize, isComputed, computes }: ListSketch): NonNullable<StepSpec['fanOut']> {
  const items = Array.from({ length }, (_, i) => i);
  const item = computes
    ? ({ name: 'map', type: 'compute', expr: { $lisp: 'data/item' } } as const)
    : { name: 'map', input: { item: '{{ item }}' } };
  return {
    do: stepOf(item),
    forEach: isComputed ? { $lisp: `[${items.join(' ')}]` } : items,
    maxWidth: width,
    failureStrategy: 'continue_on_failure',
    ...(batchSize === undefined ? {} : { batchSize }),
  };
}

/** One of two branches. */
function choice(seed: number): StepSketch[] {
  return [
    {
      name: 'pick',
      type: 'decision',
      after: ['s0'],
      decision: { branches: ['l', 'r'], choose: { $lisp: seed % 2 === 0 ? '"l"' : '"r"' } },
    },
    { name: 'l', after: ['pick'] },
    { name: 'r', after: ['pick'] },
  ];
}

function fixedPlan(
  { steps, retried }: { readonly steps: readonly string[]; readonly retried: boolean },
  asksModels: boolean,
): Json {
  return { rationale: 'as written', steps: steps.map((what, i) => plannedOf(what, `t${i}`, i, retried, asksModels)) };
}

function plannedOf(what: string, name: string, i: number, retried: boolean, asksModels: boolean): JsonObject {
  const again = retried
    ? { retry: { max_attempts: 2, backoff: 'none', base: '0s', jitter: 0 }, on_failure: 'replan' }
    : {};
  switch (what) {
    case 'compute':
      return { name, type: 'compute', expr: `(+ 1 ${i})` };
    case 'map':
      return {
        name,
        type: 'fan_out',
        for_each: Array.from({ length: i + 1 }, (_, at) => at),
        // Four of them fill a fragment of the size that it may have.
        max_width: 4,
        do: { capability: 'work', input: { item: '{{ item }}', of: name } },
      };
    case 'agent':
      return asksModels
        ? { name, agent: 'writer', description: 'Write it.' }
        : { name, capability: 'look', input: { of: name } };
    case 'judged':
      return { name, capability: 'work', input: { of: name }, ...again, ...(asksModels ? { judge: true } : {}) };
    default:
      return { name, capability: what, input: { of: name }, ...again };
  }
}

function plannerFor(fix: { readonly kind: string; readonly plan: Json } | undefined): PlannerSpec {
  return fix?.kind === 'fixed'
    ? { kind: 'fixed', fragment: fix.plan }
    : { kind: 'lisp', source: { $lisp: '{:steps []}' } };
}

/** A plan of any size up to the limits, with planning steps in it as long as there are phases. */
function openPlan(seed: number, step: string, depth: number, phases: number, room: number): Json {
  const many = Math.min(room, Math.floor(dice(seed, 'many', step) * 8));
  const steps: Json[] = Array.from({ length: many }, (_, i) => ({
    name: `o${i}`,
    capability: dice(seed, 'what', step, i) < 0.5 ? 'work' : 'look',
    input: { of: i, in: step },
  }));
  const nests = depth > 0 && phases > 0 && room > many && dice(seed, 'nests', step) < 0.5;
  return {
    rationale: 'as it goes',
    steps: nests ? [...steps, { name: 'more', type: 'planning', goal: 'more' }] : steps,
  };
}

export function calmWorld({ template, seed }: CalmSketch): World {
  const perform = (work: World['performed'][number]): EffectOutcome | ReturnType<typeof plans> => {
    switch (work.type) {
      case 'ask-planner': {
        if (work.planner.kind === 'fixed') return plans(template, work);
        const { bounds, budget } = work.brief;
        const room = Math.min(bounds.max_fragment_steps, budget.steps ?? 0);
        return good(openPlan(seed, work.step, bounds.max_planning_depth, budget.phases ?? 0, room));
      }
      case 'ask-model': {
        if (work.purpose === 'judge') return says({ passes: true, diagnosis: '' });
        if (work.purpose === 'critic') return says({ remarks: [] });
        const wants = work.request.tools !== undefined && dice(seed, 'tool', work.step, work.call) < 0.5;
        return wants && work.request.tools?.some(({ name }) => name === 'work') === true
          ? calls(['work', { of: work.call }])
          : says({ n: 1 });
      }
      default:
        return good({ n: 1 });
    }
  };
  const review = (): GateAnswer => ({ verdict: 'approve' });
  return new World(template, { perform, review, pace: 1 }).begin().run();
}
