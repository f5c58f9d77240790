// Makes the table of model prices from @pydantic/genai-prices, which keeps it by hand from the providers' own pages.
import {
  type ConditionalPrice,
  findProvider,
  type ModelInfo,
  type ModelPrice,
  type TieredPrices,
} from '@pydantic/genai-prices';
import type { Price, PricedModel, TokenRates } from '../../src/model/price.ts';

const providers = ['openai', 'anthropic', 'google', 'mistral', 'deepseek', 'groq', 'x-ai', 'cohere', 'moonshotai'];

/** Prices that ended before this day are left out. */
const TODAY = '2026-11-21';

export function priceTable(): string {
  const rows = providers.flatMap((provider) => {
    const models = findProvider({ providerId: provider })?.models ?? [];
    return models.flatMap((model) => rowOf(provider, model));
  });
  return [
    '// List prices of models, in micro-dollars per million tokens; made by `npm run generate`.',
    "import type { PricedModel } from '../model/price.ts';",
    '',
    '// biome-ignore format: one model to a line',
    'export const modelPrices: readonly PricedModel[] = [',
    ...rows.map((row) => `  ${JSON.stringify(row)},`),
    '];',
    '',
  ].join('\n');
}

function rowOf(provider: string, { id, match, prices }: ModelInfo): readonly PricedModel[] {
  const price = Array.isArray(prices)
    ? dearest(prices)
    : priceIn(/embed/.test(id) ? { output_mtok: 0, ...prices } : prices);
  return price === undefined ? [] : [{ provider, id, match, price }];
}

/** The highest price that can still apply when prices change with the day or hour, because a bound must hold at any time. */
function dearest(conditional: readonly ConditionalPrice[]): Price | undefined {
  const over = conditional.findLastIndex(
    ({ constraint }) => constraint?.type === 'start_date' && constraint.start_date <= TODAY,
  );
  const prices = conditional.slice(Math.max(0, over)).flatMap((each) => priceIn(each.prices) ?? []);
  return prices.toSorted((a, b) => b.output - a.output || b.input - a.input)[0];
}

/** Undefined for models that are not priced by text tokens. */
function priceIn({
  input_mtok: input,
  cache_read_mtok: cached,
  cache_write_mtok: cacheWrite,
  output_mtok: output,
}: ModelPrice): Price | undefined {
  if (input === undefined || output === undefined) return undefined;
  const starts = [input, cached, cacheWrite, output].flatMap((each) =>
    isTiered(each) ? each.tiers.map(({ start }) => start) : [],
  );
  const above = [...new Set(starts)].sort((a, b) => a - b);
  const at = (start: number | undefined): TokenRates => ({
    input: micro(input, start),
    ...(cached === undefined ? {} : { cached: micro(cached, start) }),
    ...(cacheWrite === undefined ? {} : { cacheWrite: micro(cacheWrite, start) }),
    output: micro(output, start),
  });
  return {
    ...at(undefined),
    ...(above.length === 0 ? {} : { tiers: above.map((start) => ({ above: start, ...at(start) })) }),
  };
}

function micro(price: number | TieredPrices, start: number | undefined): number {
  const dollars = !isTiered(price)
    ? price
    : (price.tiers.findLast((tier) => start !== undefined && tier.start <= start)?.price ?? price.base);
  return Math.round(dollars * 1_000_000);
}

function isTiered(price: number | TieredPrices | undefined): price is TieredPrices {
  return typeof price === 'object';
}
