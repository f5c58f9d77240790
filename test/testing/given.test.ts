// Given-when-then tests through the public entry point: a template, scripted answers, and the outcome of the run.
import { describe, expect, it } from 'vitest';
import {
  CapabilityError,
  createEngine,
  defineCapability,
  defineTemplate,
  type JsonObject,
  openMemoryJournal,
} from '../../src/index.ts';
import { given } from '../../src/testing/index.ts';

const prices = defineTemplate({
  reconverge: 1,
  name: 'prices',
  input: '{symbol :string}',
  output: '{{ results.twice }}',
  steps: [
    {
      name: 'price',
      handler: 'fetch_price',
      input: { symbol: '{{ input.symbol }}' },
      on_failure: 'retry',
      retry: { max_attempts: 2, base: '30s', jitter: 0 },
    },
    {
      name: 'twice',
      type: 'compute',
      dependencies: ['price'],
      expr: '(* 2 (:price (:price data/depends)))',
      output: ':int',
    },
  ],
});

const agreed = {
  reconverge: 1,
  name: 'agreed',
  steps: [
    { name: 'draft', handler: 'write', input: {} },
    { name: 'agree', type: 'human_review', dependencies: ['draft'], prompt: 'Good?' },
  ],
};

describe('given a template and scripted answers of its capabilities', () => {
  it('then a run has the output, the results and the calls that follow from the answers', () => {
    const run = given(prices, { capabilities: { fetch_price: { price: 21 } } }).when({ symbol: 'A' });
    expect(run.report).toMatchObject({ status: 'completed', output: 42 });
    expect(run.steps).toEqual({ price: 'completed', twice: 'completed' });
    expect(run.results).toEqual({ price: { price: 21 }, twice: 42 });
    expect(run.calls).toEqual([{ step: 'price', capability: 'fetch_price', input: { symbol: 'A' } }]);
  });

  it('then a failed call is retried without waiting, and two runs have the same events', () => {
    const fetch_price = (_: object, { attempt }: { attempt: number }) => {
      if (attempt === 1) throw new CapabilityError('SERVER_BUSY', 'later');
      return { price: 1 };
    };
    const situation = given(prices, { capabilities: { fetch_price } });
    const run = situation.when({ symbol: 'A' });
    expect(run.report.output).toBe(2);
    expect(run.calls).toHaveLength(2);
    expect(run.report.elapsed).toBeGreaterThanOrEqual(0);
    expect(situation.when({ symbol: 'A' }).events).toEqual(run.events);
  });

  it('then the answer for a step wins over the answer for its capability, even if it is null', () => {
    const setting = { capabilities: { write: 'a' }, steps: { draft: null }, answers: { agree: true } };
    expect(given(agreed, setting).when().results.draft).toBeNull();
  });

  it('then calls are checked against the contracts of `availableTools`', () => {
    const steps = [{ name: 'price', handler: 'fetch_price', input: { symbol: '{{ input.symbol }}' } }];
    const run = given(
      { reconverge: 1, name: 'price', steps },
      {
        availableTools: { fetch_price: 'Fetch. Input: {symbol :int}. Output: {price :int}' },
        capabilities: { fetch_price: { price: 1 } },
      },
    ).when({ symbol: 'A' });
    expect(run.report.failed[0]?.code).toBe('INPUT_INVALID');
  });

  it('then a faulty template, a faulty input and a missing answer are thrown as errors', () => {
    expect(() => given({ reconverge: 1, name: 'x', steps: [{ name: 'a', handler: 'nobody' }] })).toThrow(
      'CAPABILITY_UNKNOWN',
    );
    const situation = given(prices, { availableTools: {}, registry: [declared] });
    // @ts-expect-error: the contract of the template says what its input is
    expect(() => situation.when({ symbol: 1 })).toThrow('INPUT_INVALID');
    expect(() => situation.when({ symbol: 'A' })).toThrow('nothing answers step "price", which calls "fetch_price"');
  });
});

const declared = defineCapability({
  name: 'fetch_price',
  description: 'Fetches a price.',
  effects: ['network'],
  run: () => {
    throw new Error('it is called');
  },
});

describe('given people', () => {
  it('then each answer goes to the step that asks', () => {
    const run = given(agreed, { capabilities: { write: 'a' }, answers: { agree: { approved: true, notes: 'fine' } } });
    expect(run.when().results.agree).toEqual({ approved: true, notes: 'fine' });
  });

  it('then a run without an answer waits, and continues with an order', () => {
    const waiting = given(agreed, { capabilities: { write: 'a' } }).when();
    expect(waiting.report).toMatchObject({ status: 'waiting', gates: [{ step: 'agree' }] });
    const gate = waiting.report.gates?.[0]?.gate ?? '';
    const ended = waiting.when({ type: 'review', gate, verdict: 'approve', by: 'ada' });
    expect(ended.report.status).toBe('completed');
    expect(waiting.steps.agree).toBe('held');
    expect(() => ended.when({ type: 'review', gate, verdict: 'approve', by: 'ada' })).toThrow('refused');
  });

  it('then an answer that does not fit the question is thrown as an error', () => {
    expect(() => given(agreed, { capabilities: { write: 'a' }, answers: { agree: 7 } }).when()).toThrow(
      'GATE_ANSWER_INVALID',
    );
  });
});

const planned: JsonObject = {
  reconverge: 1,
  name: 'planned',
  steps: [
    {
      name: 'plan',
      type: 'planning',
      convergence_target: 'end',
      goal: 'Look at {{ input.what }}',
      planner: { kind: 'llm' },
    },
    { name: 'end', type: 'deferred', dependencies: ['plan'] },
  ],
};

describe('given planners', () => {
  it('then a scripted model plans, and its plan is checked and run', () => {
    const steps = (handler: string) => ({ rationale: 'so', steps: [{ name: 'look', handler }] });
    const run = given(planned, {
      capabilities: { look: 'seen' },
      models: [{ reply: { json: steps('nobody') } }, { when: { contains: 'nobody' }, reply: { json: steps('look') } }],
    }).when({ what: 'it' });
    expect(run.asked).toHaveLength(2);
    expect(run.results).toMatchObject({ 'plan.1/look': 'seen' });
    expect(run.events.map(({ event }) => event.type)).toContain('fragment.rejected');
    expect(run.report.spent.llm_calls).toBe(2);
  });

  it('then a plan in the setting replaces the planner, and can use its brief', () => {
    const run = given(planned, {
      capabilities: { look: 'seen' },
      plans: { plan: ({ goal }) => ({ rationale: goal ?? '', steps: [{ name: 'look', handler: 'look' }] }) },
    }).when({ what: 'it' });
    expect(run.steps).toMatchObject({ 'plan.1/look': 'completed' });
    expect(run.asked).toEqual([]);
  });

  it('then a script without an answer left is thrown as an error', () => {
    expect(() => given(planned, { models: [] }).when({ what: 'it' })).toThrow('the script has no answer left');
  });
});

it('given accepts a template that an engine has loaded', async () => {
  const engine = createEngine({ journal: openMemoryJournal(), capabilities: [declared] });
  const loaded = await engine.load(prices);
  await engine.close();
  if (!loaded.ok) throw new Error('it is sound');
  expect(given(loaded.value, { capabilities: { fetch_price: { price: 2 } } }).when({ symbol: 'A' }).report.output).toBe(
    4,
  );
});
