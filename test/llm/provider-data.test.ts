// Data of a provider goes back to the server and model that sent it, and to no other.
import { describe, expect, it } from 'vitest';
import { openaiModel } from '../../src/llm/openai-client.ts';
import type { ModelReply } from '../../src/model/reply.ts';
import type { Message } from '../../src/model/request.ts';
import { boundary } from '../../src/runtime/ports/boundary.ts';
import { openModelServer } from '../../src/testing/model-server.ts';
import { profileOf } from '../profile-of.ts';
import { answering, rawEvents, rawJson } from './raw-server.ts';
import { ask, asking, failureOf, listening, replyOf } from './served.ts';

const call = { id: 'a', type: 'function', function: { name: 'look', arguments: '{}' } };
const signed = { ...call, extra_content: { google: { thought_signature: 'c2lnbmVk' } } };

function whole(message: object) {
  return rawJson({ choices: [{ message, finish_reason: 'stop' }] });
}

/** The message that a server reads when the reply is sent back to it. */
async function sentBack(reply: ModelReply, model = 'scripted'): Promise<Record<string, unknown>> {
  const server = await openModelServer({ script: [{ reply: { text: 'done' } }] });
  const { text, toolCalls, extra } = reply;
  const from = { baseUrl: server.url, model: 'scripted' };
  const again: Message = {
    role: 'assistant',
    content: text,
    ...(toolCalls === undefined ? {} : { toolCalls }),
    ...(extra === undefined ? {} : { extra: { ...extra, from } }),
  };
  try {
    const client = openaiModel(profileOf({ baseUrl: server.url, model }), boundary({}));
    replyOf(
      await ask(client, {
        messages: [...asking().messages, again],
        tools: [{ name: 'look', description: '', input: {} }],
      }),
    );
    const body = server.requests[0]?.body as { messages: Record<string, unknown>[] } | undefined;
    return body?.messages[1] ?? {};
  } finally {
    await server.close();
  }
}

describe('data of a provider', () => {
  it('is kept with the server and the model that sent it', async () => {
    await answering(whole({ content: 'hm', reasoning_content: 'I think' }), async (model, url) => {
      expect(replyOf(await ask(model)).extra).toEqual({
        from: { baseUrl: url, model: 'scripted' },
        data: { reasoning_content: 'I think' },
      });
    });
  });

  it.each([
    ['reasoning of DeepSeek', { content: '', reasoning_content: 'I think', tool_calls: [call] }],
    [
      'reasoning of OpenRouter',
      { content: '', reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }], tool_calls: [call] },
    ],
    ['thought signatures of Gemini', { content: '', tool_calls: [signed] }],
    [
      'thought signatures of Gemini by way of LiteLLM',
      { content: '', tool_calls: [{ ...call, provider_specific_fields: { thought_signature: 'x' } }] },
    ],
    [
      'thoughts of Claude by way of LiteLLM',
      { content: '', thinking_blocks: [{ type: 'thinking', thinking: 'hm', signature: 'x' }], tool_calls: [call] },
    ],
  ])('goes back beside tool calls: %s', async (_, message) => {
    await answering(whole(message), async (model) => {
      expect(await sentBack(replyOf(await ask(model)))).toEqual({ role: 'assistant', ...message, content: null });
    });
  });

  it('goes back in its own place when LiteLLM has moved it: details of OpenRouter', async () => {
    const reasoning_details = [{ type: 'reasoning.encrypted', data: 'x' }];
    const message = { content: '', tool_calls: [call], provider_specific_fields: { reasoning_details } };
    await answering(whole(message), async (model) => {
      const expected = { role: 'assistant', content: null, tool_calls: [call], reasoning_details };
      expect(await sentBack(replyOf(await ask(model)))).toEqual(expected);
    });
  });

  it('goes back as parts of the content: thinking of Mistral', async () => {
    const content = [
      { type: 'thinking', thinking: [{ type: 'text', text: 'I think' }] },
      { type: 'text', text: 'Good.' },
    ];
    await answering(whole({ content }), async (model) => {
      const reply = replyOf(await ask(model));
      expect(reply.text).toBe('Good.');
      expect(await sentBack(reply)).toEqual({ role: 'assistant', content });
    });
  });

  it('goes back without the reasoning text if no tool was called', async () => {
    await answering(whole({ content: 'hm', reasoning_content: 'I think' }), async (model) => {
      expect(await sentBack(replyOf(await ask(model)))).toEqual({ role: 'assistant', content: 'hm' });
    });
  });

  it('goes to no other model', async () => {
    await answering(whole({ content: '', reasoning_content: 'I think', tool_calls: [signed] }), async (model) => {
      const read = await sentBack(replyOf(await ask(model)), 'other');
      expect(read).toEqual({ role: 'assistant', content: null, tool_calls: [call] });
    });
  });

  it('is assembled from the pieces of a stream', async () => {
    const chunk = (delta: object, finish: string | null = null) => ({ choices: [{ delta, finish_reason: finish }] });
    const detail = (text: string, more: object = {}) => ({ type: 'reasoning.text', index: 0, text, ...more });
    const answer = rawEvents(
      chunk({ reasoning_content: 'I ' }),
      chunk({ reasoning_content: 'think', reasoning_details: [detail('I ')] }),
      chunk({ reasoning_details: [detail('think', { signature: 's' })] }),
      chunk({ tool_calls: [{ index: 0, ...signed }] }),
      chunk({}, 'tool_calls'),
    );
    await answering(answer, async (model) => {
      expect(replyOf(await ask(model, {}, listening)).extra?.data).toEqual({
        reasoning_content: 'I think',
        reasoning_details: [detail('I think', { signature: 's' })],
        calls: { a: signed.extra_content },
      });
    });
    const thought = (thinking: string, signature = '') =>
      chunk({ thinking_blocks: [{ type: 'thinking', thinking, signature }] });
    await answering(
      rawEvents(thought('I '), thought('think'), thought('', 'x'), chunk({ content: 'Good.' }, 'stop')),
      async (model) => {
        const thinking_blocks = [{ type: 'thinking', thinking: 'I think', signature: 'x' }];
        expect(replyOf(await ask(model, {}, listening)).extra?.data).toEqual({ thinking_blocks });
      },
    );
    const thinking = (text: string) => chunk({ content: [{ type: 'thinking', thinking: [{ type: 'text', text }] }] });
    await answering(
      rawEvents(thinking('I '), thinking('think'), chunk({ content: 'Good.' }, 'stop')),
      async (model) => {
        const { text, extra } = replyOf(await ask(model, {}, listening));
        expect(text).toBe('Good.');
        expect(extra?.data).toEqual({
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: 'I think' }] },
            { type: 'text', text: 'Good.' },
          ],
        });
      },
    );
  });

  it('is left out after the server has refused it', async () => {
    const server = await openModelServer({ script: [{ reply: { text: 'done' } }], refuses: ['reasoning_sent_back'] });
    const from = { baseUrl: server.url, model: 'scripted' };
    const toolCalls = [{ id: 'a', name: 'look', arguments: {} }];
    const again: Message = {
      role: 'assistant',
      content: '',
      toolCalls,
      extra: { from, data: { reasoning_content: 'x' } },
    };
    const messages = [...asking().messages, again];
    const model = openaiModel(profileOf({ baseUrl: server.url }), boundary({}));
    expect(failureOf(await ask(model, { messages })).code).toBe('MODEL_FORMAT_UNSUPPORTED');
    expect(replyOf(await ask(model, { messages })).leftOut).toEqual(['reasoning_sent_back']);
    await server.close();
  });
});
