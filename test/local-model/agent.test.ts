// A small real model as an agent, as a judge and as a writer of summaries.
import { describe, expect, it } from 'vitest';
import { ownProperty } from '../../src/base/json.ts';
import { expectOrderlyEnd, type LocalRun, runLocally } from './run-locally.ts';
import { schemaIn, tapped, textIn, tokensOf, type WireExchange } from './tapped.ts';

const reader = {
  prompt: 'You fetch prices of stocks.',
  tools: ['prices.fetch'],
  output: '{price :int}',
  max_turns: 3,
};
const asking = {
  agents: { reader },
  steps: [{ name: 'fetch', agent: 'reader', description: 'Fetch the price of AAPL.', max_clarifications: 0 }],
};

function callsIn({ record }: LocalRun): readonly string[] {
  return record.events.flatMap(({ event }) =>
    event.type === 'call.started' && event.kind === 'capability' ? [event.name] : [],
  );
}

describe('the local model as an agent with one tool', () => {
  it('calls it by data under a grammar, so that every call fits the contract of the tool', async () => {
    await using model = await tapped();
    const run = await runLocally(model, asking, { profile: { max_output_tokens: 120 } });
    const [first] = model.exchanges;
    const forms = ownProperty(schemaIn(first ?? ({} as WireExchange)), 'anyOf');
    expect(JSON.stringify(forms)).toContain('"enum":["AAPL","MSFT","GOOG"]');
    for (const { request } of model.exchanges) expect(request).not.toHaveProperty('tools');
    const wanted = model.exchanges.filter((exchange) => textIn(exchange).includes('"prices_fetch"'));
    expect(callsIn(run).length).toBeLessThanOrEqual(wanted.length);
    expect(callsIn(run).every((name) => name === 'prices.fetch')).toBe(true);
    expectOrderlyEnd(run, tokensOf(model.exchanges));
  });

  it('is offered it in the syntax of the server, and answers under a grammar in its last turn', async () => {
    await using model = await tapped();
    const run = await runLocally(model, asking, { profile: { tools: true, max_output_tokens: 60 } });
    const [first] = model.exchanges;
    expect(first?.request.tools).toHaveLength(1);
    expect(first?.request).not.toHaveProperty('response_format');
    expect(model.exchanges.length).toBeLessThanOrEqual(reader.max_turns);
    expectOrderlyEnd(run, tokensOf(model.exchanges));
  });

  it('without tools answers what the contract asks for', async () => {
    await using model = await tapped();
    const steps = [
      {
        name: 'guess',
        agent: 'default',
        description: 'Guess a number.',
        output: '{number :int}',
        max_clarifications: 0,
      },
    ];
    const run = await runLocally(model, { steps }, { profile: { max_output_tokens: 60 } });
    expect(schemaIn(model.exchanges[0] ?? ({} as WireExchange))).toHaveProperty('properties.number');
    if (run.report.status === 'completed')
      expect(run.report.output).toMatchObject({ guess: { number: expect.any(Number) } });
    expectOrderlyEnd(run, tokensOf(model.exchanges));
  });
});

describe('the local model as a judge', () => {
  it('gives a verdict that is read, whichever it is', async () => {
    await using model = await tapped();
    const steps = [
      {
        name: 'total',
        description: 'Add two numbers.',
        handler: 'data.transform',
        input: { data: [1, 2], expr: '(reduce + data/input)' },
        judge: 'The result is the sum.',
      },
    ];
    const run = await runLocally(model, { steps }, { profile: { max_output_tokens: 200 } });
    const verdicts = model.exchanges.filter((exchange) => JSON.stringify(schemaIn(exchange)).includes('diagnosis'));
    expect(verdicts.length).toBeGreaterThan(0);
    expectOrderlyEnd(run, tokensOf(model.exchanges));
  });
});

describe('the local model as a writer of summaries', () => {
  it('sums up what a planner has no room for, and the planner reads the summary or the contracts', async () => {
    await using model = await tapped();
    const numbers = Array.from({ length: 60 }, (_, at) => ({ id: `order-${at}`, amount: at * 7 }));
    const steps = [
      { name: 'orders', handler: 'data.transform', input: { data: numbers, expr: 'data/input' } },
      {
        name: 'plan',
        type: 'planning',
        dependencies: ['orders'],
        planner: { kind: 'llm' },
        goal: 'Find the largest order.',
        context: { strategy: 'summary', max_tokens: 500 },
        convergence_target: 'finish',
      },
      {
        name: 'finish',
        type: 'deferred',
        dependencies: ['plan'],
        handler: 'data.transform',
        input: { data: null, expr: '1' },
      },
    ];
    const run = await runLocally(model, { steps }, { profile: { max_output_tokens: 50 } });
    expect(JSON.stringify(model.exchanges[0]?.request.messages)).toContain('order-59');
    const purposes = run.record.events.flatMap(({ event }) =>
      event.type === 'call.started' && event.kind === 'model' ? [event.purpose] : [],
    );
    expect(purposes).toContain('summary');
    expect(purposes).toContain('plan');
    expectOrderlyEnd(run, tokensOf(model.exchanges));
  });
});
