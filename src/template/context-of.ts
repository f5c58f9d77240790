// The context settings of a step: its own over the template's.
import type { ContextSettings, StepSpec } from './step-spec.ts';
import type { Template } from './template.ts';

export type ContextOf = Template['context'];

export function contextOf({ context }: Pick<Template, 'context'>, own: ContextSettings | undefined): ContextOf {
  return { ...context, ...own };
}

/** What a model sums up for a planner before it plans; undefined: it plans by the results themselves. */
export function summaryFor(template: Pick<Template, 'context'>, step: StepSpec): ContextOf | undefined {
  if (step.planning === undefined) return undefined;
  const settings = contextOf(template, step.context);
  return settings.strategy === 'summary' ? settings : undefined;
}
