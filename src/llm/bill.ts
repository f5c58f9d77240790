// What an ask of a model is charged with: one call, its tokens, and its cost where a price is known.
import type { Amount } from '../budget/amount.ts';
import { costOf, type Price } from '../model/price.ts';
import type { Usage } from '../model/reply.ts';

/** Without usage, of a try that a server refused or that never reached one: the call alone. Without a price no cost, which is not a cost of zero. */
export function billOf(usage: Usage | undefined, price?: Price): Amount {
  if (usage === undefined) return { llm_calls: 1 };
  const used = { llm_calls: 1, tokens_in: usage.input, tokens_out: usage.output };
  return price === undefined ? used : { ...used, cost_usd: costOf(price, usage) };
}
