// The prices of models, and the cost of calls.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { priceOf } from '../../src/llm/price-list.ts';
import { costOf, mostCostOf, type Price } from '../../src/model/price.ts';

describe('the price list', () => {
  it.each([
    ['gpt-4o', 2_500_000, 10_000_000],
    ['gpt-5', 1_250_000, 10_000_000],
    ['GPT-5', 1_250_000, 10_000_000],
    ['gpt-4o-mini-2024-07-18', 150_000, 600_000],
    ['claude-sonnet-4-5-20250929', 3_000_000, 15_000_000],
  ])('has the price of %s', (model, input, output) => {
    expect(priceOf(model)).toMatchObject({ input, output });
  });

  it('has no price for an unknown model', () => {
    expect(priceOf('llama-at-home')).toBeUndefined();
    expect(priceOf('gpt-5', 'anthropic')).toBeUndefined();
  });

  it.each([
    ['claude-haiku-4-5', 1_250_000],
    ['gpt-5', undefined],
  ])('has the price of input that %s writes to its cache, where it differs', (model, cacheWrite) => {
    expect(priceOf(model)?.cacheWrite).toBe(cacheWrite);
  });

  it('has rates for long inputs where the provider has them', () => {
    expect(priceOf('gpt-5.5')?.tiers).toMatchObject([{ above: 271_999, input: 10_000_000, output: 45_000_000 }]);
  });

  it('has the current price when a price has changed', () => {
    expect(priceOf('o3')).toMatchObject({ input: 2_000_000, output: 8_000_000 });
  });
});

describe('the cost of a call', () => {
  const price: Price = { input: 1_250_000, cached: 125_000, output: 10_000_000 };

  it('adds up new input, cached input and output', () => {
    expect(costOf(price, { input: 1_000_000, cached: 400_000, output: 100_000 })).toBe(750_000 + 50_000 + 1_000_000);
  });

  it('charges input that the provider wrote to its cache at its own rate, else as other input', () => {
    const used = { input: 1_000_000, cached: 200_000, cacheWritten: 400_000, output: 0 };
    expect(costOf({ ...price, cacheWrite: 1_562_500 }, used)).toBe(500_000 + 25_000 + 625_000);
    expect(costOf(price, used)).toBe(1_000_000 + 25_000);
  });

  it('counts no token twice when a server reports more cached tokens than input', () => {
    const dear: Price = { ...price, cacheWrite: 1_562_500 };
    expect(costOf(dear, { input: 100, cached: 80, cacheWritten: 80, output: 0 })).toBe(Math.ceil(10 + 31.25));
  });

  it('is never rounded down to zero', () => {
    expect(costOf({ input: 100, output: 100 }, { input: 1, output: 0 })).toBe(1);
  });

  it('follows the rates for the length of the input', () => {
    const tiered: Price = { ...price, tiers: [{ above: 200, input: 2_500_000, output: 15_000_000 }] };
    expect(costOf(tiered, { input: 200, output: 10 })).toBe(350);
    expect(costOf(tiered, { input: 201, output: 10 })).toBe(653);
  });

  it('is a whole number, at least the sum of its parts, and grows with usage', () => {
    const use = fc.record({ input: fc.nat(1_000_000), cached: fc.nat(1_000_000), output: fc.nat(1_000_000) });
    fc.assert(
      fc.property(use, fc.nat(1_000), (used, more) => {
        const cost = costOf(price, used);
        expect(Number.isSafeInteger(cost)).toBe(true);
        expect(costOf(price, { ...used, output: used.output + more })).toBeGreaterThanOrEqual(cost);
        expect(cost).toBeLessThanOrEqual(costOf(price, { ...used, cached: 0 }));
      }),
    );
  });

  it('is never above the most that a call may cost, however much of its input is cached', () => {
    const rate = fc.nat(20_000_000);
    const rates = fc.record({ input: rate, cached: rate, cacheWrite: rate, output: rate });
    const share = fc.record({ cached: fc.nat(1_000), cacheWritten: fc.nat(1_000) });
    fc.assert(
      fc.property(rates, share, fc.nat(1_000), (dear, cache, output) => {
        const least = Math.min(dear.input, dear.cached);
        const priced = { ...dear, cached: least };
        expect(costOf(priced, { input: 1_000, ...cache, output })).toBeLessThanOrEqual(
          mostCostOf(priced, { input: 1_000, output }),
        );
      }),
    );
  });
});
