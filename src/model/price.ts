// Computes the cost of a model call in whole micro-dollars, never less than the bill.
import type { MicroDollars } from '../base/quantity.ts';

/** Micro-dollars per million tokens. */
export interface TokenRates {
  readonly input: number;
  /** For input from the provider's cache; absent: the rate of other input. */
  readonly cached?: number;
  /** For input that the provider writes to its cache; absent: the rate of other input. */
  readonly cacheWrite?: number;
  readonly output: number;
}

export interface Price extends TokenRates {
  /** Rates of the whole call when its input exceeds `above` tokens; the last matching tier applies. */
  readonly tiers?: readonly (TokenRates & { readonly above: number })[];
}

/** Tokens of one request and its answer. */
export interface TokenUse {
  readonly input: number;
  /** The part of `input` from the provider's cache. */
  readonly cached?: number;
  /** The part of `input` that the provider wrote to its cache. */
  readonly cacheWritten?: number;
  readonly output: number;
}

/** A row of a price table: the models of a provider that share a price. */
export interface PricedModel {
  readonly provider: string;
  readonly id: string;
  readonly match: ModelMatch;
  readonly price: Price;
}

export type ModelMatch =
  | { readonly equals: string }
  | { readonly starts_with: string }
  | { readonly ends_with: string }
  | { readonly contains: string }
  | { readonly regex: string }
  | { readonly or: readonly ModelMatch[] }
  | { readonly and: readonly ModelMatch[] };

const MILLION = 1_000_000;

/** Rounds each part of the cost up. */
export function costOf(price: Price, { input, cached = 0, cacheWritten = 0, output }: TokenUse): MicroDollars {
  const rates = ratesFor(price, input);
  const read = Math.min(cached, input);
  const written = Math.min(cacheWritten, input - read);
  const parts = [
    (input - read - written) * rates.input,
    read * (rates.cached ?? rates.input),
    written * (rates.cacheWrite ?? rates.input),
    output * rates.output,
  ];
  return Math.ceil(parts.reduce((sum, part) => sum + part, 0) / MILLION);
}

/** The cost when the provider writes the whole input to its cache, if that costs more. */
export function mostCostOf(price: Price, { input, output }: Pick<TokenUse, 'input' | 'output'>): MicroDollars {
  return Math.max(costOf(price, { input, output }), costOf(price, { input, cacheWritten: input, output }));
}

/** The rate of the dearest input token. */
export function mostInputRate({ input, cacheWrite = input }: TokenRates): number {
  return Math.max(input, cacheWrite);
}

function ratesFor(price: Price, input: number): TokenRates {
  return price.tiers?.findLast(({ above }) => input > above) ?? price;
}
