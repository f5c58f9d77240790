// Removes the wrong parts of a plan, so that a review can judge the rest.
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import type { WrittenStep } from './phase.ts';
import { freeName, namesOf } from './step-names.ts';

export type NormalizedPlan = JsonObject & { readonly steps: readonly Json[] };

/**
 * The document without its wrong parts. Each step and agent keeps its place and name, so that references to it do not
 * become issues.
 */
export function readableRest(document: NormalizedPlan, pruned: Json, written: readonly WrittenStep[]): NormalizedPlan {
  if (!isJsonObject(pruned)) return { steps: [] };
  const left = isJsonArray(pruned.steps) ? pruned.steps : [];
  const taken = new Set(left.flatMap(namesOf));
  const steps = left.map((step, index): Json => {
    if (isJsonObject(step) && typeof step.name === 'string') return step;
    const [said] = namesOf(written[index]?.value ?? null);
    const name = said === undefined || taken.has(said) ? freeName(`step_${index + 1}`, taken) : said;
    taken.add(name);
    return { ...(isJsonObject(step) ? step : { type: 'compute', expr: 'nil' }), name };
  });
  const agents = Object.keys(isJsonObject(document.agents) ? document.agents : {}).map((name): [string, Json] => {
    const agent = ownProperty(pruned.agents, name);
    return [name, isJsonObject(agent) ? agent : { prompt: '' }];
  });
  return { ...pruned, ...(agents.length === 0 ? {} : { agents: Object.fromEntries(agents) }), steps };
}
