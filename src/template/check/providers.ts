// Checks the keys of model profiles that belong to one provider only.
import { type Issue, issue, type PathPart } from '../../base/issue.ts';
import { isJsonObject } from '../../base/json.ts';
import type { Template } from '../template.ts';

export function checkProviders({ models }: Pick<Template, 'models'>): readonly Issue[] {
  return Object.entries(models).flatMap(([name, profile]) => {
    const { provider, module, extraBody = {} } = profile;
    const path = ['models', name];
    if (provider !== 'ai-sdk') {
      if (module === undefined) return [];
      return [
        issue('MODEL_MODULE_UNUSED', `the model "${name}" names a module, but its provider is ${provider}`, {
          path: [...path, 'module'],
          hint: 'add provider: ai-sdk, or remove the module',
        }),
      ];
    }
    const odd = Object.entries(extraBody).filter(([, options]) => !isJsonObject(options));
    return [
      ...(module === undefined ? [moduleMissing(name, [...path, 'provider'])] : []),
      ...odd.map(([key]) => notOptions(name, key, [...path, 'extra_body', key])),
      ...serverKeys.flatMap(([key, written]) =>
        profile[key] === undefined ? [] : [serverKeyUnused(written, [...path, written])],
      ),
    ];
  });
}

const serverKeys = [
  ['baseUrl', 'base_url'],
  ['apiKey', 'api_key'],
] as const;

function moduleMissing(name: string, path: readonly PathPart[]): Issue {
  return issue('MODEL_MODULE_MISSING', `the model "${name}" has the provider ai-sdk, but names no module`, {
    path,
    hint: 'add module: ./model.ts, whose default export makes a model: export default (name) => provider(name)',
  });
}

function notOptions(name: string, key: string, path: readonly PathPart[]): Issue {
  return issue('MODEL_OPTIONS_INVALID', `"${key}" of the model "${name}" holds no options of a provider`, {
    path,
    hint: 'with provider: ai-sdk, extra_body holds maps by the name of the provider: { anthropic: { … } }',
  });
}

function serverKeyUnused(key: string, path: readonly PathPart[]): Issue {
  return issue('MODEL_KEY_UNUSED', `\`${key}\` has no effect on a model of the AI SDK`, {
    severity: 'warning',
    path,
    hint: 'set it where the module makes the provider, and remove it here',
  });
}
