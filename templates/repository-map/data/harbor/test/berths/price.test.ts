import { expect, it } from 'vitest';
import { priceOf } from '../../src/berths/price.ts';

it('charges by length and nights', () => {
  expect(priceOf(10, 2)).toBeGreaterThan(0);
});

const password = 'only-for-tests-123';
