// Samples for the model suite: requests, replies, and checks of replies.
import assert from 'node:assert/strict';
import type { Failure } from '../base/failure.ts';
import type { Model, ModelResult } from '../llm/model.ts';
import type { Script } from '../llm/script.ts';
import type { ModelReply, Usage } from '../model/reply.ts';
import type { Message, ModelRequest } from '../model/request.ts';

/** The token usage in the script. */
export const USED = { input: 120, cached: 100, output: 7 };

export const search = {
  name: 'web_search',
  description: 'Search the web.',
  input: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
};

export const verdict = {
  name: 'verdict',
  schema: { type: 'object', properties: { good: { type: 'boolean' } }, required: ['good'] },
};

export function asking(content: string, more: Partial<ModelRequest> = {}): ModelRequest {
  const messages: readonly Message[] = [
    { role: 'system', content: 'You are asked by a test.' },
    { role: 'user', content },
  ];
  return { model: 'scripted', messages, maxOutputTokens: 500, ...more };
}

export function ask(
  model: Model,
  request: ModelRequest,
  context: Partial<Parameters<Model['ask']>[1]> = {},
): Promise<ModelResult> {
  return model.ask(request, { signal: new AbortController().signal, ...context });
}

export function replyOf(asked: ModelResult): ModelReply {
  return asked.ok ? asked.value : assert.fail(`${asked.error.failure.code}: ${asked.error.failure.message}`);
}

export function failureOf(asked: ModelResult): Failure {
  return asked.ok ? assert.fail(`it answered ${JSON.stringify(asked.value.text)}`) : asked.error.failure;
}

export function estimated(usage: Usage | undefined): void {
  assert.equal(usage?.estimated, true);
  assert.ok(usage.input > 0 && usage.output > 0);
}

/** Registers a test that gets a model with the given script. */
export type ModelTest = (sentence: string, script: Script, body: (model: Model) => Promise<void>) => void;
