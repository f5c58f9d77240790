// The steps that serve the orders of a goal, and the orders that need a tool.
import { describe, expect, it } from 'vitest';
import { type PlannedWork, servingSteps } from '../../../src/goals/plan/serving-steps.ts';
import { toolNeedOf } from '../../../src/goals/plan/tool-need.ts';
import { ordersIn } from '../../../src/goals/split/decompose.ts';

const change = (id: string, text: string): PlannedWork => ({ id, text, reach: 'change', destroys: false });
const serving = (goal: string, ...work: readonly PlannedWork[]) => servingSteps(ordersIn(goal), work);

describe('an order that changes something', () => {
  it('is served by the call that has its verb', () => {
    const work = [change('a', 'refund order 7'), change('b', 'mail send Anna')];
    expect(serving('Refund order 7. Send a mail to Anna.', ...work)).toEqual([['a'], ['b']]);
  });

  it('is not served by the call of another order', () => {
    expect(serving('Refund order 7. Cancel order 8.', change('a', 'refund order 7'))).toEqual([['a'], []]);
  });

  it('shares the call of another order that holds its words', () => {
    const work = change('a', 'issue create title assignee Anna');
    expect(serving('Create an issue. Assign it to Anna.', work)).toEqual([['a'], ['a']]);
  });

  it('is not served by an agent without tools', () => {
    const work: PlannedWork = { id: 'a', text: 'send the mail', reach: 'nothing', destroys: false };
    expect(serving('Send a mail to Anna', work)).toEqual([[]]);
  });
});

describe('the need for a tool', () => {
  it.each([
    ['Create a ticket', 'change'],
    ['Write a report to report.md', 'change'],
    ['Write a letter and send it to Bob', 'change'],
    ['If it is late, close the shop', 'change'],
    ['Envoie le rapport', 'change'],
    ['Summarise the minutes', 'read'],
    ['List the open issues', 'read'],
    ['Create a summary', undefined],
    ['Draft a letter, then make it shorter', undefined],
    ['List three names for a cat', undefined],
    ['Translate the following: Guten Tag', undefined],
    ['Explain the difference between TCP and UDP', undefined],
  ])('"%s" has the need %s', (order, need) => {
    expect(toolNeedOf(order)).toBe(need);
  });

  it('ends with the material: results of earlier steps, or a file', () => {
    const none = { hasResults: false, hasText: false, hasFile: false };
    expect(toolNeedOf('Summarise the minutes', { ...none, hasResults: true })).toBeUndefined();
    expect(toolNeedOf('Summarise the minutes', { ...none, hasFile: true })).toBeUndefined();
    expect(toolNeedOf('Add a greeting to the letter', { ...none, hasText: true })).toBeUndefined();
    expect(toolNeedOf('Close them', { ...none, hasResults: true, hasText: true })).toBe('change');
  });
});
