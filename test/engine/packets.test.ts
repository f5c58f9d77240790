// The packet of a planner holds only its ancestors and its needs; its receipt is stored with the run.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import type { Receipt } from '../../src/context/body.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { AskPlanner } from '../../src/engine/record/effect.ts';
import type { EventOf } from '../../src/engine/record/event.schema.ts';
import { predecessors } from '../../src/graph/plan-graph.ts';
import { reachableFrom } from '../../src/graph/reach.ts';
import { advance } from '../../src/planners/planner.ts';
import { plannerOf } from '../../src/planners/planner-of.ts';
import type { Brief } from '../../src/planning/brief.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import { defaultReplan, type PlannerSpec, type PlanningSpec, type ReplanSpec } from '../../src/template/step-spec.ts';
import type { Template } from '../../src/template/template.ts';
import { World } from '../../src/testing/world.ts';
import { type StepSketch, templateOf } from './template-of.ts';

const rows = Array.from({ length: 400 }, (_, at) => ({ id: `row-${at}`, state: at === 300 ? 'odd' : 'plain' }));
const listing: Json = { rows, title: 'All rows' };
const done = (value: Json): EffectOutcome => good(value);

const frame = (plan: Partial<PlanningSpec> = {}): readonly StepSketch[] => [
  { name: 'list' },
  { name: 'other' },
  { name: 'plan', after: ['list'], planning: { target: 'end', planner: { kind: 'llm' }, ...plan } },
  { name: 'end', type: 'deferred', after: ['plan', 'other'] },
];

/** `replies`: the answers of planners, in order; the last one repeats. */
function worldOf(steps: readonly StepSketch[], replies: readonly Json[]): World {
  let asked = 0;
  const perform = (work: Work): EffectOutcome => {
    if (work.type === 'ask-planner') return done(present(replies[Math.min(asked++, replies.length - 1)], 'reply'));
    return done(work.step === 'list' ? listing : { from: work.step });
  };
  return new World(templateOf({ steps }), { perform }).begin();
}

function packetsOf(world: World): readonly JsonObject[] {
  return requestsOf(world).map(({ brief }) => {
    const read = world.blobs.get(brief);
    const packet = isJsonObject(read) ? read.packet : undefined;
    if (!isJsonObject(packet)) throw new Error('a brief without a packet');
    return packet;
  });
}

function requestsOf(world: World): readonly EventOf<'plan.requested'>[] {
  return world.events.filter((event) => event.type === 'plan.requested');
}

const steps = [{ name: 'a', capability: 'work' }];

function advanceTo(template: Template, planner: PlannerSpec, brief: Brief) {
  const progress = advance(plannerOf(planner, template), brief, []);
  return progress.done ? progress : undefined;
}

describe('a fixed plan', () => {
  const many = Array.from({ length: 250 }, (_, at): StepSketch => ({ name: `s${at}` }));
  const planner: PlannerSpec = { kind: 'fixed', fragment: null };
  const replan: ReplanSpec = { ...defaultReplan };
  const told: readonly StepSketch[] = [
    ...many,
    { name: 'plan', after: many.map(({ name }) => name), planning: { target: 'end', planner, replan } },
    { name: 'end', type: 'deferred', after: ['plan'] },
  ];
  const fragile = { name: 'try', capability: 'work', on_failure: 'replan', max_retries: 0 };

  it('is shown no more than a model, until its repair reads everything', () => {
    const perform = (work: Work): EffectOutcome => {
      if (work.type === 'ask-planner') return done({ rationale: 'once', steps: [fragile] });
      return work.step === 'plan.1/try'
        ? bad({ code: 'CAPABILITY_THREW', message: 'it broke', retry: 'never' })
        : done(1);
    };
    const world = new World(templateOf({ steps: told, budget: { limit: { steps: 1_000 } } }), { perform })
      .begin()
      .run();
    const shown = packetsOf(world).map(({ results }) => (isJsonObject(results) ? Object.keys(results).length : 0));
    expect(shown).toEqual([200, 250, 250]);
  });
});

describe('a planner that asks to see more', () => {
  const asking = { needs: [{ step: 'list', path: 'rows.300', as: 'raw' }, 'nowhere'] };

  it('is asked again with the results under `needs`, and then plans', () => {
    const world = worldOf(frame(), [asking, { rationale: 'seen', steps }]).run();
    expect(world.events.filter(({ type }) => type === 'needs.asked')).toMatchObject([{ step: 'plan', attempt: 1 }]);
    const [first, second] = packetsOf(world);
    expect(first).not.toHaveProperty('needs');
    expect(second?.needs).toEqual({ raw: { id: 'row-300', state: 'odd' } });
    expect(second?.receipt).toMatchObject([{ need: 'nowhere', shown: 'left out' }, {}]);
    expect(world.state.steps.get('plan.1/a')?.status).toBe('completed');
  });

  it('does not use up a proposal', () => {
    const world = worldOf(frame({ maxAttempts: 1 }), [asking, { steps }]).run();
    expect(world.state.steps.get('plan')).toMatchObject({ status: 'completed', attempt: 2 });
  });

  it('is served once: asking again without steps is an error', () => {
    const world = worldOf(frame({ maxAttempts: 2 }), [asking, asking, { steps }]).run();
    expect(world.events.find(({ type }) => type === 'fragment.rejected')).toMatchObject({
      attempt: 2,
      issues: [{ code: 'NEEDS_SERVED', path: ['needs'] }],
    });
    expect(packetsOf(world)[2]).toHaveProperty('needs.raw');
    expect(world.state.steps.get('plan')?.status).toBe('completed');
  });

  it('gets a warning when it asks again beside its steps, and the steps are grafted', () => {
    const world = worldOf(frame(), [asking, { ...asking, steps }]).run();
    expect(world.events.find(({ type }) => type === 'fragment.grafted')).toMatchObject({
      warnings: [{ code: 'NEEDS_SERVED', severity: 'warning' }],
    });
  });

  it('sees the whole result, also beyond its allowance, and only once', () => {
    const world = worldOf(frame(), [{ needs: ['list'] }, { steps }]).run();
    expect(packetsOf(world)[1]).toMatchObject({ needs: { list: listing }, results: {} });
    expect(requestsOf(world)[1]?.tokens).toBeGreaterThan(4_000);
  });

  it('sees the same results again after its performer was lost', () => {
    const world = worldOf(frame(), [asking, { steps }]);
    while (requestsOf(world).length < 2) world.step();
    world.crash();
    expect(packetsOf(world)).toHaveLength(3);
    expect(packetsOf(world)[2]?.needs).toEqual(packetsOf(world)[1]?.needs);
    world.run();
    expect(world.state.ended?.status).toBe('completed');
  });

  it('is charged for both calls', () => {
    const world = new World(templateOf({ steps: frame() }), {
      perform: (work) => {
        if (work.type !== 'ask-planner') return done({});
        return { ...good(work.attempt === 1 ? asking : { steps }), bill: { llm_calls: 1 } };
      },
    });
    world.begin().run();
    expect(world.state.ledger.accounts.get('run')?.spent).toMatchObject({ llm_calls: 2 });
  });
});

describe('a planning step that declares its needs', () => {
  it('sees those needs with every strategy', () => {
    for (const strategy of ['full', 'contract', 'selective', 'hierarchical'] as const) {
      const [plan] = frame({ needs: [{ step: 'list', path: 'rows.*.state' }] }).slice(2);
      const context = { strategy, maxTokens: 40_000 };
      const world = worldOf(
        frame().map((step) => (step.name === 'plan' && plan !== undefined ? { ...plan, context } : step)),
        [{ steps }],
      ).run();
      expect(packetsOf(world)[0]?.needs).toEqual({ 'list.rows.*.state': rows.map(({ state }) => state) });
    }
  });

  it('fails when a need that must be whole does not fit', () => {
    const world = worldOf(frame({ needs: [{ step: 'list', full: true }] }), [{ steps }]).run();
    expect(world.state.steps.get('plan')?.failure?.code).toBe('CONTEXT_OVER_ALLOWANCE');
  });

  it('can name distant steps by full id, and its steps may refer to them', () => {
    const names = Array.from({ length: 25 }, (_, at) => `p${at}`);
    const chain = names.map((name, at): StepSketch => {
      const last = at === names.length - 1;
      return {
        name,
        after: at === 0 ? ['list'] : [`p${at - 1}`],
        planning: {
          planner: { kind: 'llm' },
          target: last ? 'end' : `p${at + 1}`,
          ...(last ? { needs: [{ step: 'list', path: 'title' }, { step: 'p2.1/a' }] } : {}),
        },
      };
    });
    const template: StepSketch[] = [{ name: 'list' }, ...chain, { name: 'end', type: 'deferred', after: ['p24'] }];
    const perform = (work: Work): EffectOutcome => {
      if (work.type !== 'ask-planner') return done(work.step === 'list' ? listing : { from: work.step });
      const input = work.step === 'p24' ? { title: '{{ results.list.title }}' } : {};
      return done({ steps: [{ name: 'a', capability: 'work', input }] });
    };
    const budget = { limit: { steps: 200, phases: 50 } };
    const world = new World(templateOf({ steps: template, budget }), { perform }).begin().run();
    expect(packetsOf(world).at(-1)?.needs).toEqual({ 'list.title': 'All rows', 'p2.1/a': { from: 'p2.1/a' } });
    expect(world.performed.at(-1)?.input).toEqual({ title: 'All rows' });
  });
});

describe('a planner that is a rule', () => {
  it('reads the same brief again after its performer was lost', () => {
    const rule = '{:rationale (str (count (get-in data/packet [:results "list" :rows]))) :steps []}';
    const planner = { kind: 'lisp', source: { $lisp: rule } } as const;
    const template = templateOf({ steps: frame({ planner }) });
    const plans = ({ brief }: AskPlanner): EffectOutcome => {
      const { end } = present(advanceTo(template, planner, brief), 'end');
      return end.ok ? done(end.value.fragment) : end;
    };
    const world = new World(template, {
      perform: (work) => (work.type === 'ask-planner' ? plans(work) : done(work.step === 'list' ? listing : {})),
    }).begin();
    while (requestsOf(world).length < 1) world.step();
    world.crash();
    world.run();
    expect(requestsOf(world)).toHaveLength(2);
    expect(requestsOf(world)[1]?.brief).toBe(requestsOf(world)[0]?.brief);
    expect(world.state.phases.get('plan')?.rationale).toBe('400');
  });
});

describe('the receipt of a packet', () => {
  it('is stored with the run, and tells how each result was shown', () => {
    const world = worldOf(frame(), [{ steps }]).run();
    const [request] = requestsOf(world);
    const receipt = world.blobs.get(request?.receipt ?? '') as unknown as Receipt;
    expect(receipt).toMatchObject({
      items: [{ ref: { step: 'list', attempt: 1 }, shown: 'shrunk', inferred: true }],
      missing: [],
    });
    const digest = receipt.items[0]?.ref.digest ?? '';
    expect(world.blobs.get(digest)).toEqual(listing);
  });
});

describe('a packet', () => {
  const shape = fc.array(fc.array(fc.nat(5), { maxLength: 3 }), { minLength: 2, maxLength: 7 });

  it('holds only ancestors, in whatever order steps end', () => {
    fc.assert(
      fc.property(shape, fc.integer({ min: 1 }), (waits, seed) => {
        const names = waits.map((_, at) => `s${at}`);
        const before = (at: number) => [...new Set((waits[at] ?? []).filter((each) => each < at))];
        const authored = names.flatMap((name, at): StepSketch[] => [
          { name, after: before(at).map((each) => `s${each}`) },
          {
            name: `plan${at}`,
            after: [name],
            planning: { planner: { kind: 'llm' }, target: 'end', needs: [{ step: '*' }, { step: 's0' }] },
          },
        ]);
        const end: StepSketch = { name: 'end', type: 'deferred', after: names.map((_, at) => `plan${at}`) };
        let turn = seed;
        const world = new World(templateOf({ steps: [...authored, end], budget: { limit: { phases: 20 } } }), {
          perform: (work) => done(work.type === 'ask-planner' ? { steps } : { from: work.step }),
          choose: (count) => {
            turn = (turn * 1_103_515_245 + 12_345) % 2 ** 31;
            return turn % count;
          },
        });
        world.begin().run();
        requestsOf(world).forEach(({ step }, at) => {
          const packet = present(packetsOf(world)[at], 'packet');
          const above = reachableFrom([step], (id) => predecessors(world.state.graph, id));
          const shown = [packet.results, packet.needs].flatMap((part) => (isJsonObject(part) ? Object.keys(part) : []));
          for (const id of shown) expect(above).toContain(id);
        });
      }),
      { numRuns: 60 },
    );
  });
});
