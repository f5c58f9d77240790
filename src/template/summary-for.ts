// Which planners read a summary of what came before, and how: the settings of the step over those of the template.
import { readsInFull } from './reads-in-full.ts';
import type { StepSpec } from './step-spec.ts';
import type { Template } from './template.ts';

/** What a model sums up for a planner before it plans; undefined: it plans by the results themselves. */
export function summaryFor(template: Pick<Template, 'context'>, step: StepSpec): Template['context'] | undefined {
  const { planning } = step;
  // Whoever reads everything has no use for a summary.
  if (planning === undefined || (planning.planner !== undefined && readsInFull(planning.planner))) return undefined;
  const settings = { ...template.context, ...step.context };
  return settings.strategy === 'summary' ? settings : undefined;
}
