// Finds the planning steps that read a summary of earlier results; a step's settings override the template's.
import { readsInFull } from './reads-in-full.ts';
import type { StepSpec } from './step-spec.ts';
import type { Template } from './template.ts';

/** The settings of the summary that a model makes for a planner; undefined where the planner reads the results. */
export function summaryFor(template: Pick<Template, 'context'>, step: StepSpec): Template['context'] | undefined {
  const { planning } = step;
  // Whoever reads everything has no use for a summary.
  if (planning === undefined || (planning.planner !== undefined && readsInFull(planning.planner))) return undefined;
  const settings = { ...template.context, ...step.context };
  return settings.strategy === 'summary' ? settings : undefined;
}
