// The recording of stock-comparison: a plan in the words of other planners, a price that fails its check, and a replan around it.
import type { Json } from '../../src/base/json.ts';
import type { ScriptRule } from '../../src/llm/script.ts';
import type { Recording } from './recording.ts';

/** The beginning of the system message of planners. */
const PLANS = 'You plan the next part';

const agents: Json = {
  researcher: {
    prompt: 'You are a financial researcher.',
    tools: ['csv.read'],
    output: '{symbol :string, price :number}',
  },
};

const POSITIVE = '(if (> (get data/result "price") 0) true "Price must be positive")';

const fetch = (id: string, symbol: string, input: string): Json => ({
  id,
  agent: 'researcher',
  input: { task: input, symbol },
  verification: POSITIVE,
  on_verification_failure: 'replan',
});

const compare = (left: string, right: string): Json => ({
  id: 'compare',
  agent: 'default',
  input: { task: 'Compare the prices.', prices: [`{{results.${left}}}`, `{{results.${right}}}`] },
  output: '{higher :string, by :number, summary :string}',
  depends_on: [left, right],
  type: 'synthesis_gate',
});

const first: Json = {
  rationale: 'fetch both prices at once, then compare them',
  agents,
  tasks: [
    fetch('fetch_aapl', 'AAPL', 'Fetch AAPL stock price'),
    fetch('fetch_msft', 'MSFT', 'Fetch MSFT stock price'),
    compare('fetch_aapl', 'fetch_msft'),
  ],
};

const again: Json = {
  rationale: 'the last day has no close for MSFT: take the last day that has one',
  agents,
  tasks: [
    fetch('fetch_msft', 'MSFT', 'Fetch the close of MSFT on the last day that has one'),
    compare('fetch_aapl', 'fetch_msft'),
  ],
};

const reading: Json = { path: 'templates/data/stocks/prices.csv' };

function researcher(task: string, answer: Json): readonly ScriptRule[] {
  const asked = { system: 'financial researcher', contains: task };
  return [
    { when: { ...asked, turn: 1 }, reply: { toolCalls: [{ name: 'csv_read', arguments: reading }] } },
    { when: { ...asked, turn: 2 }, reply: { json: answer } },
  ];
}

export const stockComparison: Recording = {
  template: 'stock-comparison.yaml',
  cassette: 'cassettes/stock-comparison.json',
  input: {},
  why: '',
  script: [
    { when: { system: PLANS, contains: 'Price must be positive' }, reply: { json: again } },
    { when: { system: PLANS }, reply: { json: first } },
    ...researcher('Fetch AAPL', { symbol: 'AAPL', price: 200.63 }),
    ...researcher('Fetch MSFT', { symbol: 'MSFT', price: 0 }),
    ...researcher('the last day that has one', { symbol: 'MSFT', price: 463.87 }),
    {
      when: { contains: 'Compare the prices.' },
      reply: { json: { higher: 'MSFT', by: 263.24, summary: 'MSFT closed at 463.87, AAPL at 200.63.' } },
    },
  ],
};
