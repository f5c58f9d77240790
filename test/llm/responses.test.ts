// Responses of the Responses API are read, whole and streamed.
import { describe, expect, it } from 'vitest';
import type { ModelReply } from '../../src/model/reply.ts';
import { answering, rawJson } from './raw-server.ts';
import {
  byResponses,
  call,
  events,
  message,
  type Response,
  response,
  type StreamEvent,
  thought,
} from './responses-samples.ts';
import { ask, failureOf, listening, replyOf } from './served.ts';

describe('a response', () => {
  /** Reads it whole and as a stream. */
  async function read(body: Response): Promise<ModelReply> {
    let whole: ModelReply | undefined;
    await answering(
      rawJson(body),
      async (model) => {
        whole = replyOf(await ask(model));
      },
      byResponses,
    );
    const type = body.status === 'incomplete' ? 'response.incomplete' : 'response.completed';
    await answering(
      events({ type, response: { ...body, output_text: '' } }),
      async (model, url) => {
        const { extra, ...streamed } = replyOf(await ask(model, {}, listening));
        const { extra: _, ...rest } = whole ?? expect.fail('there is no reply');
        expect(streamed).toEqual(rest);
        if (extra !== undefined) expect(extra.from).toEqual({ baseUrl: url, model: 'scripted' });
      },
      byResponses,
    );
    return whole ?? expect.fail('there is no reply');
  }

  it('has text, and usage with tokens of the cache and of reasoning', async () => {
    expect(await read(response())).toEqual({
      text: 'Good day.',
      finish: 'stop',
      model: 'gpt-5.6-2026-08-01',
      id: 'resp_67ccd2bed1ec8190',
      usage: { input: 1_364, cached: 1_024, cacheWritten: 256, output: 87, reasoning: 64 },
    });
  });

  it('has tool calls, whose ids are those of their results', async () => {
    const { finish, toolCalls, text } = await read(response({ output: [thought, call] }));
    expect([finish, text]).toEqual(['tool_calls', '']);
    expect(toolCalls).toEqual([{ id: 'call_4fsa', name: 'look', arguments: { page: 3 } }]);
  });

  it('has commentary that is no part of the final answer', async () => {
    const output = [message('I will look.', { phase: 'commentary' }), message('Done.', { phase: 'final_answer' })];
    expect((await read(response({ output }))).text).toBe('Done.');
    const { text } = await read(response({ output: [message('I will look.', { phase: 'commentary' }), call] }));
    expect(text).toBe('I will look.');
  });

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'filter'],
  ] as const)('that is incomplete because of %s ends with `%s`, without its tool calls', async (reason, finish) => {
    const cut = { ...call, status: 'incomplete' as const, arguments: '{"pa' };
    const body = response({ status: 'incomplete', incomplete_details: { reason }, output: [thought, cut] });
    const reply = await read(body);
    expect(reply.finish).toBe(finish);
    expect(reply).not.toHaveProperty('toolCalls');
    expect(reply).not.toHaveProperty('extra');
  });

  it('may be a refusal', async () => {
    const output = [message('', { content: [{ type: 'refusal', refusal: "I'm sorry, I cannot assist with that." }] })];
    expect(await read(response({ output }))).toMatchObject({
      finish: 'refusal',
      text: "I'm sorry, I cannot assist with that.",
    });
  });

  it.each([
    ['server_error', 'The server had an error processing your request.', 'MODEL_UNAVAILABLE', 'may'],
    ['rate_limit_exceeded', 'Rate limit reached for gpt-5.6.', 'MODEL_RATE_LIMITED', 'may'],
    ['invalid_prompt', 'Invalid prompt: it was flagged.', 'MODEL_REQUEST_REFUSED', 'never'],
  ] as const)('that failed with %s is a failure, whole and streamed', async (code, text, expected, retry) => {
    const body = response({ status: 'failed', error: { code, message: text }, output: [] });
    await answering(
      rawJson(body),
      async (model) => {
        expect(failureOf(await ask(model))).toMatchObject({
          code: expected,
          retry,
          message: expect.stringContaining(text),
        });
      },
      byResponses,
    );
    await answering(
      events({ type: 'response.failed', response: { ...body, output_text: '' } }),
      async (model) => {
        expect(failureOf(await ask(model, {}, listening))).toMatchObject({ code: expected, retry });
      },
      byResponses,
    );
  });

  it('that a policy ended is filtered', async () => {
    const error = { code: 'bio_policy' as const, message: 'This request was blocked.' };
    await answering(
      rawJson(response({ status: 'failed', error, output: [] })),
      async (model) => {
        expect(replyOf(await ask(model)).finish).toBe('filter');
      },
      byResponses,
    );
  });

  it.each([
    ['without an output', { id: 'resp_1', object: 'response' }],
    ['of chat completions', { choices: [{ message: { content: 'hello' } }] }],
    ['that is not finished', response({ status: 'in_progress', output: [] })],
  ])('%s is a failure', async (_, body) => {
    await answering(
      rawJson(body),
      async (model) => {
        expect(failureOf(await ask(model)).code).toBe('MODEL_REPLY_INVALID');
      },
      byResponses,
    );
  });
});

describe('a stream of events', () => {
  const at = { output_index: 0, content_index: 0, item_id: 'msg_1', logprobs: [] };

  it('is cut off when it has no end', async () => {
    await answering(
      events(
        { type: 'response.output_text.delta', ...at, delta: 'Once upon' },
        { type: 'response.output_item.done', output_index: 0, item: message('Once upon') },
      ),
      async (model) => {
        const asked = await ask(model, {}, listening);
        expect(failureOf(asked).code).toBe('MODEL_UNAVAILABLE');
        expect(asked).toHaveProperty('error.usage.estimated', true);
      },
      byResponses,
    );
  });

  it('gives its items to an end without any', async () => {
    await answering(
      events(
        { type: 'response.output_item.done', output_index: 1, item: call },
        { type: 'response.output_item.done', output_index: 0, item: thought },
        { type: 'response.completed', response: { ...response({ output: [] }), output_text: '' } },
      ),
      async (model) => {
        const { finish, extra } = replyOf(await ask(model, {}, listening));
        expect(finish).toBe('tool_calls');
        expect(extra?.data).toEqual({ output: [thought, call] });
      },
      byResponses,
    );
  });

  it.each([
    [
      'an event',
      { type: 'error', code: 'rate_limit_exceeded', message: 'Slow down.', param: null, sequence_number: 3 },
    ],
    ['the body of an event', { type: 'error', error: { code: 'rate_limit_exceeded', message: 'Slow down.' } }],
  ])('may end with an error: %s', async (_, event) => {
    await answering(
      events(event as Partial<StreamEvent> & { type: string }),
      async (model) => {
        expect(failureOf(await ask(model, {}, listening))).toMatchObject({
          code: 'MODEL_RATE_LIMITED',
          message: expect.stringContaining('Slow down.'),
        });
      },
      byResponses,
    );
  });

  it('counts all that was written when it is cut off: reasoning, refusals and arguments', async () => {
    const outputs: number[] = [];
    for (const type of ['response.reasoning_text.delta', 'response.function_call_arguments.delta'] as const) {
      await answering(
        events({ type, item_id: 'rs_1', output_index: 0, delta: 'many words that were written' }),
        async (model) => {
          const asked = await ask(model, {}, listening);
          outputs.push(asked.ok ? 0 : (asked.error.usage?.output ?? 0));
        },
        byResponses,
      );
    }
    expect(outputs.every((output) => output > 0)).toBe(true);
  });
});
