// The two plans that the design notes show for agents, run word for word against a model server.
import { afterEach, describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../src/base/json.ts';
import type { Script } from '../../src/llm/script.ts';
import { executePlan } from '../../src/runtime/mission/execute-plan.ts';
import { openMemoryJournal } from '../../src/store/memory-journal.ts';
import { type ModelServer, openModelServer } from '../../src/testing/model-server.ts';
import { engineOf, good } from './set-up.ts';

let server: ModelServer | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

const models = { default: { model: 'scripted', prices: { input: 1, output: 1 } } };

async function executed(plan: Json, script: Script, frame: JsonObject = {}) {
  server = await openModelServer({ script });
  const engine = engineOf({
    journal: openMemoryJournal(),
    learning: false,
    surroundings: { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'none' },
  });
  const outcome = good(await executePlan(engine, plan, { frame: { models, ...frame } }));
  return { outcome, asked: server.requests.map(({ body }) => body), unused: server.unused() };
}

/** The notes name `fetch_msft` without its definition. */
const comparison = {
  agents: { researcher: { prompt: 'You are a financial researcher.', tools: ['csv.read'] } },
  tasks: [
    {
      id: 'fetch_aapl',
      agent: 'researcher',
      input: 'Fetch AAPL stock price',
      verification: '(> (get data/result "price") 0)',
      on_verification_failure: 'replan',
    },
    {
      id: 'fetch_msft',
      agent: 'researcher',
      input: 'Fetch MSFT stock price',
      verification: '(if (> (get data/result "price") 0) true "Price must be positive")',
      on_verification_failure: 'replan',
    },
    {
      id: 'compare',
      agent: 'default',
      input: 'Compare prices: {{results.fetch_aapl}} vs {{results.fetch_msft}}',
      depends_on: ['fetch_aapl', 'fetch_msft'],
      type: 'synthesis_gate',
    },
  ],
};

const research = {
  tasks: [
    {
      id: 'research',
      input: 'Find the creator of Elixir',
      verification: '(string? (get data/result "creator"))',
      on_verification_failure: 'replan',
    },
  ],
};

describe('the plans of the design notes', () => {
  it('make agents answer with the fields that their verifications read', async () => {
    const { outcome, asked, unused } = await executed(
      comparison,
      [
        { when: { contains: 'Fetch AAPL stock price' }, reply: { text: 'AAPL stands at 190.' } },
        { when: { contains: 'Fetch AAPL stock price' }, reply: { json: { symbol: 'AAPL', price: 190 } } },
        { when: { contains: 'Fetch MSFT stock price' }, reply: { json: { price: 410 } } },
        { when: { contains: 'Compare prices' }, reply: { text: 'MSFT costs more.' } },
      ],
      { capabilities: ['csv.read'] },
    );
    expect(outcome).toMatchObject({
      status: 'completed',
      results: {
        fetch_aapl: { symbol: 'AAPL', price: 190 },
        fetch_msft: { price: 410 },
        compare: 'MSFT costs more.',
      },
    });
    expect(unused).toEqual([]);
    expect(JSON.stringify(asked).replaceAll('\\', '')).toContain(
      'The answer is checked with: (> (get data/result "price") 0)',
    );
  });

  it('run with the default agent', async () => {
    const { outcome } = await executed(research, [{ reply: { json: { creator: 'José Valim' } } }]);
    expect(outcome).toMatchObject({ status: 'completed', results: { research: { creator: 'José Valim' } } });
  });

  it('are planned again when an answer fails its verification', async () => {
    const again = { tasks: [{ id: 'ask_again', input: 'Who made Elixir?' }] };
    const { outcome } = await executed(research, [
      { when: { contains: 'Find the creator', turn: 1, notContains: 'You plan' }, reply: { json: { creator: null } } },
      { when: { system: 'You plan' }, reply: { json: again } },
      { when: { contains: 'Who made Elixir' }, reply: { text: 'José Valim' } },
    ]);
    expect(outcome).toMatchObject({ status: 'completed', results: { ask_again: 'José Valim' } });
  });
});
