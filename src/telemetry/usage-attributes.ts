// Usage figures as attributes: of an attempt, of a phase, and of the run with its limits.
import { defined } from '../base/json.ts';
import { type Amount, limitable, quantity } from '../budget/amount.ts';
import { dollarsOf, shownFigure } from '../budget/display-figures.ts';
import type { AttributeName, Attributes, AttributeValue } from './attributes.ts';
import type { Tracing } from './tracing.ts';

/** Leaves out unused resources. `beside` holds further attributes. */
export function usageAttributes(
  { cost_usd, tokens_in, tokens_out, llm_calls, tool_calls }: Amount,
  beside?: { readonly status: string },
): Attributes {
  const used: Partial<Record<AttributeName, AttributeValue>> = defined({ 'reconverge.status': beside?.status });
  if (cost_usd) used['reconverge.cost_usd'] = dollarsOf(cost_usd);
  if (tokens_in) used['reconverge.tokens.input'] = tokens_in;
  if (tokens_out) used['reconverge.tokens.output'] = tokens_out;
  if (llm_calls) used['reconverge.llm_calls'] = llm_calls;
  if (tool_calls) used['reconverge.tool_calls'] = tool_calls;
  return used;
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
