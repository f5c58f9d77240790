// Loads the models of profiles with `provider: ai-sdk` from the modules that they name.
import { type Issue, issue } from '../../base/issue.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { messageOf } from '../../capabilities/capability-error.ts';
import { importExports } from '../../capabilities/import-module.ts';
import { type AiSdkModel, isAiSdkModel } from '../../llm/ai-sdk-model.ts';
import type { ModelProfile } from '../../model/profile.ts';

/** The parts of a profile that name its module. */
export type ModuleProfile = Pick<ModelProfile, 'provider' | 'module' | 'model'>;

const CONTRACT =
  "export default (name: string) => provider(name), where provider comes from a package such as '@ai-sdk/anthropic'";

/**
 * Makes the model of a profile. The default export of its module, or its export `model`, is a provider of the AI SDK, a
 * function that makes a model from the name of a model, or a model. Issues: MODEL_MODULE_INVALID, and those of modules.
 * @param beside the folder of the template
 */
export async function loadModelModule(
  { module, model: name }: ModuleProfile,
  beside: string,
): Promise<Result<AiSdkModel>> {
  if (module === undefined) return bad([invalid('the profile names no module', 'name it: module: ./model.ts')]);
  const imported = await importExports(module, beside, (exports) => ({ ...exports }));
  if (!imported.ok) return bad(imported.error.map(withOwnHint));
  const key = Object.hasOwn(imported.value, 'default') ? 'default' : 'model';
  const exported = imported.value[key];
  const what = key === 'default' ? `the default export of "${module}"` : `the export "model" of "${module}"`;
  if (exported === undefined) {
    return bad([invalid(`"${module}" has neither a default export nor an export "model"`, CONTRACT)]);
  }
  let made: unknown;
  try {
    made = await madeBy(exported, name);
  } catch (thrown) {
    return bad([
      invalid(`${what} threw for the model "${name}": ${messageOf(thrown)}`, 'mend the error in the module'),
    ]);
  }
  if (isAiSdkModel(made)) return good(made);
  const told = `${what} gives ${shown(made)} for the model "${name}", and not a language model of the AI SDK`;
  return bad([invalid(told, CONTRACT)]);
}

/** Providers are functions, and registries of providers have a method. */
async function madeBy(exported: unknown, name: string): Promise<unknown> {
  if (typeof exported === 'function') return exported(name);
  const hasMethod = typeof exported === 'object' && exported !== null && 'languageModel' in exported;
  return hasMethod && typeof exported.languageModel === 'function' ? exported.languageModel(name) : exported;
}

function shown(made: unknown): string {
  if (typeof made === 'object' && made !== null && 'specificationVersion' in made) {
    return `a model of version ${String(made.specificationVersion)}`;
  }
  return made === undefined || made === null ? String(made) : `a value of type ${typeof made}`;
}

function invalid(message: string, hint: string): Issue {
  return issue('MODEL_MODULE_INVALID', message, { hint });
}

function withOwnHint(found: Issue): Issue {
  if (found.code !== 'MODULE_THREW') return found;
  return { ...found, hint: 'move code that may fail into the exported function' };
}
