// The amount that a model call is charged: one call, its tokens, and its cost where the price is known.
import { type Amount, nothing } from '../budget/amount.ts';
import { costOf, type Price } from '../model/price.ts';
import type { Usage } from '../model/reply.ts';
import { type ModelResult, usageOf } from './model.ts';

/** The charge for a request and its outcome. */
export function billOfResult(result: ModelResult, price?: Price): Amount {
  if (!result.ok && result.error.isFree === true) return nothing;
  return billOf(usageOf(result), price);
}

/** Without usage, charges only the call: a server refused it. Without a price, the cost is unknown, not zero. */
export function billOf(usage: Usage | undefined, price?: Price): Amount {
  if (usage === undefined) return { llm_calls: 1 };
  const used = { llm_calls: 1, tokens_in: usage.input, tokens_out: usage.output };
  return price === undefined ? used : { ...used, cost_usd: costOf(price, usage) };
}
