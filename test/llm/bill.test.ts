// The charge for a model call.
import { describe, expect, it } from 'vitest';
import { billOf } from '../../src/llm/bill.ts';

const price = { input: 1_000_000, cached: 100_000, output: 2_000_000 };

describe('the bill of a model call', () => {
  it('has one call, its tokens, and their cost', () => {
    expect(billOf({ input: 100, cached: 50, output: 10 }, price)).toEqual({
      llm_calls: 1,
      tokens_in: 100,
      tokens_out: 10,
      cost_usd: 50 + 5 + 20,
    });
  });

  it('charges tokens that were written to the cache of the provider at their own price', () => {
    const used = { input: 100, cached: 50, cacheWritten: 40, output: 10 };
    expect(billOf(used, { ...price, cacheWrite: 1_250_000 })).toMatchObject({
      tokens_in: 100,
      cost_usd: 10 + 5 + 50 + 20,
    });
  });

  it('has no cost when the price is unknown', () => {
    expect(billOf({ input: 100, output: 10, estimated: true })).toEqual({
      llm_calls: 1,
      tokens_in: 100,
      tokens_out: 10,
    });
  });

  it('has only the call when the usage is unknown', () => {
    expect(billOf(undefined, price)).toEqual({ llm_calls: 1 });
  });
});
