// The parameters of a model profile reach the server.
import { describe, expect, it } from 'vitest';
import { openaiModel } from '../../src/llm/openai-client.ts';
import type { Timer } from '../../src/llm/stall-watch.ts';
import { boundary } from '../../src/runtime/ports/boundary.ts';
import { openModelServer } from '../../src/testing/model-server.ts';
import { profileOf } from '../profile-of.ts';
import { answering, rawJson } from './raw-server.ts';
import { ask, failureOf, listening, replyOf, served } from './served.ts';

const always = [{ reply: { text: 'good' }, times: 'always' as const }];

describe('the parameters of a profile', () => {
  it('are part of the body, and keys of `extra_body` are added to it', async () => {
    const profile = { topP: 0.9, seed: 7, reasoning: 'low', extraBody: { top_k: 20, messages: [] } } as const;
    await served(
      { script: always },
      async (model, { requests }) => {
        replyOf(await ask(model));
        expect(requests[0]?.body).toMatchObject({ top_p: 0.9, seed: 7, reasoning_effort: 'low', top_k: 20 });
        expect(requests[0]?.body).toHaveProperty('messages.length', 1);
      },
      profile,
    );
  });

  it.each([
    ['temperature', ['temperature', 'top_p'], 'temperature, top_p'],
    ['top_p', ['top_p'], 'top_p'],
    ['seed', ['seed'], 'seed'],
    ['reasoning_effort', ['reasoning_effort'], 'reasoning'],
    ['parallel_tool_calls', ['parallel_tool_calls'], 'parallel_tool_calls'],
  ] as const)(
    'are left out when the server refuses them, and the reply says so: %s',
    async (refused, leftOut, named) => {
      const profile = {
        temperature: 0,
        topP: 0.9,
        seed: 7,
        reasoning: 'low',
        extraBody: { parallel_tool_calls: false },
      } as const;
      await served(
        { script: always, refuses: [refused] },
        async (model, { requests }) => {
          expect(failureOf(await ask(model)).message).toContain(`does not take ${named}; further requests go without`);
          expect(new Set(replyOf(await ask(model)).leftOut)).toEqual(new Set(leftOut));
          expect(requests[1]?.body).not.toHaveProperty(refused);
        },
        profile,
      );
    },
  );

  it('set headers, whose secrets no message shows', async () => {
    const headers = { 'X-Gateway': '${secret.GATEWAY}', 'X-Team': 'plans', 'X-Unset': '${env.NONE:-}' };
    const fail = { status: 403, message: 'the token gate-key-123 has expired' };
    await served(
      { script: [{ reply: { fail } }] },
      async (model, { requests }) => {
        expect(failureOf(await ask(model)).message).toContain('the token *** has expired');
        expect(requests[0]?.headers).toMatchObject({ 'x-gateway': 'gate-key-123', 'x-team': 'plans' });
      },
      { headers },
      { GATEWAY: 'gate-key-123', NONE: '' },
    );
  });

  it('fail the request if a header has an invalid character', async () => {
    await served(
      { script: always },
      async (model) => {
        expect(failureOf(await ask(model))).toMatchObject({ code: 'MODEL_NOT_CONFIGURED', retry: 'never' });
      },
      { headers: { 'X-Odd': 'grüß' } },
    );
  });

  it('make every answer stream, or none', async () => {
    await served(
      { script: always },
      async (model, { requests }) => {
        replyOf(await ask(model));
        expect(requests[0]?.body).toHaveProperty('stream', true);
      },
      { stream: true },
    );
    await served(
      { script: always },
      async (model, { requests }) => {
        const heard: string[] = [];
        replyOf(await ask(model, {}, { onDelta: (text) => heard.push(text) }));
        expect(requests[0]?.body).not.toHaveProperty('stream');
        expect(heard).toEqual(['good']);
      },
      { stream: false },
    );
  });

  it('end the retries when the server asks for a longer wait than `max_retry_after`', async () => {
    await answering({ status: 429, headers: { 'retry-after': '60' }, parts: ['{}'] }, async (model) => {
      expect(failureOf(await ask(model))).toMatchObject({ retry: 'may', retryAfter: 60_000 });
    });
    await answering({ status: 429, headers: { 'retry-after': '3600' }, parts: ['{}'] }, async (model) => {
      const failure = failureOf(await ask(model));
      expect(failure.retry).toBe('never');
      expect(failure.message).toContain('longer than max_retry_after (1m)');
    });
  });
});

describe('a stream that stalls', () => {
  it('is cut after `stall_timeout`, and its usage is estimated', async () => {
    const server = await openModelServer({ script: [{ reply: { fail: { stall: 'Once upon' } } }] });
    let fire = (): void => {};
    const waits: number[] = [];
    const timer: Timer = {
      wake(after, callback) {
        waits.push(after);
        fire = callback;
        return () => {};
      },
    };
    const model = openaiModel(profileOf({ baseUrl: server.url, stallTimeout: 5_000 }), boundary({}), { timer });
    let pieces = 0;
    const asked = await ask(
      model,
      {},
      {
        onDelta: () => {
          pieces += 1;
          if (pieces === 2) fire();
        },
      },
    );
    expect(failureOf(asked)).toMatchObject({ code: 'MODEL_TIMEOUT', retry: 'may' });
    expect(failureOf(asked).message).toContain('its stream was silent for 5s (stall_timeout)');
    expect(asked).toHaveProperty('error.usage.estimated', true);
    expect(waits.every((each) => each === 5_000)).toBe(true);
    await server.close();
  });

  it('is limited by the timeout of the request until its first piece', async () => {
    await served(
      { script: [{ reply: { fail: { stall: '' } } }] },
      async (model) => {
        expect(failureOf(await ask(model, {}, listening)).message).toContain('within 60ms');
      },
      { timeout: 60, stallTimeout: 1 },
    );
  });
});

describe('the usage of a reply', () => {
  it.each([
    [
      'OpenAI',
      {
        prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    ],
    [
      'LiteLLM',
      {
        cache_read_input_tokens: 4,
        cache_creation_input_tokens: 3,
        completion_tokens_details: { reasoning_tokens: 2 },
      },
    ],
    ['OpenRouter', { prompt_tokens_details: { cached_tokens: 4, cache_creation_tokens: 3 }, reasoning_tokens: 2 }],
  ])('includes cached, written and reasoning tokens in the form of %s', async (_, more) => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, ...more };
    await answering(rawJson({ choices: [{ message: { content: 'good' } }], usage }), async (model) => {
      expect(replyOf(await ask(model)).usage).toEqual({
        input: 10,
        cached: 4,
        output: 5,
        cacheWritten: 3,
        reasoning: 2,
      });
    });
  });

  it.each([
    ['Mistral', { num_cached_tokens: 4 }],
    ['DeepSeek', { prompt_cache_hit_tokens: 4, prompt_cache_miss_tokens: 6 }],
    ['Moonshot', { cached_tokens: 4 }],
  ])('includes cached tokens in the form of %s', async (_, more) => {
    const usage = { prompt_tokens: 10, completion_tokens: 5, ...more };
    await answering(rawJson({ choices: [{ message: { content: 'good' } }], usage }), async (model) => {
      expect(replyOf(await ask(model)).usage).toEqual({ input: 10, cached: 4, output: 5 });
    });
  });
});
