import { expect, it } from 'vitest';
import { exchangeRate } from '../src/exchange.ts';

it('knows the price of a krona', async () => {
  expect(await exchangeRate('SEK')).toBeGreaterThan(0.05);
});
