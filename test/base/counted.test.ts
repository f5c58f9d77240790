// Counts with nouns in singular and plural.
import { expect, it } from 'vitest';
import { counted, shareOf } from '../../src/base/counted.ts';
import { amountText } from '../../src/view/amount-text.ts';

it('counted uses the singular for one', () => {
  expect([counted(1, 'character'), counted(0, 'character')]).toEqual(['1 character', '0 characters']);
  expect(shareOf(0, 1, 'branch', 'branches')).toBe('0 of 1 branch');
  expect(shareOf(1, 2, 'branch', 'branches')).toBe('1 of 2 branches');
  expect(amountText({ steps: 1, tool_calls: 2, tokens_in: 5 })).toBe('1 step, 5 tokens_in, 2 tool_calls');
});
