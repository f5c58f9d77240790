// Missions and plans with tools of a program: requests to planners, calls of tools, decisions of people, and events.
import { afterEach, describe, expect, it } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import type { Result } from '../../src/base/result.ts';
import { defineCapability } from '../../src/capabilities/capability.ts';
import { scriptedModel } from '../../src/llm/scripted-model.ts';
import type { Engine } from '../../src/runtime/api/engine.ts';
import type { EngineOptions } from '../../src/runtime/api/engine-options.ts';
import { toolCapabilities } from '../../src/runtime/api/tools.ts';
import { createEngine } from '../../src/runtime/create-engine.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';

const engines: Engine[] = [];

afterEach(async () => {
  for (const engine of engines.splice(0)) await engine.close();
});

function engineOf(options: EngineOptions = {}): Engine {
  const engine = createEngine({ journal: openMemoryJournal(), learning: false, ...options });
  engines.push(engine);
  return engine;
}

function held<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(JSON.stringify(result.error));
  return result.value;
}

const prices: Readonly<Record<string, number>> = { AAPL: 190, MSFT: 410 };

const tools = {
  availableTools: {
    fetch_price: 'Fetch a stock price. Input: {symbol}. Output: {symbol, price :float}',
  },
  baseTools: {
    fetch_price: ({ symbol }: { symbol: string }) => ({ symbol, price: prices[symbol] ?? -1 }),
  },
};

const plan = {
  tasks: [
    { id: 'apple', tool: 'fetch_price', input: { symbol: 'AAPL' } },
    { id: 'microsoft', tool: 'fetch_price', input: { symbol: 'MSFT' } },
    {
      id: 'compare',
      type: 'compute',
      expr: '(apply max (map :price (vals data/depends)))',
      after: ['apple', 'microsoft'],
    },
  ],
};

const asking = {
  steps: [
    ...plan.tasks,
    { name: 'verify', type: 'human_review', prompt: 'Right?', depends_on: ['compare'] },
    { name: 'say', type: 'compute', expr: '(:notes (:verify data/results))', depends_on: ['verify'] },
  ],
};

describe('a plan with functions as tools', () => {
  it('runs, and reports the results of its steps', async () => {
    expect(held(await engineOf().execute(plan, 'Compare the prices', tools))).toMatchObject({
      status: 'completed',
      results: { apple: { symbol: 'AAPL', price: 190 }, compare: 410 },
      replanCount: 0,
    });
  });

  it('is checked against the contracts of the tools before and after a call', async () => {
    const wrong = { tasks: [{ id: 'apple', tool: 'fetch_price', input: { ticker: 'AAPL' } }] };
    const refused = await engineOf().execute(wrong, 'Compare', tools);
    expect(refused.ok ? [] : refused.error.map(({ code }) => code)).toContain('INPUT_UNKNOWN_KEY');
    const silent = { ...tools, baseTools: { fetch_price: () => ({ symbol: 'AAPL' }) } };
    const outcome = held(await engineOf().execute({ tasks: plan.tasks.slice(0, 1) }, 'Compare', silent));
    expect(outcome).toMatchObject({ status: 'failed' });
  });

  it('calls a capability of the registry before a base tool of the same name', async () => {
    const registered = defineCapability({
      name: 'fetch_price',
      description: 'Fetch a price.',
      effects: ['pure'],
      run: () => ({ price: 1 }),
    });
    const options = { baseTools: tools.baseTools, registry: [registered] };
    const outcome = held(await engineOf().execute({ tasks: plan.tasks.slice(0, 1) }, 'Fetch', options));
    expect(outcome.results).toEqual({ apple: { price: 1 } });
  });

  it('does not start when a tool has no function', async () => {
    const engine = engineOf();
    const refused = await engine.execute(plan, 'Compare', { ...tools, baseTools: { fetch_prices: () => 1 } });
    expect(refused).toMatchObject({
      ok: false,
      error: [{ code: 'CAPABILITY_UNKNOWN', hint: 'did you mean "fetch_prices"?' }],
    });
    expect(engine.runs()).toEqual([]);
  });

  it('does not run a step whose initial result is given', async () => {
    const called: string[] = [];
    const baseTools = {
      fetch_price: ({ symbol }: { symbol: string }) => {
        called.push(symbol);
        return { symbol, price: 1 };
      },
    };
    const options = { ...tools, baseTools, initialResults: { apple: { symbol: 'AAPL', price: 9 } } };
    expect(held(await engineOf().execute(plan, 'Compare', options)).results).toMatchObject({ compare: 9 });
    expect(called).toEqual(['MSFT']);
  });

  it('passes every event to its listener, from the start to the end of the run', async () => {
    const heard: string[] = [];
    await engineOf().execute(plan, 'Compare', { ...tools, onEvent: ({ event }) => heard.push(event.type) });
    expect(heard[0]).toBe('run.started');
    expect(heard.at(-1)).toBe('run.ended');
  });
});

describe('people', () => {
  it('are asked when no review is given, and the run continues with the same tools after the answer', async () => {
    const engine = engineOf();
    const outcome = held(await engine.execute(asking, 'Compare', tools));
    expect(outcome).toMatchObject({ status: 'waiting', gates: [{ prompt: 'Right?' }], results: { compare: 410 } });
    const [gate] = held(engine.gates(outcome.run));
    const order = { type: 'review', verdict: 'answer', gate: gate?.gate ?? '', by: 'ann' } as const;
    const ordered = held(await engine.order(outcome.run, { ...order, value: { approved: true, notes: 'yes' } }));
    expect((await ordered.handle?.done)?.status).toBe('completed');
    expect(held(engine.gates(outcome.run))).toEqual([]);
  });

  it('are not asked when a review is given under the name of the step', async () => {
    const reviews = { verify: { approved: true, notes: 'Looks good' } };
    expect(held(await engineOf().execute(asking, 'Compare', { ...tools, reviews }))).toMatchObject({
      status: 'completed',
      results: { say: 'Looks good' },
    });
  });

  it('approve a call or reject it with a given review', async () => {
    const write = defineCapability({
      name: 'my.write',
      description: 'Writes.',
      effects: ['write'],
      repeat: 'keyed',
      run: () => 'written',
    });
    const writing = { tasks: [{ id: 'write', tool: 'my.write' }] };
    const decided = async (review: Json) =>
      held(await engineOf().execute(writing, 'Write', { registry: [write], reviews: { write: review } }));
    expect(await decided(true)).toMatchObject({ status: 'completed', results: { write: 'written' } });
    expect(await decided({ approved: false, notes: 'no' })).toMatchObject({ status: 'failed' });
  });
});

describe('a mission', () => {
  it('is planned by a model that sees the tools, the constraints and the skills of its context tags', async () => {
    const model = scriptedModel([{ reply: { text: JSON.stringify({ steps: plan.tasks }) } }]);
    const engine = engineOf({ models: { default: model } });
    const outcome = await engine.run('Somehow weigh up these two companies against each other', {
      ...tools,
      constraints: 'Ask for each price once.',
      contextTags: ['european'],
      frame: {
        models: { default: { model: 'scripted', prices: { input: 1, output: 1 } } },
        skills: { commas: { text: 'Use a comma for decimals.', context_tags: ['european'] } },
      },
    });
    expect(held(outcome)).toMatchObject({ status: 'completed', results: { compare: 410 } });
    const first = JSON.stringify(model.asked[0]?.messages);
    expect(first).toContain('Fetch a stock price');
    expect(first).toContain('Ask for each price once.');
    expect(first).toContain('Use a comma for decimals.');
    expect(first).not.toContain('csv.read');
  });
});

describe('the text of a tool', () => {
  it('is split into a description and contracts, and a field without a type may be any value', () => {
    const [made] = held(toolCapabilities(tools));
    expect(made?.declaration).toMatchObject({
      name: 'fetch_price',
      description: 'Fetch a stock price.',
      input: { required: ['symbol'], properties: { symbol: {} } },
      output: { properties: { price: { type: 'number' } } },
    });
  });

  it('stays the whole description when it has no signature', () => {
    const text = 'Search. Input: words. Output: what was found';
    const [made] = held(toolCapabilities({ availableTools: { search: text }, baseTools: { search: () => [] } }));
    expect(made?.declaration.description).toBe(text);
    expect(made?.declaration.input).toBeUndefined();
  });

  it('is refused when its signature cannot be read', () => {
    const told = { search: 'Search. Input: {words :text}.' };
    const made = toolCapabilities({ availableTools: told, baseTools: { search: () => [] } });
    expect(made.ok ? [] : made.error.map(({ code }) => code)).toEqual(['SIGNATURE_SYNTAX']);
  });
});

describe('a tool whose name is no capability name', () => {
  const speech = {
    availableTools: {
      'Text-to-Speech': 'Say a text. Input: {text}. Output: {file}',
      GetMovieCredit: 'Get who made it.',
    },
    baseTools: { 'Text-to-Speech': () => ({ file: 'a.wav' }), GetMovieCredit: () => ({ director: 'Ang Lee' }) },
  };

  it('may be called by its own name or by the name of its capability', async () => {
    const written = {
      task_nodes: [
        { task: 'GetMovieCredit', arguments: [] },
        { task: 'Text-to-Speech', arguments: ['<node-0>.director'] },
        { task: 'text_to_speech', arguments: [{ name: 'text', value: 'the end' }] },
      ],
      task_links: [{ source: 'GetMovieCredit', target: 'Text-to-Speech' }],
    };
    expect(held(await engineOf().execute(written, 'Say who made it', speech))).toMatchObject({
      status: 'completed',
      results: {
        get_movie_credit: { director: 'Ang Lee' },
        text_to_speech: { file: 'a.wav' },
        text_to_speech_2: { file: 'a.wav' },
      },
    });
  });

  it('is refused when another tool becomes the same capability', () => {
    const baseTools = { 'Text-to-Speech': () => 1, textToSpeech: () => 2 };
    const made = toolCapabilities({ baseTools });
    expect(made.ok ? [] : made.error.map(({ message }) => message)).toEqual([
      'the tools "Text-to-Speech" and "textToSpeech" both become the capability "text_to_speech"',
    ]);
  });
});

describe('the events of a run', () => {
  it('are iterated from the first to the last one, even after the run has ended', async () => {
    const engine = engineOf({ capabilities: held(toolCapabilities(tools)) });
    const template = held(
      await engine.load({
        reconverge: 1,
        name: 'one',
        steps: [{ name: 'a', handler: 'fetch_price', input: { symbol: 'AAPL' } }],
      }),
    );
    const handle = held(await engine.start(template));
    const live: string[] = [];
    for await (const { event } of handle.events) live.push(event.type);
    expect((await handle.done).status).toBe('completed');
    const late: string[] = [];
    for await (const { event } of handle.events) late.push(event.type);
    expect(late).toEqual(live);
    expect(live).toEqual(['run.started', 'attempt.started', 'step.completed', 'run.ended']);
  });
});

describe('a model of the engine', () => {
  const say = scriptedModel([{ reply: { json: { steps: [{ name: 'say', type: 'compute', expr: '"refunded"' }] } } }]);
  const wish = 'Somehow see to it that everyone is content';

  it('plans a mission that declares no models', async () => {
    const outcome = held(await engineOf({ models: { default: say } }).run(wish));
    expect(outcome).toMatchObject({ status: 'completed', results: { say: 'refunded' } });
    expect(say.asked).toHaveLength(1);
  });

  it('works for the agents of a template that declares no models', async () => {
    const engine = engineOf({ models: { only: scriptedModel([{ reply: { text: 'at six' } }]) } });
    const steps = [{ name: 'tell', agent: 'default', description: 'When does the harbor open?' }];
    const template = held(await engine.load({ reconverge: 1, name: 'story', output: '{{ results.tell }}', steps }));
    expect((await held(await engine.start(template)).done).output).toBe('at six');
  });

  it('does not join the models that a template declares', async () => {
    const engine = engineOf({ models: { default: say } });
    const template = held(
      await engine.load({
        ...{ reconverge: 1, name: 'own', models: { quick: { model: 'gpt-5-mini' } } },
        steps: [{ name: 'tell', agent: 'default', description: 'When does the harbor open?' }],
      }),
    );
    expect(Object.keys(template.models)).toEqual(['quick']);
  });

  it('needs a price where cost is limited', async () => {
    const { ask } = scriptedModel([]);
    const refused = await engineOf({ models: { default: { ask } } }).run(wish);
    expect(refused).toMatchObject({ ok: false, error: [{ code: 'MODEL_UNPRICED' }] });
    const price = { model: 'mine', prices: { input: '$1', output: '$2' } };
    const { models } = held(
      await engineOf({ models: { default: { ask, profile: price } } }).load({
        reconverge: 1,
        name: 'priced',
        steps: [],
      }),
    );
    expect(models.default).toMatchObject({ model: 'mine', price: { input: 1_000_000, output: 2_000_000 } });
  });
});
