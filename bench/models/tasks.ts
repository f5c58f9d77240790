// The templates that a small model plans: each has one planning step, and the steps of its plan really run.
import type { JsonObject } from '../../src/base/json.ts';
import { type Capability, defineCapability } from '../../src/capabilities/capability.ts';

export interface ModelAddress {
  readonly baseUrl: string;
  readonly model: string;
  /** Decides which of its answers the model gives, as far as the server repeats them. */
  readonly seed: number;
}

export interface PlanningTask {
  readonly name: string;
  readonly template: (model: ModelAddress) => JsonObject;
}

const prices: Readonly<Record<string, number>> = { AAPL: 190, MSFT: 410, GOOG: 175 };
const symbol = { enum: Object.keys(prices) };

export const capabilities: readonly Capability[] = [
  defineCapability({
    name: 'prices.fetch',
    description: 'Fetch the price of a stock.',
    input: { type: 'object', required: ['symbol'], properties: { symbol }, additionalProperties: false },
    output: '{symbol :string, price :int}',
    effects: ['read'],
    run: (input) => {
      const of = String((input as JsonObject).symbol);
      return { symbol: of, price: prices[of] ?? 0 };
    },
  }),
  defineCapability({
    name: 'prices.history',
    description: 'Fetch the highest and the lowest price of a stock in the last days.',
    input: {
      type: 'object',
      required: ['symbol', 'days'],
      properties: { symbol, days: { type: 'integer', minimum: 1, maximum: 365 } },
      additionalProperties: false,
    },
    output: '{symbol :string, highest :int, lowest :int}',
    effects: ['read'],
    run: (input) => {
      const { symbol: of, days } = input as JsonObject;
      const price = prices[String(of)] ?? 0;
      return { symbol: String(of), highest: price + Number(days), lowest: Math.max(0, price - Number(days)) };
    },
  }),
];

/** A profile for a server under this machine's roof: free, one request at a time, and not in a hurry. */
export function profileFor({ baseUrl, model, seed }: ModelAddress): JsonObject {
  return {
    model,
    base_url: baseUrl,
    prices: { input: '$0', output: '$0' },
    context_window: 16_384,
    max_output_tokens: 300,
    // Agents call their tools by data, under a grammar: the model has no tool syntax of its own.
    tools: false,
    temperature: 0.3,
    seed,
    // Without this a small model repeats itself until it is cut off.
    extra_body: { repeat_penalty: 1.1 },
    timeout: '5m',
  };
}

function task(name: string, { steps, ...rest }: JsonObject & { readonly steps: readonly JsonObject[] }): PlanningTask {
  return {
    name,
    template: (address) => ({
      reconverge: 1,
      name,
      models: { default: profileFor(address) },
      budget: { max_total_llm_calls: 12, max_total_planning_phases: 1, max_planning_depth: 1 },
      capabilities: ['catalog'],
      ...rest,
      steps,
    }),
  };
}

const planning = {
  type: 'planning',
  planner: { kind: 'llm' },
  budget: { max_fragment_steps: 4 },
  convergence_target: 'finish',
};
const finish = {
  name: 'finish',
  type: 'deferred',
  dependencies: ['plan'],
  handler: 'data.transform',
  input: { data: { $lisp: 'data/depends' }, expr: '(vals data/input)' },
};

export const tasks: readonly PlanningTask[] = [
  task('prices', {
    steps: [
      { ...planning, name: 'plan', goal: 'Fetch the price of AAPL and the price of MSFT.', allow: ['prices.*'] },
      finish,
    ],
  }),
  task('orders', {
    roots: ['templates/data/shop'],
    steps: [
      { name: 'ingest', handler: 'files.list', input: { folder: 'templates/data/shop' } },
      {
        ...planning,
        name: 'plan',
        dependencies: ['ingest'],
        goal: 'Sniff orders.csv and customers.csv.',
        allow: ['csv.sniff'],
      },
      finish,
    ],
  }),
];
