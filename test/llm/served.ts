// Connects models to test servers, and asks them.
import { expect } from 'vitest';
import type { Failure } from '../../src/base/failure.ts';
import type { AskContext, Model, ModelResult } from '../../src/llm/model.ts';
import { openaiModel } from '../../src/llm/openai-client.ts';
import type { ModelProfile } from '../../src/model/profile.ts';
import type { ModelReply } from '../../src/model/reply.ts';
import type { ModelRequest } from '../../src/model/request.ts';
import { boundary } from '../../src/runtime/ports/boundary.ts';
import { type ModelServer, type ModelServerOptions, openModelServer } from '../../src/testing/model-server.ts';
import { profileOf } from '../profile-of.ts';

/** Runs a test with a model and its own server, and closes the server afterwards. */
export async function served(
  options: ModelServerOptions,
  body: (model: Model, server: ModelServer) => Promise<void>,
  profile: Partial<ModelProfile> = {},
  surroundings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const server = await openModelServer(options);
  try {
    await body(openaiModel(profileOf({ baseUrl: server.url, ...profile }), boundary(surroundings)), server);
  } finally {
    await server.close();
  }
}

export function asking(more: Partial<ModelRequest> = {}): ModelRequest {
  return { model: 'main', messages: [{ role: 'user', content: 'Say something.' }], ...more };
}

export function ask(
  model: Model,
  more: Partial<ModelRequest> = {},
  context: Partial<AskContext> = {},
): Promise<ModelResult> {
  return model.ask(asking(more), { signal: new AbortController().signal, ...context });
}

export const listening: Partial<AskContext> = { onDelta: () => {} };

export function failureOf(asked: ModelResult): Failure {
  if (asked.ok) return expect.fail(`it answered: ${asked.value.text}`);
  return asked.error.failure;
}

export function replyOf(asked: ModelResult): ModelReply {
  if (!asked.ok) return expect.fail(`${asked.error.failure.code}: ${asked.error.failure.message}`);
  return asked.value;
}
