import { expect, it } from 'vitest';
import { discountOf } from '../src/discounts.ts';

it('gives five percent from a hundred parcels on', () => {
  expect(discountOf({ id: 'c1', parcelsLastYear: 100 }, 1050)).toBe(53);
});

it('gives nothing below', () => {
  expect(discountOf({ id: 'c2', parcelsLastYear: 99 }, 1050)).toBe(0);
});
