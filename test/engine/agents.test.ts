// Agents: a loop of calls, each an effect of its own, until an answer fits the contract.

import { describe, expect, it } from 'vitest';
import { present } from '../../src/base/fault.ts';
import type { Json, JsonObject } from '../../src/base/json.ts';
import { bad, good } from '../../src/base/result.ts';
import type { Declaration } from '../../src/contract/declaration.ts';
import type { EffectOutcome } from '../../src/engine/record/command.ts';
import type { AskModel } from '../../src/engine/record/effect.ts';
import type { Work } from '../../src/runtime/ports/work.ts';
import type { AgentSpec } from '../../src/template/keys/agent.ts';
import { type GateAnswer, World } from '../../src/testing/world.ts';
import { askedOf, asks, calls, inTurn, says, toldIn } from './models-say.ts';
import { agentOf, type StepSketch, type TemplateSketch, templateOf, thinker, work } from './template-of.ts';

const search: Declaration = {
  ...work,
  name: 'web.search',
  description: 'Searches.',
  input: { type: 'object', required: ['q'], properties: { q: { type: 'string' } }, additionalProperties: false },
};
/** A contract that is silent on undeclared properties, except that `tags` may have any. */
const openContract: JsonObject = {
  type: 'object',
  properties: {
    q: { type: 'string' },
    within: { type: 'object', properties: { year: { type: 'integer' } } },
    tags: { type: 'object', additionalProperties: true },
  },
};
const pay: Declaration = { ...work, name: 'pay', effects: ['write'], repeat: 'keyed' };
const retry = { maxAttempts: 2, backoff: 'none', base: 0, max: 0, jitter: 0 } as const;

interface Setting extends Partial<Omit<TemplateSketch, 'agents'>> {
  readonly agent?: Partial<AgentSpec>;
  readonly step?: Partial<StepSketch>;
  readonly model: (asked: AskModel) => EffectOutcome | undefined;
  readonly tool?: (work: Work) => EffectOutcome | undefined;
  readonly person?: () => GateAnswer | undefined;
}

const found: EffectOutcome = good({ hits: 3 });

function given({ agent = {}, step = {}, model, tool = () => found, person, ...rest }: Setting): World {
  const template = templateOf({
    steps: [{ name: 'answer', type: 'task', description: 'Count the hits.', agent: { name: 'scout' }, ...step }],
    models: { default: thinker },
    agents: [agentOf({ name: 'scout', tools: ['web.*'], ...agent })],
    capabilities: [work, search, pay],
    ...rest,
  });
  const perform = (each: Work) => (each.type === 'ask-model' ? model(each) : tool(each));
  return new World(template, { perform, ...(person === undefined ? {} : { review: person }) }).begin();
}

const answerOf = (world: World) => present(world.state.steps.get('answer'), 'answer');
const resultOf = (world: World): Json | undefined => {
  const { result } = answerOf(world);
  return result === undefined ? undefined : 'value' in result ? result.value : world.blobs.get(result.digest);
};
const toolCalls = (world: World) => world.performed.filter(({ type }) => type === 'call-capability');
const count: JsonObject = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };

describe('data of a provider', () => {
  it('is kept with the reply of an agent, goes back with its message, and is no part of the result', () => {
    const extra = { from: { baseUrl: 'http://127.0.0.1:1/v1', model: 'm' }, data: { reasoning_content: 'I think' } };
    const toolCalls = [{ id: 'c1', name: 'web_search', arguments: { q: 'x' } }];
    const first = says('', { toolCalls, finish: 'tool_calls', extra });
    const world = given({ model: inTurn(first, says('Three hits.', { extra })) }).run();
    expect(askedOf(world)[1]?.request.messages).toContainEqual({ role: 'assistant', content: '', toolCalls, extra });
    expect(resultOf(world)).toBe('Three hits.');
  });
});

describe('an agent', () => {
  it('is asked with its prompt, its task and its input, and answers with text', () => {
    const world = given({ model: () => says('three'), step: { input: { where: 'here' } } }).run();
    expect(resultOf(world)).toBe('three');
    const [asked] = askedOf(world);
    expect(asked).toMatchObject({ purpose: 'turn', key: 'r1/answer#1.1', request: { model: 'default' } });
    const told = toldIn(present(asked, 'ask'));
    expect(told).toMatch(/system: You help\..*Count the hits\..*\{"where":"here"\}/s);
  });

  it('calls tools and continues with their results; each call is an effect with its own key', () => {
    const world = given({
      model: inTurn(calls(['web_search', { q: 'a' }], ['web_search', { q: 'b' }]), says('six')),
    }).run();
    expect(resultOf(world)).toBe('six');
    expect(world.performed.map(({ type, key }) => [type, key])).toEqual([
      ['ask-model', 'r1/answer#1.1'],
      ['call-capability', 'r1/answer#1.2'],
      ['call-capability', 'r1/answer#1.3'],
      ['ask-model', 'r1/answer#1.4'],
    ]);
    expect(askedOf(world)[1]?.request.messages.slice(2)).toMatchObject([
      { role: 'assistant', toolCalls: [{ name: 'web_search' }, { name: 'web_search' }] },
      { role: 'tool', callId: 'c1', content: '{"hits":3}' },
      { role: 'tool', callId: 'c2', content: '{"hits":3}' },
    ]);
    const { spent } = present(world.state.ledger.accounts.get('run'), 'run');
    expect(spent).toMatchObject({ llm_calls: 2, tool_calls: 2, tokens_in: 20, tokens_out: 20, cost_usd: 40 });
  });

  it('may call a tool by the name of its capability, as its prompt does', () => {
    const world = given({ model: inTurn(calls(['web.search', { q: 'a' }]), says('six')) }).run();
    expect(toolCalls(world)).toHaveLength(1);
    expect(resultOf(world)).toBe('six');
  });

  it('is told about unknown tools and invalid arguments, and those calls are not made', () => {
    const world = given({
      model: inTurn(calls(['web_fetch', {}], ['web_search', { q: 7, deep: true }]), says('none')),
    }).run();
    expect(toolCalls(world)).toEqual([]);
    const told = toldIn(present(askedOf(world)[1], 'second ask'));
    expect(told).toContain('there is no tool "web_fetch"; your tools are web_search');
    expect(told).toMatch(/the call was not made, its arguments do not fit:.*deep/);
  });

  it('is told about undeclared arguments at every depth', () => {
    const open = { ...search, input: openContract };
    const asked = { q: 'x', within: { yaer: 1 }, tags: { any: 1 }, limit: 3 };
    const world = given({
      capabilities: [work, open],
      model: inTurn(calls(['web_search', asked], ['web_search', { q: 'x', within: { year: 1 } }]), says('none')),
    }).run();
    expect(toolCalls(world)).toHaveLength(1);
    expect(toldIn(present(askedOf(world)[1], 'second ask'))).toContain(
      'its arguments do not fit: within.yaer: the tool takes no such argument; limit: the tool takes no such argument',
    );
  });

  it('is told why a tool failed, and how many tools it may call at once', () => {
    const nine = Array.from({ length: 9 }, (_, i) => ['web_search', { q: String(i) }] as const);
    const world = given({
      model: inTurn(calls(...nine), says('none')),
      tool: () => bad({ code: 'CAPABILITY_THREW', message: 'no net', retry: 'may' }),
    }).run();
    expect(toolCalls(world)).toHaveLength(8);
    const told = toldIn(present(askedOf(world)[1], 'second ask'));
    expect(told).toContain('{"failed":"CAPABILITY_THREW","message":"no net"}');
    expect(told).toContain('not called: at most 8 calls at once');
  });

  it('has a limited number of turns, and may call no tool on the last one, where tools explain earlier calls', () => {
    const world = given({
      agent: { maxTurns: 3 },
      model: inTurn(...Array.from({ length: 2 }, () => calls(['web_search', { q: 'more' }])), says('done')),
    }).run();
    expect(resultOf(world)).toBe('done');
    expect(askedOf(world).map(({ request }) => [request.tools?.length, request.toolChoice])).toEqual([
      [2, undefined],
      [2, undefined],
      [2, 'none'],
    ]);
  });

  it('is offered no tools on the last turn when it has called none', () => {
    const world = given({ agent: { maxTurns: 1 }, model: () => says('done') }).run();
    expect(askedOf(world).map(({ request }) => [request.tools, request.toolChoice])).toEqual([[undefined, undefined]]);
  });

  it('is told once to answer now when it calls a tool on the last turn, and the call is not made', () => {
    const search = calls(['web_search', { q: 'more' }]);
    const world = given({ agent: { maxTurns: 2 }, model: inTurn(search, search, says('done')) }).run();
    expect(resultOf(world)).toBe('done');
    expect(toolCalls(world)).toHaveLength(1);
    expect(askedOf(world)[2]?.request.messages.at(-1)).toEqual({
      role: 'tool',
      callId: 'c1',
      content: 'not called: you may call no more tools. Answer now, with what you know.',
    });
    expect(askedOf(world)[2]?.request.toolChoice).toBe('none');
  });

  it('fails when it goes on calling tools after its last turn', () => {
    const world = given({ agent: { maxTurns: 3 }, model: () => calls(['web_search', { q: 'more' }]) }).run();
    expect(answerOf(world)).toMatchObject({ status: 'failed', failure: { code: 'AGENT_TURNS_EXCEEDED' } });
    expect(askedOf(world)).toHaveLength(4);
    expect(toolCalls(world)).toHaveLength(2);
  });

  it('without tools is told to answer now when its only turn calls one', () => {
    const world = given({
      agent: { maxTurns: 1, tools: [] },
      step: { maxClarifications: 0 },
      model: inTurn(calls(['web_search', { q: 'more' }]), says('done')),
    }).run();
    expect(resultOf(world)).toBe('done');
    expect(toldIn(present(askedOf(world)[1], 'second ask'))).toMatch(/user: not called: .*Answer now/);
  });

  it('corrects an answer that breaks its contract, within its turns', () => {
    const world = given({
      step: { output: count },
      model: inTurn(says('three'), says({ n: 'x' }), says({ n: 3 })),
    }).run();
    expect(resultOf(world)).toEqual({ n: 3 });
    const [, second, third] = askedOf(world).map(toldIn);
    expect(second).toContain('your answer holds no JSON value: it begins "three"');
    expect(third).toMatch(/your answer does not fit its schema: .*n/);
    expect(askedOf(world)[0]?.request.answer).toEqual({ name: 'result', schema: count });
  });

  it('fails when its answer on the last turn breaks its contract', () => {
    const world = given({ step: { output: count }, agent: { maxTurns: 2 }, model: () => says({ n: 'x' }) }).run();
    expect(answerOf(world)).toMatchObject({ status: 'failed', failure: { code: 'AGENT_TURNS_EXCEEDED' } });
    expect(answerOf(world).failure?.message).toMatch(/2 turns.*does not fit its schema/);
  });

  it('is asked for a shorter answer after an answer was cut off', () => {
    const world = given({ model: inTurn(says('three and', { finish: 'length' }), says('three')) }).run();
    expect(resultOf(world)).toBe('three');
    expect(toldIn(present(askedOf(world)[1], 'second ask'))).toContain('cut off at its longest');
  });

  it.each([
    ['refusal', 'MODEL_REFUSED'],
    ['filter', 'MODEL_FILTERED'],
  ] as const)('fails without a retry when its model answers with a %s', (finish, code) => {
    const world = given({ step: { onFailure: 'retry', retry }, model: () => says('no', { finish }) }).run();
    expect(answerOf(world)).toMatchObject({ status: 'failed', attempt: 1, failure: { code, retry: 'never' } });
  });

  it('is told why the previous attempt failed its verification', () => {
    const verification = { $lisp: '(= data/result "three")' };
    const world = given({
      step: { verification, onVerificationFailure: 'retry', retry },
      model: inTurn(says('two'), says('three')),
    }).run();
    expect(resultOf(world)).toBe('three');
    expect(toldIn(present(askedOf(world)[1], 'second ask'))).toContain('A previous attempt failed verification');
  });

  it('sees shrunk versions of large tool results', () => {
    const rows = Array.from({ length: 5_000 }, (_, id) => ({ id, name: `row number ${id}` }));
    const world = given({
      model: inTurn(calls(['web_search', { q: 'a' }]), says('many')),
      tool: () => good({ rows }),
    }).run();
    const told = present(askedOf(world)[1], 'second ask').request.messages.at(-1)?.content ?? '';
    expect(told.length).toBeLessThanOrEqual(16_000);
    expect(told).toContain('5000');
  });

  it('sees as much of many large results as fits the context window of its model', () => {
    const eight = Array.from({ length: 8 }, (_, i) => ['web_search', { q: String(i) }] as const);
    const world = given({
      models: { default: { ...thinker, contextWindow: 8_000 } },
      model: inTurn(calls(...eight), says('many')),
      tool: () => good(Array.from({ length: 900 }, (_, id) => ({ id, name: `row number ${id}` }))),
    }).run();
    expect(resultOf(world)).toBe('many');
    const lengths = askedOf(world)[1]?.request.messages.flatMap(({ role, content }) =>
      role === 'tool' ? content.length : [],
    );
    expect(lengths).toHaveLength(8);
    expect(Math.max(...(lengths ?? []))).toBeLessThanOrEqual(2_000);
  });

  it('sees a summary of the older part of a long conversation, and the latest part in full', () => {
    const world = given({
      agent: { maxTurns: 8 },
      models: { default: { ...thinker, contextWindow: 4_000 } },
      model: ({ call }) => (call < 12 ? calls(['web_search', { q: `q${call}` }]) : says('done')),
      tool: ({ key }) => good({ about: key, text: `${key} `.repeat(150) }),
    }).run();
    expect(resultOf(world)).toBe('done');
    const { messages } = present(askedOf(world).at(-1), 'last ask').request;
    expect(messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'user',
      'assistant',
      'tool',
      'assistant',
      'tool',
    ]);
    expect(messages[2]?.content).toMatch(/What your earlier tool calls brought, in short:.*web_search/s);
    expect(messages.at(-1)?.content).toMatch(/^\{"about":"r1\/answer#1.12","text":"r1/);
  });
});

describe('the context of an agent', () => {
  const before: StepSketch[] = [{ name: 'one' }, { name: 'two' }];
  const perform = (each: Work): EffectOutcome => good({ of: each.step, text: 'x'.repeat(2_000) });
  const template = (step: Partial<StepSketch>, more: Partial<TemplateSketch> = {}) =>
    templateOf({
      steps: [...before, { name: 'answer', type: 'task', agent: { name: 'default' }, after: ['one', 'two'], ...step }],
      models: { default: thinker },
      ...more,
    });
  const asked = (step: Partial<StepSketch>, more: Partial<TemplateSketch> = {}) => {
    const world = new World(template(step, more), {
      perform: (each) => (each.type === 'ask-model' ? says('fine') : perform(each)),
    });
    return present(askedOf(world.begin().run())[0], 'ask');
  };

  it('is the results of its dependencies, shrunk to its allowance', () => {
    const told = toldIn(asked({ input: { tone: 'dry' } }));
    expect(told).toMatch(/<data name="input">\n\{"tone":"dry"\}/);
    expect(told).toMatch(/<data name="results">\n\{"results":\{"one":\{.*"two":\{/s);
    const short = toldIn(asked({ context: { maxTokens: 500 } }));
    expect(short.length).toBeLessThan(told.length);
    expect(short).toContain('"receipt":[{');
  });

  it('does not repeat results that its input refers to', () => {
    const told = toldIn(asked({ input: { first: '{{ results.one.of }}' } }));
    expect(told).toContain('{"first":"one"}');
    expect(told).toMatch(/"results":\{"two"/);
    expect(toldIn(asked({ input: '{{ depends }}' }))).not.toContain('data name="results"');
  });

  it('is the item, for an agent that a fan-out runs', () => {
    const world = new World(
      templateOf({
        steps: [
          {
            name: 'map',
            type: 'fan_out',
            fanOut: {
              do: { ...present(template({}).steps[2], 'answer'), name: 'map', dependencies: [] },
              forEach: { $lisp: '["a {{ item }}" "b"]' },
              maxWidth: 2,
              failureStrategy: 'fail_fast',
            },
          },
        ],
        models: { default: thinker },
      }),
      { perform: () => says('fine') },
    );
    const asks = askedOf(world.begin().run());
    expect(asks.map((each) => /\{"item".*\}/.exec(toldIn(each))?.[0])).toEqual([
      '{"item":"a {{ item }}"}',
      '{"item":"b"}',
    ]);
    expect(world.state.steps.get('map')?.result).toEqual({ value: ['fine', 'fine'] });
  });
});

describe('an agent that asks a person', () => {
  const person = (): GateAnswer => ({ verdict: 'answer', value: 'the blue one' });

  it('continues where it was, and asks nothing twice', () => {
    const world = given({
      model: inTurn(calls(['web_search', { q: 'a' }]), asks('Which one?'), says('blue it is')),
      person,
    }).run();
    expect(resultOf(world)).toBe('blue it is');
    expect(askedOf(world)).toHaveLength(3);
    expect(toolCalls(world)).toHaveLength(1);
    expect(askedOf(world)[2]?.request.messages.at(-1)).toEqual({ role: 'tool', callId: 'c1', content: 'the blue one' });
    expect(answerOf(world)).toMatchObject({ attempt: 2, uncounted: 1 });
  });

  it('asks one question at a time', () => {
    const two = calls(['ask_person', { question: 'This?' }], ['ask_person', { question: 'That?' }]);
    const world = given({ model: inTurn(two, says('fine')), person }).run();
    expect(toldIn(present(askedOf(world)[1], 'second ask'))).toMatch(
      /tool: the blue one\ntool: ask one question at a time/,
    );
  });

  it('may not ask more often than its step allows', () => {
    const world = given({
      step: { maxClarifications: 1 },
      model: ({ call }) => (call < 3 ? asks(`Question ${call}?`) : says('fine')),
      person,
    }).run();
    expect(world.state.gates.size).toBe(1);
    expect(askedOf(world).map(({ request }) => request.tools?.some(({ name }) => name === 'ask_person'))).toEqual([
      true,
      false,
      false,
    ]);
    expect(toldIn(present(askedOf(world)[2], 'third ask'))).toContain('you may not ask any more');
    expect(resultOf(world)).toBe('fine');
  });

  it('can call a tool that has the same name as the question to a person', () => {
    const world = given({
      capabilities: [{ ...search, name: 'ask_person' }],
      agent: { tools: ['*'] },
      model: inTurn(calls(['ask_person_2', { q: 'a' }]), says('fine')),
    }).run();
    expect(toolCalls(world)).toMatchObject([{ capability: 'ask_person', input: { q: 'a' } }]);
  });
});

describe('a risky tool call of an agent', () => {
  const payer: Partial<Setting> = { agent: { tools: ['pay'] } };
  const paying = calls(['pay', { to: 'ada' }]);

  it('needs an approval, and runs with exactly the input that was shown', () => {
    let seen: Json | undefined;
    const world = given({
      ...payer,
      effects: { allowed: [], denied: [], approval: [] },
      model: inTurn(paying, says('paid')),
      person: () => {
        const [gate] = [...world.state.gates.values()];
        seen = gate?.context === undefined || !('value' in gate.context) ? undefined : gate.context.value;
        return { verdict: 'approve' };
      },
    });
    world.run();
    expect(seen).toEqual({ capability: 'pay', input: { to: 'ada' } });
    expect(resultOf(world)).toBe('paid');
    expect(toolCalls(world)).toMatchObject([{ capability: 'pay', input: { to: 'ada' } }]);
    expect(askedOf(world)).toHaveLength(2);
    expect(answerOf(world).uncounted).toBe(1);
  });

  it('does not run when a person refuses, and the agent continues without it', () => {
    const world = given({
      ...payer,
      effects: { allowed: [], denied: [], approval: [] },
      model: inTurn(paying, says('then not')),
      person: () => ({ verdict: 'reject', why: 'too dear' }),
    }).run();
    expect(toolCalls(world)).toEqual([]);
    expect(resultOf(world)).toBe('then not');
    expect(toldIn(present(askedOf(world)[1], 'second ask'))).toMatch(/GATE_REJECTED.*ada rejected gate g1: too dear/);
  });

  it('is not offered when the policy denies it', () => {
    const world = given({
      ...payer,
      agent: { tools: ['*'] },
      effects: { allowed: [], denied: ['write'], approval: [] },
      model: () => says('fine'),
    }).run();
    const offered = askedOf(world)[0]?.request.tools?.map(({ name }) => name);
    expect(offered?.toSorted()).toEqual(['ask_person', 'web_search', 'work']);
  });

  it('needs one approval for the same input, even if another call was approved in between', () => {
    const other = calls(['pay', { to: 'ben' }]);
    const world = given({
      ...payer,
      effects: { allowed: [], denied: [], approval: [] },
      model: inTurn(paying, other, paying, says('paid')),
      person: () => ({ verdict: 'approve' }),
    }).run();
    expect(world.state.gates.size).toBe(2);
    expect(toolCalls(world)).toMatchObject([
      { input: { to: 'ada' } },
      { input: { to: 'ben' } },
      { input: { to: 'ada' } },
    ]);
  });

  it('stays refused when the agent repeats it, and nobody is asked again', () => {
    const world = given({
      ...payer,
      effects: { allowed: [], denied: [], approval: [] },
      model: inTurn(paying, paying, says('then not')),
      person: () => ({ verdict: 'reject', why: 'too dear' }),
    }).run();
    expect([world.state.gates.size, toolCalls(world)]).toEqual([1, []]);
    expect(resultOf(world)).toBe('then not');
    expect(toldIn(present(askedOf(world)[2], 'third ask')).match(/ada rejected gate g1: too dear/g)).toHaveLength(2);
  });

  it("needs an approval when the agent's own policy says so, although the run allows it", () => {
    const asking = { allowed: [], denied: [], approval: ['write'] } as const;
    const world = given({ agent: { tools: ['pay'], effects: asking }, model: inTurn(paying, says('paid')) }).run();
    expect([...world.state.openGates]).toEqual(['g1']);
  });

  it("runs without an approval when the agent's own policy allows it", () => {
    const allowing = { allowed: ['write'], denied: [], approval: [] } as const;
    const world = given({
      agent: { tools: ['pay'], effects: allowing },
      effects: { allowed: [], denied: [], approval: [] },
      model: inTurn(paying, says('paid')),
    }).run();
    expect([resultOf(world), world.state.gates.size]).toEqual(['paid', 0]);
  });

  it.each([
    ['its own policy denies', { agent: { effects: { allowed: [], denied: ['write'], approval: [] } } }],
    ['the effects of its step exclude', { step: { effects: ['compute', 'llm'] } }],
  ] as readonly [string, Partial<Setting>][])('is not offered to the agent if %s it', (_, { agent, step = {} }) => {
    const world = given({ agent: { tools: ['*'], ...agent }, step, model: () => says('fine') }).run();
    const offered = askedOf(world)[0]?.request.tools?.map(({ name }) => name);
    expect(offered?.toSorted()).toEqual(['ask_person', 'web_search', 'work']);
  });

  it('has the same key in the next attempt, and another key when one attempt repeats it', () => {
    const world = given({
      ...payer,
      step: { verification: { $lisp: '(= data/result "paid")' }, onVerificationFailure: 'retry', retry },
      model: inTurn(paying, says('not yet'), paying, paying, says('paid')),
    }).run();
    const keys = toolCalls(world).map(({ key }) => key);
    expect(keys.map((key) => key.replace(/^r1\/pay\/[\w-]+\//, ''))).toEqual(['1', '1', '2']);
    expect(new Set(keys).size).toBe(2);
  });
});
