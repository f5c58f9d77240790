// Words for people: who asks models in runs of a template, and why their use is unbounded.
import type { ModelProfile } from '../../model/profile.ts';
import { criticModelOf } from '../../template/critic-model.ts';
import { matchesByWords, plannerModelOf } from '../../template/model-asked.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import { summaryFor } from '../../template/summary-for.ts';
import type { Template } from '../../template/template.ts';

/** The parts of a template that ask models, as a phrase; undefined if none does. */
export function askersOf(template: Template, planners: readonly StepSpec[]): string | undefined {
  const { steps, models, repair, embeddings } = template;
  if (Object.keys(models).length === 0 && embeddings === undefined) return undefined;
  const all = [...steps, ...(repair === undefined ? [] : [repair])].flatMap((step) =>
    [step, step.fanOut?.do ?? []].flat(),
  );
  const asking = all.filter((step) => asksModels(template, step)).map(({ name }) => name);
  const planned = planners.length > 0 || repair !== undefined ? ['what is planned'] : [];
  const said = Object.keys(models).length === 0 ? asking : [...new Set(asking), ...planned];
  return said.length === 0 ? undefined : `asked by ${said.join(', ')}; every try, turn and reading counts`;
}

function asksModels(template: Template, step: StepSpec): boolean {
  const { agent, judge, planning } = step;
  if (summaryFor(template, step) !== undefined) return true;
  if (planning !== undefined && criticModelOf(template) !== undefined) return true;
  if (template.embeddings !== undefined && matchesByWords(planning?.planner)) return true;
  if (Object.keys(template.models).length === 0) return false;
  return agent !== undefined || judge !== undefined || plannerModelOf(planning?.planner) !== undefined;
}

/** Why the use of models, or its cost, is unbounded. */
export function modelNote({ models }: Template, is: (profile: ModelProfile) => boolean, why: string): string {
  const names = Object.entries(models).flatMap(([name, profile]) => (is(profile) ? [`models.${name}`] : []));
  return names.length === 0 ? '' : `; ${names.join(', ')}: ${why}`;
}
