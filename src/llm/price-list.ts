// The list prices of models, as their providers publish them.

import type { ModelMatch, Price } from '../model/price.ts';
import { modelPrices } from './generated-prices.ts';

/**
 * Searches the table of the provider if it is named, else all tables in order. Undefined for an unknown model, whose
 * price is not zero.
 */
export function priceOf(model: string, provider?: string): Price | undefined {
  const name = model.toLowerCase();
  const found = modelPrices.find(
    (each) => (provider === undefined || each.provider === provider) && matches(each.match, name),
  );
  return found?.price;
}

function matches(match: ModelMatch, name: string): boolean {
  if ('equals' in match) return name === match.equals;
  if ('starts_with' in match) return name.startsWith(match.starts_with);
  if ('ends_with' in match) return name.endsWith(match.ends_with);
  if ('contains' in match) return name.includes(match.contains);
  if ('regex' in match) return new RegExp(match.regex).test(name);
  if ('or' in match) return match.or.some((each) => matches(each, name));
  return match.and.every((each) => matches(each, name));
}
