// Makes one client for each model profile of a run. All clients share what is known about the features of servers.
import { failure } from '../../base/failure.ts';
import { defined, isJsonObject, type JsonObject } from '../../base/json.ts';
import { bad } from '../../base/result.ts';
import type { AiSdkSettings } from '../../llm/ai-sdk-settings.ts';
import { filledHeaders } from '../../llm/connection.ts';
import { type DialectOptions, type Dialects, dialects } from '../../llm/dialect.ts';
import type { Model } from '../../llm/model.ts';
import type { ModelProfile } from '../../model/profile.ts';
import { loadModelModule } from '../load/model-module.ts';
import type { Boundary } from '../ports/boundary.ts';

export type ModelFor = (name: string, profile: ModelProfile) => Promise<Model>;

/**
 * Begins an empty set of clients.
 * @param beside the folder that paths of modules are relative to
 */
export type ModelClients = (beside: string) => ModelFor;

/**
 * @param given models that answer for a profile instead of its server
 * @param memory keeps refused features for later processes, or is the memory itself
 */
export function modelClients(
  given: Readonly<Record<string, Model>>,
  boundary: Boundary,
  memory: DialectOptions | Dialects = {},
): ModelClients {
  let known: Dialects | undefined;
  return (beside) => {
    const clients = new Map<string, Model>();
    return async (name, profile) => {
      const found = given[name] ?? clients.get(name);
      if (found !== undefined) return found;
      known ??= 'of' in memory ? memory : dialects(memory);
      const client =
        profile.provider === 'ai-sdk'
          ? await moduleModel(name, profile, { beside, boundary, known })
          : await serverModel(profile, boundary, known);
      clients.set(name, client);
      return client;
    };
  };
}

async function serverModel(profile: ModelProfile, boundary: Boundary, known: Dialects): Promise<Model> {
  const { openaiModel } = await import('../../llm/openai-client.ts');
  return openaiModel(profile, boundary, { known });
}

interface ModuleSurroundings {
  readonly beside: string;
  readonly boundary: Boundary;
  readonly known: Dialects;
}

/** A module that has changed since its template was loaded fails the requests to its model. */
async function moduleModel(
  name: string,
  profile: ModelProfile,
  { beside, boundary, known }: ModuleSurroundings,
): Promise<Model> {
  const loaded = await loadModelModule(profile, beside);
  if (!loaded.ok) return unasked(name, loaded.error.map(({ message }) => message).join('; '));
  const { aiSdkClient } = await import('../../llm/ai-sdk-client.ts');
  try {
    return aiSdkClient(loaded.value, settingsOf(profile, boundary), { known });
  } catch (missing) {
    return unasked(name, missing instanceof Error ? missing.message : 'its headers cannot be read');
  }
}

/** @throws an error that names a missing variable */
function settingsOf(profile: ModelProfile, boundary: Boundary): AiSdkSettings {
  const { temperature, topP, seed, reasoning, stream, extraBody, headers } = profile;
  const { tools, maxOutputTokens, timeout, stallTimeout, maxRetryAfter } = profile;
  return {
    ...{ tools, maxOutputTokens, timeout, stallTimeout, maxRetryAfter },
    ...defined({ temperature, topP, seed, reasoning, stream }),
    ...defined({
      headers: headers === undefined ? undefined : filledHeaders(headers, boundary),
      providerOptions: extraBody === undefined ? undefined : mapsIn(extraBody),
    }),
  };
}

/** The check of a template has refused other values. */
function mapsIn(extraBody: JsonObject): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(
    Object.entries(extraBody).flatMap(([provider, options]) => (isJsonObject(options) ? [[provider, options]] : [])),
  );
}

function unasked(name: string, why: string): Model {
  const message = `the model ${name} cannot be asked: ${why}`;
  return { ask: async () => bad({ failure: failure('MODEL_NOT_CONFIGURED', message, { retry: 'never' }) }) };
}
