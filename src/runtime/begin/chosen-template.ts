// Applies the choices of one start to a template: limits, models, and models that plan. A bound is explained for the same template.
import { type Issue, issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { bad, type Result } from '../../base/result.ts';
import type { ModelProfile } from '../../model/profile.ts';
import { digestOfTemplate } from '../../template/load.ts';
import type { StepSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import type { StartChoices } from '../api/engine.ts';
import { narrowBudget } from '../load/narrow-budget.ts';

/** Issues: MODEL_UNKNOWN, PLANNER_STEP_UNKNOWN, and those of budgets. */
export async function chosenTemplate(template: Template, choices: StartChoices): Promise<Result<Template>> {
  const { budget = {}, raise = false, models = {}, planners = {} } = choices;
  const issues = [
    ...Object.keys(models).flatMap((name) => unknownModel(template, name)),
    ...Object.entries(planners).flatMap(([step, profile]) => [
      ...unknownStep(template, step),
      ...unknownModel(template, profile),
    ]),
  ];
  if (issues.length > 0) return bad(issues);
  return narrowBudget(planned(await withModels(template, models), planners), budget, raise);
}

async function withModels(template: Template, models: Readonly<Record<string, string>>): Promise<Template> {
  const chosen = Object.entries(models).filter(([name, model]) => template.models[name]?.model !== model);
  if (chosen.length === 0) return template;
  const { priceOf } = await import('../../llm/price-list.ts');
  const replaced = { ...template.models };
  for (const [name, model] of chosen) {
    const profile = template.models[name];
    if (profile !== undefined) replaced[name] = withModel(profile, model, priceOf(model));
  }
  return digested({ ...template, models: replaced });
}

/** The price belongs to the model: the price of another model is the one of the price list, or is not known. */
function withModel({ price: _, ...profile }: ModelProfile, model: string, price: ModelProfile['price']): ModelProfile {
  return { ...profile, model, ...defined({ price }) };
}

function planned(template: Template, planners: Readonly<Record<string, string>>): Template {
  if (Object.keys(planners).length === 0) return template;
  const steps = template.steps.map((step): StepSpec => {
    const model = planners[step.name];
    if (model === undefined || step.planning === undefined) return step;
    return { ...step, planning: { ...step.planning, planner: { kind: 'llm', model, strategy: 'direct' } } };
  });
  return digested({ ...template, steps });
}

function digested(template: Template): Template {
  return { ...template, digest: digestOfTemplate(template) };
}

function unknownModel({ models }: Template, name: string): readonly Issue[] {
  if (Object.hasOwn(models, name)) return [];
  const known = Object.keys(models);
  const hint = known.length === 0 ? 'the template declares no models' : `choose from ${known.join(', ')}`;
  return [issue('MODEL_UNKNOWN', `the template has no model profile "${name}"`, { hint, path: ['models', name] })];
}

function unknownStep({ steps }: Template, name: string): readonly Issue[] {
  const known = steps.filter(({ planning }) => planning !== undefined).map((step) => step.name);
  if (known.includes(name)) return [];
  const hint = didYouMean(name, known) ?? `choose from the planning steps ${known.join(', ')}`;
  const message = `the template has no planning step "${name}"`;
  return [issue('PLANNER_STEP_UNKNOWN', message, { hint, path: ['planners', name] })];
}
