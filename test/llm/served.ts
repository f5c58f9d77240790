// What tests of models reach a test server with: a profile, and an environment that they write themselves.

import type { Model } from '../../src/llm/model.ts';
import { openaiModel } from '../../src/llm/openai-client.ts';
import type { ModelProfile } from '../../src/model/profile.ts';
import { boundary } from '../../src/runtime/boundary.ts';
import { type ModelServer, type ModelServerOptions, openModelServer } from '../../src/testing/model-server.ts';

export function profileOf(profile: Partial<ModelProfile> = {}): ModelProfile {
  return {
    provider: 'openai',
    model: 'scripted',
    maxOutputTokens: 1_000,
    minOutputTokens: 100,
    timeout: 30_000,
    maxRetries: 2,
    ...profile,
  };
}

export interface Served {
  readonly server: ModelServer;
  readonly model: Model;
}

/** A model at a server of its own, which both are gone at the end. */
export async function served(
  options: ModelServerOptions,
  profile: Partial<ModelProfile>,
  body: (served: Served) => Promise<void>,
): Promise<void> {
  const server = await openModelServer(options);
  try {
    await body({ server, model: openaiModel(profileOf({ baseUrl: server.url, ...profile }), boundary({})) });
  } finally {
    await server.close();
  }
}
