// Makes one client for each model profile of a run. All clients share what is known about the features of servers.
import { type DialectOptions, type Dialects, dialects } from '../../llm/dialect.ts';
import type { Model } from '../../llm/model.ts';
import type { ModelProfile } from '../../model/profile.ts';
import type { Boundary } from '../ports/boundary.ts';

export type ModelFor = (name: string, profile: ModelProfile) => Promise<Model>;

/**
 * Each call of the result starts an empty set of clients.
 * @param given models that answer for a profile instead of its server
 * @param memory keeps refused features for later processes, or is the memory itself
 */
export function modelClients(
  given: Readonly<Record<string, Model>>,
  boundary: Boundary,
  memory: DialectOptions | Dialects = {},
): () => ModelFor {
  let known: Dialects | undefined;
  return () => {
    const clients = new Map<string, Model>();
    return async (name, profile) => {
      const found = given[name] ?? clients.get(name);
      if (found !== undefined) return found;
      const { openaiModel } = await import('../../llm/openai-client.ts');
      known ??= 'of' in memory ? memory : dialects(memory);
      const client = openaiModel(profile, boundary, { known });
      clients.set(name, client);
      return client;
    };
  };
}
