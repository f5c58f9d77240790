// Filters, sorting and paging as parameters of the call before, where its contract has them.
import { describe, expect, it } from 'vitest';
import { foldRefinements, type PlannedCall } from '../../../src/goals/arguments/fold-refinements.ts';
import { refinementsIn } from '../../../src/goals/arguments/refinement.ts';

const contract = {
  type: 'object',
  properties: {
    repo: { type: 'string' },
    state: { enum: ['open', 'closed', 'all'] },
    sort: { enum: ['created', 'updated', 'comments'] },
    direction: { enum: ['asc', 'desc'] },
    per_page: { type: 'integer', maximum: 100 },
    page: { type: 'integer' },
    labels: { type: 'array', items: { type: 'string' } },
  },
};

const list: PlannedCall = {
  name: 'list',
  description: 'list the issues',
  contract,
  input: { repo: 'x' },
  dependencies: [],
};
const then = (name: string, description: string, ...dependencies: string[]): PlannedCall => ({
  name,
  description,
  input: {},
  dependencies,
});
const inputAfter = (...orders: string[]) =>
  foldRefinements([
    list,
    ...orders.map((order, index) => then(`s${index}`, order, index === 0 ? 'list' : `s${index - 1}`)),
  ]);

describe('refinements', () => {
  it.each([
    ['take the first 10', { per_page: 10 }],
    ['limit them to 25', { per_page: 25 }],
    ['show 50 per page', { per_page: 50 }],
    ['use a page size of 5', { per_page: 5 }],
    ['go to page 3', { page: 3 }],
    ['sort them by creation date, newest first', { sort: 'created', direction: 'desc' }],
    ['order by number of comments descending', { sort: 'comments', direction: 'desc' }],
    ['keep only the open ones', { state: 'open' }],
    ['filter them by state = closed', { state: 'closed' }],
    ['show only those where labels is bug', { labels: ['bug'] }],
    ['newest first', { direction: 'desc' }],
    ['filter them to the open ones', { state: 'open' }],
    ['filter the issues down to open ones', { state: 'open' }],
    ['filter to those with label "bug"', { labels: ['bug'] }],
    ['sort by date', { sort: 'created' }],
    ['sort them by date, newest first, and take the first 5', { sort: 'created', direction: 'desc', per_page: 5 }],
    ['keep only the open ones and sort them by update time', { state: 'open', sort: 'updated' }],
  ])('%s', (order, input) => {
    const { calls, folded } = inputAfter(order);
    expect(calls).toHaveLength(1);
    expect(calls[0]?.input).toEqual({ repo: 'x', ...input });
    expect(folded).toEqual([{ name: 's0', into: 'list', input }]);
  });

  it('fold one after the other, and their dependents wait for the call', () => {
    const { calls } = foldRefinements([
      list,
      then('sort', 'sort by update time', 'list'),
      then('cut', 'take the first 5', 'sort'),
      then('report', 'write a report', 'cut', 'list'),
    ]);
    expect(calls.map(({ name, input, dependencies }) => ({ name, input, dependencies }))).toEqual([
      { name: 'list', input: { repo: 'x', sort: 'updated', per_page: 5 }, dependencies: [] },
      { name: 'report', input: {}, dependencies: ['list'] },
    ]);
  });
});

describe('an order stays a step', () => {
  it.each([
    ['where the contract lacks the property', 'keep only those where colour is red'],
    ['where the value does not fit', 'show 500 per page'],
    ['where the value is none of those listed', 'keep only the broken ones'],
    ['where no field to sort by is meant', 'sort by price'],
    ['where it says more than a refinement', 'summarise the first 10 of them by author'],
    ['where it is an order of its own', 'filter spam with the classifier'],
  ])('%s', (_, order) => {
    const { calls, folded } = inputAfter(order);
    expect(calls).toHaveLength(2);
    expect(folded).toEqual([]);
    expect(calls[0]?.input).toEqual({ repo: 'x' });
  });

  it('when the call has another value already, or no contract', () => {
    expect(inputAfter('take the first 10', 'take the first 5').calls).toHaveLength(2);
    expect(foldRefinements([then('a', 'do something'), then('b', 'take the first 5', 'a')]).calls).toHaveLength(2);
  });

  it('when it depends on more than one call', () => {
    const two = { ...list, name: 'other' };
    expect(foldRefinements([list, two, then('cut', 'take the first 5', 'list', 'other')]).calls).toHaveLength(3);
  });

  it('when another step uses the unfolded result', () => {
    const both = [list, then('cut', 'take the first 5', 'list'), then('report', 'write a report', 'list')];
    expect(foldRefinements(both).calls).toHaveLength(3);
  });

  it('when one of its two parameters does not fit', () => {
    const { direction: _, ...properties } = contract.properties;
    const plain = { ...list, contract: { ...contract, properties } };
    const { calls } = foldRefinements([plain, then('sort', 'sort by creation date, newest first', 'list')]);
    expect(calls).toHaveLength(2);
  });
});

describe('reading a refinement', () => {
  it('finds none in a call', () => {
    for (const order of [
      'list the issues',
      'send the report',
      'page the engineer on duty',
      'order 12 pizzas',
      'rank the candidates',
    ]) {
      expect(refinementsIn(order), order).toEqual([]);
    }
  });
});
