// Goals that a pattern planner takes apart: orders for each item of a list, questions before the call that needs the answer, and goals that words leave open.
import { describe, expect, test } from 'vitest';
import { isJsonObject, type Json, type JsonObject } from '../../src/base/json.ts';
import type { Effect } from '../../src/contract/declaration.ts';
import { patternPlanner } from '../../src/planners/pattern.ts';
import { advance } from '../../src/planners/planner.ts';
import type { Brief } from '../../src/planning/brief.ts';
import type { PatternSettings } from '../../src/template/keys/pattern.ts';
import { brief } from './given-brief.ts';

const usual: PatternSettings = { kinds: {}, sequential: false, askBelow: 0.6, attachments: [] };

const integer = { type: 'integer' };
const text = { type: 'string' };

function tool(
  name: string,
  description: string,
  input: JsonObject,
  output?: JsonObject,
  effects: readonly Effect[] = ['read'],
): Brief['capabilities'][number] {
  const contract = { type: 'object', required: Object.keys(input), properties: input };
  return { name, description, effects, input: contract, ...(output === undefined ? {} : { output }) };
}

const listed = { type: 'array', items: { type: 'object', required: ['id'], properties: { id: integer } } };
const capabilities = [
  tool('list_orders', 'List orders.', {}, { type: 'object', required: ['orders'], properties: { orders: listed } }),
  tool('get_order', 'Get an order.', { order_id: integer }, { type: 'object', properties: { total: integer } }),
  tool('close_order', 'Close an order.', { order_id: integer }, integer, ['write']),
  tool('create_ticket', 'Create a ticket.', { title: text, body: text }, text, ['network']),
];

function answerTo(goal: string, clarifications: Brief['clarifications'] = []): JsonObject {
  const given: Brief = { ...brief, capabilities, goal, clarifications };
  const progress = advance(patternPlanner(usual), given, []);
  if (!progress.done || !progress.end.ok || !isJsonObject(progress.end.value.fragment)) throw new Error('no answer');
  return progress.end.value.fragment;
}

function stepsFor(goal: string): Json | undefined {
  return answerTo(goal).steps;
}

describe('an order for each item of a list', () => {
  test.each([
    ['List the orders, then get each order', 'get_order'],
    ['list the orders and close each of them', 'close_order'],
    ['For each order, get it', 'get_order'],
  ])('becomes one call for each item: %s', (goal, capability) => {
    expect(stepsFor(goal)).toMatchObject([
      { capability: 'list_orders' },
      {
        type: 'fan_out',
        for_each: expect.stringMatching(/^\{\{ results\.\w+\.orders \}\}$/),
        do: { capability, input: { order_id: '{{ item.id }}' } },
      },
    ]);
  });

  test('calls the capability that a person chooses when words prove none', () => {
    const goal = 'List the orders, then get the details of each order';
    const question = 'Which capability does "get the details of each order"?';
    expect(answerTo(goal).needs_clarification).toMatchObject({ question });
    expect(answerTo(goal, [{ question, answer: 'get_order' }]).steps).toMatchObject([
      { capability: 'list_orders' },
      { type: 'fan_out', do: { capability: 'get_order', input: { order_id: '{{ item.id }}' } } },
    ]);
  });

  test('is no single call when the items lack the arguments of the call', () => {
    expect(answerTo('List the orders, then use create_ticket on each of them')).toEqual({
      impossible: expect.stringContaining(
        'goes through a list, and no task before it brings one with what create_ticket needs',
      ),
    });
  });

  test('is no call when the goal means some items and nothing selects them', () => {
    expect(answerTo('List the orders, then close each unpaid order')).toEqual({
      impossible: expect.stringContaining('nothing in list_the_orders.orders tells which are meant by "unpaid"'),
    });
    for (const goal of [
      'List the orders, then use close_order on unpaid orders',
      'List the orders, then close the unpaid orders',
    ]) {
      const question = 'Which capability does "close the unpaid orders"?';
      expect(answerTo(goal, [{ question, answer: 'close_order' }])).toEqual({
        impossible: expect.stringContaining('meant by "unpaid"'),
      });
    }
    expect(stepsFor('List the open orders, then close each open order')).toMatchObject([
      { capability: 'list_orders' },
      { type: 'fan_out', do: { capability: 'close_order' } },
    ]);
  });

  test('is left to a model when no order lists the items', () => {
    expect(answerTo('get each order').impossible).toContain('"each" in "get each order"');
  });
});

describe('a question to a person', () => {
  const wired = [
    { type: 'human_review', prompt: 'What is the title?', decision: text },
    { type: 'human_review', prompt: 'What is the body?', decision: text },
    {
      capability: 'create_ticket',
      input: { title: expect.stringContaining('title'), body: expect.stringContaining('body') },
    },
  ];

  test.each([
    'ask me for the title and ask me for the body, then create a ticket',
    'create a ticket, but ask me for the title and the body',
    'create a ticket; ask me for the title and the body first',
    'Create a ticket. Ask me for the title. Ask me for the body.',
  ])('comes before the call that takes the answer: %s', (goal) => {
    expect(stepsFor(goal)).toMatchObject(wired);
  });

  test('leaves the goal to a model when it stands inside an order', () => {
    expect(answerTo('create a ticket with the title that I give you').impossible).toContain('"I give"');
  });
});

describe('a goal that words do not prove', () => {
  test.each([
    'do something weird',
    'plan a trip to Paris',
    'öffne ein Ticket',
    'Liste die Tickets auf',
    '列出所有问题',
  ])('is shown to a person before anything is planned: %s', (goal) => {
    const [asked] = [answerTo(goal).needs_clarification];
    expect(asked).toMatchObject({ question: `Is this what is to be done?\n1. ${goal} (processing)` });
  });

  test('is impossible when the person does not confirm it', () => {
    const question = 'Is this what is to be done?\n1. do something weird (processing)';
    expect(answerTo('do something weird', [{ question, answer: false }]).impossible).toMatch(
      /did not confirm the tasks/,
    );
  });

  test.each(["don't create a ticket", 'Do not list the orders.'])(
    'is impossible when it orders nothing: %s',
    (goal) => {
      expect(answerTo(goal).impossible).toContain('the goal orders nothing');
    },
  );
});
