// The model that looks at plans before they are grafted, where a template wants one.
import { modelNamed, type NamedModel } from './model-named.ts';
import type { Template } from './template.ts';

/** Undefined: nobody is asked. */
export function criticModelOf({
  models,
  criticModel,
}: Pick<Template, 'models' | 'criticModel'>): NamedModel | undefined {
  return criticModel === undefined ? undefined : modelNamed(models, criticModel);
}
