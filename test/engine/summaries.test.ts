// Summaries before a plan: a model summarizes results that do not fit, and the plan goes on when it fails.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import { isJsonObject, type Json, type JsonObject } from '../../src/base/json.ts';
import { good } from '../../src/base/result.ts';
import type { Limit } from '../../src/budget/amount.ts';
import type { Receipt } from '../../src/context/body.ts';
import { boundOf } from '../../src/engine/bound/bound.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { AskModel } from '../../src/engine/record/effect.ts';
import type { ModelProfile } from '../../src/model/profile.ts';
import type { StepSpec } from '../../src/template/step-spec.ts';
import { World, type WorldOptions } from '../../src/testing/world.ts';
import { askedOf, inTurn, plans, says, toldIn, trouble } from './models-say.ts';
import { templateOf, thinker } from './template-of.ts';

const rows = Array.from({ length: 400 }, (_, at) => ({ id: `row-${at}`, state: at === 300 ? 'odd' : 'plain' }));

interface Setting {
  /** Answers the model that writes the summary. */
  readonly writer?: (asked: AskModel) => EffectOutcome | undefined;
  readonly planner?: (asked: AskModel) => EffectOutcome | undefined;
  readonly found?: Json;
  readonly limit?: Limit;
  readonly context?: NonNullable<StepSpec['context']>;
  readonly models?: Readonly<Record<string, ModelProfile>>;
}

function given({
  writer = () => says('list#1 has 400 rows; row-300 alone is odd.'),
  planner = () => says({ steps: [] }),
  found = { rows },
  limit,
  context = {},
  models = { default: thinker },
}: Setting): { readonly template: ReturnType<typeof templateOf>; readonly options: WorldOptions } {
  const template = templateOf({
    steps: [
      { name: 'list' },
      {
        name: 'plan',
        after: ['list'],
        context: { strategy: 'summary', maxTokens: 700, ...context },
        planning: { target: 'end', planner: { kind: 'llm', model: 'default' }, goal: 'Mend what is odd.' },
      },
      { name: 'end', type: 'deferred', after: ['plan'] },
    ],
    models,
    ...(limit === undefined ? {} : { budget: { limit, landingReserve: 0 } }),
  });
  const perform: WorldOptions['perform'] = (work) => {
    if (work.type === 'ask-model') return work.purpose === 'summary' ? writer(work) : planner(work);
    return work.type === 'ask-planner' ? plans(template, work) : good(found);
  };
  return { template, options: { perform } };
}

function played(setting: Setting): World {
  const { template, options } = given(setting);
  return new World(template, options).begin().run();
}

const nothingMore = { kind: 'fixed', fragment: { steps: [] }, model: 'default' } as const;

const purposes = (world: World) => askedOf(world).map(({ purpose }) => purpose);
const planOf = (world: World) => present(world.state.steps.get('plan'), 'plan');

function packetsOf(world: World): readonly JsonObject[] {
  return requestsOf(world).map(({ brief }) => {
    const read = world.blobs.get(brief);
    const packet = isJsonObject(read) ? read.packet : undefined;
    if (!isJsonObject(packet)) throw new Error('a brief without a packet');
    return packet;
  });
}

function receiptOf(world: World): Receipt {
  const digest = present(requestsOf(world)[0]?.receipt, 'receipt');
  return world.blobs.get(digest) as unknown as Receipt;
}

function requestsOf(world: World) {
  return world.events.filter((event) => event.type === 'plan.requested');
}

describe('a summary before a plan', () => {
  it('is written by a model from the goal and the results, and the planner reads it beside the results that fit', () => {
    const world = played({});
    expect(purposes(world)).toEqual(['summary', 'plan']);
    const told = toldIn(present(askedOf(world)[0], 'ask'));
    expect(told).toMatch(/The planner's goal: Mend what is odd\..*<data name="found">\n\{"results":\{"list":/s);
    expect(packetsOf(world)).toMatchObject([
      { summary: 'list#1 has 400 rows; row-300 alone is odd.', results: { list: { rows: { $count: 400 } } } },
    ]);
    expect(receiptOf(world)).toMatchObject({ summary: { tokens: expect.any(Number) }, items: [{ shown: 'shrunk' }] });
    expect(toldIn(present(askedOf(world)[1], 'ask'))).toContain('row-300 alone is odd');
  });

  it('is not requested when the planner sees every result in full', () => {
    const world = played({ found: { rows: 4 } });
    expect(purposes(world)).toEqual(['plan']);
    expect(packetsOf(world)[0]).not.toHaveProperty('summary');
  });

  it('is written by the model that `context` names, and charged to the planning step', () => {
    const world = played({ context: { model: 'cheap' }, models: { default: thinker, cheap: thinker } });
    expect(askedOf(world).map(({ request }) => request.model)).toEqual(['cheap', 'default']);
    expect(world.state.ledger.accounts.get('run')?.spent).toMatchObject({ llm_calls: 2, cost_usd: 40 });
  });

  it('is requested once, however often the plan is corrected', () => {
    const planner = inTurn(
      says({ steps: [{ name: 'look', capability: 'wrok' }] }),
      says({ steps: [{ name: 'look', capability: 'work' }] }),
    );
    const world = played({ planner });
    expect(purposes(world)).toEqual(['summary', 'plan', 'plan']);
    expect(packetsOf(world).map(({ summary }) => summary)).toEqual(
      Array.from({ length: 2 }, () => 'list#1 has 400 rows; row-300 alone is odd.'),
    );
  });

  it('is requested once more when it was cut off or empty', () => {
    const world = played({ writer: inTurn(says('list#1 has', { finish: 'length' }), says('Short.')) });
    expect(purposes(world)).toEqual(['summary', 'summary', 'plan']);
    expect(packetsOf(world)).toMatchObject([{ summary: 'Short.' }]);
  });

  it.each<[string, Setting, RegExp]>([
    ['the model fails', { writer: () => trouble('MODEL_UNAVAILABLE', { retry: 'never' }) }, /^MODEL_UNAVAILABLE: /],
    ['its answers are empty', { writer: () => says('') }, /^SUMMARY_UNREADABLE: .*your answer was empty/],
    ['the model refuses', { writer: () => says('No.', { finish: 'refusal' }) }, /^MODEL_REFUSED: /],
    ['its call would be the last that the budget allows', { limit: { llm_calls: 1 } }, /^BUDGET_EXCEEDED: /],
    ['its price would leave no money for the planner', { limit: { cost_usd: 3_000 } }, /^BUDGET_EXCEEDED: /],
    [
      'the results do not fit the context window of the model',
      { models: { default: thinker, tiny: { ...thinker, contextWindow: 1_150 } }, context: { model: 'tiny' } },
      /^the model "tiny" has no room /,
    ],
  ])('is replaced by results shrunk by contract when %s, and the receipt says why', (_, setting, why) => {
    const world = played(setting);
    expect(planOf(world).status).toBe('completed');
    expect(packetsOf(world)[0]).not.toHaveProperty('summary');
    expect(packetsOf(world)).toMatchObject([{ results: { list: { rows: { $count: 400 } } } }]);
    expect(receiptOf(world).summary?.tokens).toBeUndefined();
    expect(receiptOf(world)).toMatchObject({ summary: { why: expect.stringMatching(why) } });
  });

  it('is not requested again after a crash at any event, and the planner reads the same summary', () => {
    const { template, options } = given({});
    const whole = new World(template, options).begin().run();
    const cuts = whole.batches.filter((length) => length > 1 && length < whole.journal.length);
    for (const cut of cuts) {
      const again = World.over(template, options, whole.journal.slice(0, cut), whole.blobs);
      const wasTold = again.events.some(({ type }) => type === 'call.ended');
      again.crash();
      again.run();
      expect(purposes(again).filter((purpose) => purpose === 'summary').length).toBe(wasTold ? 0 : 1);
      expect(packetsOf(again).at(-1)?.summary).toBe('list#1 has 400 rows; row-300 alone is odd.');
    }
  });

  it('counts in the bound with every try and every reading', () => {
    const { template } = given({ limit: { phases: 1, replans: 0 } });
    const steps = template.steps.map((each) =>
      each.planning === undefined ? each : { ...each, planning: { ...each.planning, planner: nothingMore } },
    );
    const fixed = { ...template, steps, budget: { ...template.budget, fragmentSteps: 0 } };
    const refused: EffectOutcome = { ...trouble('MODEL_FORMAT_UNSUPPORTED'), bill: {} };
    const broken = trouble('MODEL_UNAVAILABLE');
    const say = inTurn(refused, broken, broken, says(''), refused, refused, says(''), refused, says(''));
    const world = new World(fixed, {
      perform: (work) => {
        if (work.type === 'ask-model') return say();
        return work.type === 'ask-planner' ? good({ steps: [] }) : good({ rows });
      },
    });
    const asked = askedOf(world.begin().run()).length;
    const row = boundOf(fixed).find(({ resource }) => resource === 'llm_calls');
    // Three readings and two repeated requests; refused features cost nothing.
    expect(world.state.ledger.accounts.get('run')?.spent.llm_calls).toBe(5);
    expect(asked).toBe(9);
    expect(5).toBeLessThanOrEqual(present(row?.bound, 'bound'));
    expect(row?.note).toContain('asked by plan');
  });
});
