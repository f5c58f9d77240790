// Checks the modules of a template's models when it is loaded.
import type { Issue, PathPart } from '../../base/issue.ts';
import type { ModelProfile } from '../../model/profile.ts';
import { loadModelModule } from './model-module.ts';
import { notChecked, RUN_TRUSTED } from './untrusted.ts';

type Profiles = Readonly<Record<string, ModelProfile>>;

/**
 * The issues of modules that give no model. Their paths begin with `models`.
 * @param beside the folder of the template
 * @param answered names of profiles that other models answer for
 */
export async function checkModelModules(
  models: Profiles,
  beside: string,
  answered: readonly string[] = [],
): Promise<readonly Issue[]> {
  const named = Object.entries(models).filter(([name, profile]) => isFromModule(profile) && !answered.includes(name));
  const found = named.map(async ([name, profile]) => {
    const loaded = await loadModelModule(profile, beside);
    return loaded.ok ? [] : loaded.error.map((each) => ({ ...each, path: pathOf(name, each.path) }));
  });
  return (await Promise.all(found)).flat();
}

/** One issue for each module that is not loaded for an untrusted template. */
export function modelModulesNotChecked(models: Profiles): readonly Issue[] {
  return Object.entries(models).flatMap(([name, profile]) =>
    isFromModule(profile)
      ? [{ ...notChecked(`the module "${profile.module}" was not loaded`, RUN_TRUSTED), path: pathOf(name, []) }]
      : [],
  );
}

function isFromModule({ provider, module }: ModelProfile): boolean {
  return provider === 'ai-sdk' && module !== undefined;
}

function pathOf(name: string, rest: readonly PathPart[]): readonly PathPart[] {
  return ['models', name, 'module', ...rest];
}
