// Usage figures as attributes: of an attempt, of a phase, and of the run with its limits.
import { defined } from '../base/json.ts';
import { type Amount, limitable, quantity } from '../budget/amount.ts';
import { dollarsOf, shownFigure } from '../budget/display-figures.ts';
import type { AttributeName, Attributes } from './attributes.ts';
import type { Tracing } from './tracing.ts';

/** Leaves out unused resources. `beside` holds further attributes. */
export function usageAttributes(
  { cost_usd, tokens_in, tokens_out, llm_calls, tool_calls }: Amount,
  beside?: { readonly status: string },
): Attributes {
  return defined({
    'reconverge.status': beside?.status,
    'reconverge.cost_usd': cost_usd ? dollarsOf(cost_usd) : undefined,
    'reconverge.tokens.input': tokens_in || undefined,
    'reconverge.tokens.output': tokens_out || undefined,
    'reconverge.llm_calls': llm_calls || undefined,
    'reconverge.tool_calls': tool_calls || undefined,
  });
}

/** The run's budget: every resource with a limit or usage. */
export function budgetAttributes({ spent, limit }: Tracing): Attributes {
  const figures: [AttributeName, number][] = limitable.flatMap((resource) => {
    const [used, most] = [quantity(spent, resource), limit[resource]];
    if (used === 0 && most === undefined) return [];
    const key = `reconverge.budget.${resource}` as const;
    const row: [AttributeName, number] = [`${key}.spent`, shownFigure(resource, used)];
    return most === undefined ? [row] : [row, [`${key}.limit`, shownFigure(resource, most)]];
  });
  return Object.fromEntries(figures);
}
