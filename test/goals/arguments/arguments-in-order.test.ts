// Arguments inside the clause of an order.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/base/json.ts';
import { parametersWithin } from '../../../src/goals/arguments/arguments-in-order.ts';

const contract = {
  type: 'object',
  required: ['repo'],
  properties: {
    repo: { type: 'string' },
    state: { enum: ['open', 'closed', 'all'] },
    sort: { enum: ['created', 'updated', 'comments'] },
    direction: { enum: ['asc', 'desc'] },
    per_page: { type: 'integer', maximum: 100 },
    page: { type: 'integer' },
    labels: { type: 'array', items: { type: 'string' } },
    title: { type: 'string' },
  },
};

const within = (order: string, { taken = [] as string[], changes = false } = {}) =>
  parametersWithin(order, contract, new Set(taken), changes);

describe('an order', () => {
  it.each([
    ['list the open issues', { state: 'open' }],
    ['list the open issues sorted by date, first 5', { state: 'open', sort: 'created', per_page: 5 }],
    ['list the issues that are closed, newest first', { state: 'closed', direction: 'desc' }],
    ['list the 3 oldest issues', { per_page: 3, direction: 'asc' }],
    ['list 20 closed issues', { per_page: 20, state: 'closed' }],
    ['show issues, 10 per page, page 2', { per_page: 10, page: 2 }],
    ['list the top 5 issues ordered by number of comments', { per_page: 5, sort: 'comments' }],
    ['list the issues in repo acme/site with label "good first"', { repo: 'acme/site', labels: ['good first'] }],
    ['list all issues', { state: 'all' }],
    ['list all open issues', { state: 'open' }],
  ])('%s', (order, input) => {
    expect(within(order)).toMatchObject({ input, left: [] });
  });

  it.each([
    'open issue 12',
    'list the comments',
    'list the issues about "the first 5 open ones"',
    'list the issues with title containing dogs',
    'list the issues that were reported',
  ])('says nothing of the kind: %s', (order) => {
    expect(within(order)).toEqual({ input: {}, numbers: [], left: [] });
  });

  it('fills no property with a value, and uses no number twice', () => {
    expect(within('list the first 5 open issues', { taken: ['state'] })).toEqual({
      input: { per_page: 5 },
      numbers: [5],
      left: [],
    });
  });

  it('reports phrases without a property in the contract', () => {
    const bare = { type: 'object', properties: { folder: { type: 'string' } } };
    expect(parametersWithin('list the files, first 5, newest first', bare, new Set(), false)).toEqual({
      input: {},
      numbers: [5],
      left: ['first 5', 'newest first'],
    });
  });

  const integer = { type: 'integer' };
  const priority = { enum: ['low', 'high'] };
  const webhook = { name: { type: 'string' }, callbackUrl: { type: 'string' }, iconUrl: { type: 'string' } };
  const day = { type: 'string', description: 'Date, YYYY-MM-DD' };
  it.each<[string, JsonObject, JsonObject]>([
    ['list the first 5 records', { maxRecords: integer, pageSize: integer }, { maxRecords: 5 }],
    ['list records, 5 per page', { maxRecords: integer, pageSize: integer }, { pageSize: 5 }],
    ['search for cats and give me 3 results', { query: {}, max_results: integer }, { query: 'cats', max_results: 3 }],
    ['list the first 5 records', { max_tokens: integer }, {}],
    ['get 5 days of forecast', { limit: integer }, {}],
    ['list the high-priority tickets', { priority }, { priority: 'high' }],
    ['list the high-severity tickets', { priority, severity: priority }, { severity: 'high' }],
    ['list the high tickets', { priority, severity: priority }, {}],
    ['list closed issues titled open doors', { state: { enum: ['open', 'closed'] } }, { state: 'closed' }],
    ['list the finished and failed runs', { status: { enum: ['finished', 'failed'] } }, {}],
    [
      'list the finished and failed runs',
      { status: { type: 'array', items: { enum: ['finished', 'failed'] } } },
      { status: ['finished', 'failed'] },
    ],
    ['show https://a.org and https://b.org', { url: { type: 'string' } }, {}],
    ['show the webhook at https://a.org', webhook, {}],
    ['list events on 2026/03/05', { date: day }, { date: '2026-03-05' }],
    ['list events on 1 March 2026 at 14:30', { date: day }, {}],
    ['show secret API_KEY', { secretName: { type: 'string' }, secretValue: { type: 'string' } }, {}],
  ])('takes for another contract: %s %j', (order, properties, input) => {
    expect(parametersWithin(order, { type: 'object', properties }, new Set(), false).input).toEqual(input);
  });

  it('that changes something gets required and named values only', () => {
    expect(within('close the open issues in repo acme/site with label bug, first 5', { changes: true })).toEqual({
      input: { repo: 'acme/site' },
      numbers: [5],
      left: ['first 5'],
    });
  });
});
