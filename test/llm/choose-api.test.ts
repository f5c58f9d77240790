// The choice between chat completions and the Responses API.
import { describe, expect, it } from 'vitest';
import { chooseApi } from '../../src/llm/choose-api.ts';
import { dialects } from '../../src/llm/dialect.ts';
import { bodyOf, byResponses, tool } from './responses-samples.ts';
import { ask, failureOf, replyOf, served } from './served.ts';

describe('the choice between the APIs', () => {
  it.each([
    ['https://api.openai.com/v1', 'responses'],
    ['https://eu.api.openai.com/v1', 'responses'],
    ['https://house.openai.azure.com/openai/v1', 'responses'],
    ['https://house.services.ai.azure.com/openai/v1/', 'responses'],
    ['https://house.openai.azure.com/openai/deployments/gpt', 'chat'],
    ['https://api.openai.com.example.net/v1', 'chat'],
    ['http://127.0.0.1:11434/v1', 'chat'],
  ])('`auto` takes for %s the API %s', (baseUrl, expected) => {
    const dialect = dialects().of(baseUrl, 'gpt');
    expect(chooseApi({ api: 'auto' }, baseUrl, dialect)).toBe(expected);
    expect(chooseApi({ api: 'chat' }, baseUrl, dialect)).toBe('chat');
    expect(chooseApi({ api: 'responses' }, baseUrl, dialect)).toBe('responses');
  });

  const script = [{ reply: { text: 'done' }, times: 'always' as const }];

  it('`auto` changes to Responses when a server refuses tools with reasoning elsewhere, and keeps to it', async () => {
    await served({ script, refuses: ['tools_with_reasoning'] }, async (model, { requests }) => {
      const failure = failureOf(await ask(model, { tools: [tool] }));
      expect(failure).toMatchObject({ code: 'MODEL_FORMAT_UNSUPPORTED', retryAfter: 0 });
      expect(failure.message).toContain('further requests use that');
      expect(replyOf(await ask(model, { tools: [tool] }))).not.toHaveProperty('leftOut');
      replyOf(await ask(model));
      expect(requests.map(({ path }) => path)).toEqual(['/v1/chat/completions', '/v1/responses', '/v1/responses']);
    });
  });

  it('`auto` goes back to chat completions without reasoning when the server has no Responses API', async () => {
    await served({ script, refuses: ['tools_with_reasoning', 'responses'] }, async (model, { requests }) => {
      expect(failureOf(await ask(model, { tools: [tool] })).code).toBe('MODEL_FORMAT_UNSUPPORTED');
      expect(failureOf(await ask(model, { tools: [tool] })).message).toContain('has no Responses API');
      expect(replyOf(await ask(model, { tools: [tool] })).leftOut).toEqual(['tools_with_reasoning']);
      expect(bodyOf(requests[2])).toMatchObject({ reasoning_effort: 'none' });
    });
  });

  it('`responses` stays with it, and the message names the way out', async () => {
    await served(
      { script, refuses: ['responses'] },
      async (model) => {
        const failure = failureOf(await ask(model));
        expect(failure).toMatchObject({ code: 'MODEL_REQUEST_REFUSED', retry: 'never' });
        expect(failure.message).toContain('`api: chat`');
      },
      byResponses,
    );
  });
});
