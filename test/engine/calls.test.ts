// Calls: every try is paid for and recorded, an unpaid call ends the work, and no answered call is repeated.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import { good } from '../../src/base/result.ts';
import type { Limit } from '../../src/budget/amount.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { AskModel } from '../../src/engine/record/effect.ts';
import type { Gate } from '../../src/engine/state/state.ts';
import type { ModelProfile } from '../../src/model/profile.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import { type GateAnswer, World, type WorldOptions } from '../../src/testing/world.ts';
import { askedOf, calls, inTurn, plans, says, trouble } from './models-say.ts';
import { agentOf, type StepSketch, type TemplateSketch, templateOf, thinker, work } from './template-of.ts';

const limited: EffectOutcome = trouble('MODEL_RATE_LIMITED', { retryAfter: 7_000 });
const broken: EffectOutcome = trouble('MODEL_UNAVAILABLE');
const never: EffectOutcome = trouble('MODEL_REQUEST_REFUSED', { retry: 'never' });
const done: EffectOutcome = good('done');
const retry = { maxAttempts: 2, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;

interface Setting extends Partial<TemplateSketch> {
  readonly step?: Partial<StepSketch>;
  readonly model: (asked: AskModel) => EffectOutcome | undefined;
  readonly tool?: (work: Work) => EffectOutcome | undefined;
  readonly person?: (gate: Gate) => GateAnswer | undefined;
  readonly profile?: Partial<ModelProfile>;
  readonly limit?: Limit;
  readonly choose?: WorldOptions['choose'];
}

function given(setting: Setting): World {
  const { step = {}, model, tool = () => done, person, profile = {}, limit, choose, ...rest } = setting;
  const template = templateOf({
    steps: [{ name: 'answer', type: 'task', agent: { name: 'scout' }, timeout: 60_000, ...step }],
    models: { default: { ...thinker, ...profile } },
    agents: [agentOf({ name: 'scout', tools: ['work'] })],
    ...(limit === undefined ? {} : { budget: { limit, landingReserve: 0 } }),
    ...rest,
  });
  return new World(template, {
    perform: (each) => {
      if (each.type === 'ask-model') return model(each);
      return each.type === 'ask-planner' ? plans(template, each) : tool(each);
    },
    ...(person === undefined ? {} : { review: person }),
    ...(choose === undefined ? {} : { choose }),
  }).begin();
}

const answerOf = (world: World) => present(world.state.steps.get('answer'), 'answer');
const spentOf = (world: World) => present(world.state.ledger.accounts.get('run'), 'run').spent;
const tool = calls(['work', {}]);

describe('a call of a model', () => {
  it('is retried after a passing failure, and each try is charged as a call', () => {
    const world = given({ model: inTurn(limited, broken, says('fine')) }).run();
    expect(answerOf(world).status).toBe('completed');
    expect(askedOf(world).map(({ call, after }) => [call, after])).toEqual([
      [1, undefined],
      [2, 7_000],
      [3, 2_000],
    ]);
    expect(spentOf(world)).toMatchObject({ llm_calls: 3, tokens_in: 10, tokens_out: 10 });
  });

  it('fails the attempt after its last try', () => {
    const world = given({ model: () => broken, profile: { maxRetries: 1 } }).run();
    expect(askedOf(world)).toHaveLength(2);
    expect(answerOf(world)).toMatchObject({ status: 'failed', failure: { code: 'MODEL_UNAVAILABLE' } });
  });

  it('is not retried after a failure that would only repeat', () => {
    const world = given({ model: () => never, step: { onFailure: 'retry', retry } }).run();
    expect(askedOf(world)).toHaveLength(1);
    expect(answerOf(world)).toMatchObject({ status: 'failed', attempt: 1 });
  });

  it('reserves its prompt and its longest answer, and is charged for the real use', () => {
    const world = given({ model: () => undefined, profile: { maxOutputTokens: 77 } });
    world.step();
    const { reserved } = present(world.state.ledger.accounts.get('run'), 'run');
    const input = present(reserved.tokens_in, 'tokens');
    expect(input).toBeGreaterThan(100);
    expect(reserved).toMatchObject({ llm_calls: 1, tokens_out: 77, cost_usd: input + 77 });
  });

  it('without a bill is charged in full', () => {
    const world = given({ model: () => good({ text: 'fine', finish: 'stop' }) }).run();
    expect(spentOf(world)).toMatchObject({ llm_calls: 1, tokens_out: 100 });
  });

  it('is the last one of a step after two hundred calls for one result', () => {
    const world = given({
      model: () => calls(...Array.from({ length: 8 }, () => ['work', {}] as const)),
      agents: [agentOf({ name: 'scout', tools: ['work'], maxTurns: 50 })],
      limit: {},
      step: { timeout: 3_600_000 },
    }).run();
    expect(world.performed).toHaveLength(200);
    expect(answerOf(world).failure?.code).toBe('CALLS_EXCEEDED');
  });
});

describe('a call that cannot be paid', () => {
  const promptOf = (world: World) => present(askedOf(world)[0], 'ask').request.maxOutputTokens;
  const firstCost = (): number => {
    const world = given({ model: () => undefined });
    world.step();
    return present(world.state.ledger.accounts.get('run')?.reserved.cost_usd, 'cost') - 100;
  };

  it('asks for a shorter answer, down to the shortest useful length', () => {
    const input = firstCost();
    expect(promptOf(given({ model: () => says('fine'), limit: { cost_usd: input + 60 } }).run())).toBe(50);
    expect(promptOf(given({ model: () => says('fine'), limit: { cost_usd: input + 10 } }).run())).toBe(10);
  });

  it('keeps its step from beginning when the shortest answer cannot be paid', () => {
    const world = given({ model: () => says('fine'), limit: { cost_usd: firstCost() + 9 } }).run();
    expect(answerOf(world)).toMatchObject({ status: 'skipped', skipped: 'budget', attempt: 0 });
    expect(world.performed).toEqual([]);
  });

  it('fails a step that has begun, whatever its failure settings', () => {
    const world = given({
      model: inTurn(tool, says('fine')),
      limit: { llm_calls: 1 },
      step: { onFailure: 'retry', retry },
    }).run();
    expect(answerOf(world)).toMatchObject({ status: 'failed', attempt: 1, failure: { code: 'BUDGET_EXCEEDED' } });
    expect(answerOf(world).failure?.message).toBe('budget.max_total_llm_calls: 1 of 1 llm call used');
    expect(world.state.ended).toMatchObject({ status: 'failed' });
  });

  it('is asked about when the template wants it, and the work continues from its recorded calls', () => {
    const world = given({
      steps: [
        { name: 'answer', type: 'task', agent: { name: 'scout' }, timeout: 60_000 },
        { name: 'plan', after: ['answer'], planning: { target: 'end' } },
        {
          name: 'end',
          type: 'deferred',
          after: ['plan'],
          convergence: { policy: 'all_settled', early: false, onExhaustion: 'ask' },
        },
      ],
      model: inTurn(tool, says('fine')),
      limit: { llm_calls: 1 },
      person: () => ({ verdict: 'answer', value: { answer: 'raise', limit: 5 } }),
    }).run();
    expect(answerOf(world)).toMatchObject({ status: 'completed', attempt: 2, uncounted: 1 });
    expect(world.performed.filter(({ step }) => step === 'answer').map(({ type }) => type)).toEqual([
      'ask-model',
      'call-capability',
      'ask-model',
    ]);
    expect(world.state.gates.get('g1')).toMatchObject({ kind: 'exhaustion', end: 'decided' });
  });

  it('counts in full and exhausts the account when a provider bills more than was reserved', () => {
    const greedy = says(
      '',
      { toolCalls: [{ id: 'c', name: 'work', arguments: {} }] },
      { llm_calls: 1, cost_usd: 9_999 },
    );
    const world = given({ model: inTurn(greedy, says('fine')), limit: { cost_usd: 1_000 } }).run();
    expect(world.state.ledger.accounts.get('run')).toMatchObject({ overdrawn: true, spent: { cost_usd: 9_999 } });
    expect(answerOf(world)).toMatchObject({ status: 'failed', failure: { code: 'BUDGET_EXCEEDED' } });
    expect(world.performed).toHaveLength(1);
  });

  it('adds no cost for a model without a price', () => {
    const { price: _, ...unpriced } = thinker;
    const world = given({
      model: () => says('fine', {}, { llm_calls: 1, tokens_in: 5 }),
      models: { default: unpriced },
    }).run();
    expect(spentOf(world)).toMatchObject({ llm_calls: 1, tokens_in: 5 });
    expect(spentOf(world).cost_usd).toBeUndefined();
  });
});

describe('a call that exceeds the context window', () => {
  it('is not made when the prompt leaves no room for an answer', () => {
    const world = given({ model: () => says('fine'), profile: { contextWindow: 200 } }).run();
    expect(world.performed).toEqual([]);
    expect(answerOf(world)).toMatchObject({ status: 'failed', failure: { code: 'MODEL_CONTEXT_EXCEEDED' } });
    expect(answerOf(world).failure?.message).toMatch(/models\.default\.context_window of 200 leaves no room/);
    expect(spentOf(world).llm_calls).toBeUndefined();
  });

  it('has a shorter answer when the window leaves less room than its limit', () => {
    const input = (): number => {
      const world = given({ model: () => undefined });
      world.step();
      return present(world.state.ledger.accounts.get('run')?.reserved.tokens_in, 'tokens');
    };
    const world = given({ model: () => says('fine'), profile: { contextWindow: input() + 30 } }).run();
    expect(askedOf(world)[0]?.request.maxOutputTokens).toBe(30);
  });
});

describe('a planner that is a capability', () => {
  it('is called again with the answer to its question, and its question is not read as a plan', () => {
    const world = given({
      steps: [
        { name: 'plan', planning: { target: 'end', planner: { kind: 'capability', name: 'work' } } },
        { name: 'end', type: 'deferred', after: ['plan'] },
      ],
      model: () => undefined,
      tool: inTurn<EffectOutcome>(
        good({ needs_clarification: { question: 'Which?' } }),
        good({ steps: [{ name: 'a', capability: 'work' }] }),
        done,
      ),
      person: () => ({ verdict: 'answer', value: 'this' }),
    }).run();
    expect(world.state.steps.get('plan')).toMatchObject({ status: 'completed', attempt: 2 });
    expect(world.state.gates.size).toBe(1);
    const [, second] = world.performed.filter(({ type }) => type === 'call-capability');
    expect(second?.input).toMatchObject({ brief: { clarifications: [{ question: 'Which?', answer: 'this' }] } });
  });
});

describe('the time of an attempt', () => {
  it('is the time of all its calls together', () => {
    const world = given({ model: inTurn(tool, says('fine')), step: { timeout: 10_000 }, tool: () => undefined });
    world.step();
    world.now += 4_000;
    world.step();
    expect(world.performed).toHaveLength(1);
    world.run();
    const timeouts = world.performed.map(({ timeout }) => timeout);
    expect(timeouts[0]).toBe(10_000);
    expect(timeouts[1]).toBeLessThanOrEqual(6_000);
    expect(answerOf(world)).toMatchObject({ status: 'failed', failure: { code: 'STEP_TIMEOUT' } });
  });

  it('ends the attempt when it is over, and charges the call under way in full', () => {
    const world = given({
      model: inTurn<EffectOutcome | undefined>(undefined, says('fine')),
      step: { onFailure: 'retry', retry },
    });
    world.run();
    expect(answerOf(world)).toMatchObject({ status: 'completed', attempt: 2 });
    expect(askedOf(world).map(({ key }) => key)).toEqual(['r1/answer#1.1', 'r1/answer#2.1']);
    expect(spentOf(world)).toMatchObject({ llm_calls: 2, tokens_out: 110 });
  });
});

describe('an interrupted attempt', () => {
  const underWay = (setting: Partial<Setting> = {}) => {
    const world = given({ model: inTurn<EffectOutcome | undefined>(tool, undefined), ...setting });
    for (let i = 0; i < 3; i++) world.step();
    expect(answerOf(world)).toMatchObject({ status: 'running', calls: [{}, {}, { outcome: undefined }] });
    return world;
  };

  it.each(['cancel', 'resolve-step', 'retry-step'] as const)('by %s is aborted once, and charged in full', (type) => {
    const world = underWay();
    const before = present(spentOf(world).cost_usd, 'cost');
    const order = { by: 'ada', step: 'answer', value: 'mine' };
    const { effects } = world.tell(type === 'cancel' ? { type, by: 'ada' } : { type, ...order });
    expect(effects.filter((effect) => effect.type === 'abort')).toHaveLength(1);
    expect(present(spentOf(world).cost_usd, 'cost')).toBeGreaterThan(before + 100);
    expect(present(world.state.ledger.accounts.get('run'), 'run').reserved.cost_usd).toBe(0);
  });

  it("makes all its calls again after an operator's retry", () => {
    const world = underWay({ model: inTurn<EffectOutcome | undefined>(tool, says('fine')) });
    world.tell({ type: 'retry-step', step: 'answer', by: 'ada' });
    world.run();
    expect(answerOf(world)).toMatchObject({ status: 'completed', attempt: 2, calls: [{}] });
  });

  it('ends with a result that a person gives', () => {
    const world = underWay();
    world.tell({ type: 'resolve-step', step: 'answer', value: 'mine', by: 'ada' });
    world.run();
    expect(world.state.ended).toMatchObject({ status: 'completed', output: { value: { answer: 'mine' } } });
  });

  it('ignores the outcome of a call that it no longer waits for', () => {
    const world = underWay();
    const [first] = askedOf(world);
    const { call, delivery, attempt } = present(first, 'ask');
    const late = {
      type: 'settle',
      step: 'answer',
      attempt,
      delivery,
      call,
      input: null,
      outcome: says('late'),
      chance: 0,
    } as const;
    expect(world.tell(late).events).toEqual([]);
  });

  it("is cut at the end of the run's time, and its target converges", () => {
    const world = given({
      steps: [
        {
          name: 'plan',
          planning: {
            target: 'end',
            planner: { kind: 'fixed', fragment: { steps: [{ name: 'ask', agent: 'scout', timeout: '1h' }] } },
          },
        },
        {
          name: 'end',
          type: 'deferred',
          after: ['plan'],
          convergence: { policy: 'all_settled', early: false, onExhaustion: 'converge' },
        },
      ],
      model: () => undefined,
      budget: { wallClock: 20_000 },
    }).run();
    expect(world.state.steps.get('plan.1/ask')).toMatchObject({ status: 'skipped', skipped: 'budget' });
    expect(world.state.ended).toMatchObject({ status: 'completed', partial: true });
  });
});

describe('a crash', () => {
  it('repeats the lost call under its key, charges it in full, and reserves it once more', () => {
    const world = given({ model: inTurn<EffectOutcome | undefined>(tool, says('fine')) });
    for (let i = 0; i < 3; i++) world.step();
    const cost = present(world.state.ledger.accounts.get('run')?.reserved.cost_usd, 'cost');
    world.crash();
    const run = present(world.state.ledger.accounts.get('run'), 'run');
    expect(run.reserved.cost_usd).toBe(cost);
    expect(run.spent.cost_usd).toBe(20 + cost);
    world.run();
    expect(world.performed.map(({ key, delivery }) => [key, delivery])).toEqual([
      ['r1/answer#1.1', 1],
      ['r1/answer#1.2', 1],
      ['r1/answer#1.3', 2],
    ]);
    expect(answerOf(world)).toMatchObject({ status: 'completed', attempt: 1 });
  });

  it('does not reserve the lost call twice when the budget is exact', () => {
    const straight = given({ model: inTurn<EffectOutcome | undefined>(tool, undefined) });
    for (let i = 0; i < 3; i++) straight.step();
    const { spent, reserved } = present(straight.state.ledger.accounts.get('run'), 'run');
    const cost = present(spent.cost_usd, 'spent') + 2 * present(reserved.cost_usd, 'reserved');
    const world = given({ model: inTurn<EffectOutcome | undefined>(tool, says('fine')), limit: { cost_usd: cost } });
    for (let i = 0; i < 3; i++) world.step();
    world.crash();
    expect(answerOf(world.run()).status).toBe('completed');
    expect(askedOf(world).at(-1)?.request.maxOutputTokens).toBe(100);
  });
});

describe('the work of an agent', () => {
  const asking = (name: string, description: string): StepSketch => ({
    name,
    type: 'task',
    agent: { name: 'scout' },
    description,
    timeout: 60_000,
  });
  const ran = (steps: readonly StepSketch[], agents = [agentOf({ name: 'scout' })]) =>
    given({ steps, agents, model: () => says('fine') });

  it('is adopted by a step with the same agent, task and input', () => {
    const before = ran([asking('one', 'Count.')]).run();
    const after = new World(
      templateOf({
        steps: [asking('uno', 'Count.')],
        agents: [agentOf({ name: 'scout' })],
        models: { default: thinker },
      }),
      {
        perform: () => says('fine'),
      },
    );
    after.begin(before).run();
    expect(after.performed).toEqual([]);
    expect(after.state.ended).toMatchObject({ output: { value: { uno: 'fine' } } });
  });

  it.each([
    ['task', [asking('one', 'Count again.')], [agentOf({ name: 'scout' })]],
    ['agent', [asking('one', 'Count.')], [agentOf({ name: 'scout', prompt: 'You differ.' })]],
  ] as const)('is not for another %s', (_, steps, agents) => {
    const before = ran([asking('one', 'Count.')]).run();
    const after = new World(templateOf({ steps, agents, models: { default: thinker } }), {
      perform: () => says('fine'),
    });
    after.begin(before).run();
    expect(after.performed).toHaveLength(1);
  });

  it('is not adopted by a step that is given other results', () => {
    const steps = [{ name: 'source' }, { ...asking('one', 'Count.'), after: ['source'] }];
    const sketch = { steps, agents: [agentOf({ name: 'scout' })], models: { default: thinker }, capabilities: [work] };
    const over = (n: number, before?: World) =>
      new World(templateOf(sketch), {
        perform: (each) => (each.type === 'ask-model' ? says('fine') : good(n)),
      }).begin(before);
    const before = over(1).run();
    const [source] = [...before.state.steps.values()];
    if (source !== undefined) source.takenUp = 'elsewhere';
    const after = over(2, before).run();
    expect(after.performed.map(({ type }) => type)).toEqual(['call-capability', 'ask-model']);
  });
});
