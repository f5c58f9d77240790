// Requests to the Responses API: their bodies, and the parts that are left out when a server refuses them.
import { describe, expect, it } from 'vitest';
import { defined, type JsonObject } from '../../src/base/json.ts';
import { dialects } from '../../src/llm/dialect.ts';
import { featureName } from '../../src/llm/feature-words.ts';
import { openaiModel } from '../../src/llm/openai-client.ts';
import { responsesBody } from '../../src/llm/responses-body.ts';
import type { ModelReply } from '../../src/model/reply.ts';
import type { Message, ModelRequest } from '../../src/model/request.ts';
import { boundary } from '../../src/runtime/ports/boundary.ts';
import { profileOf } from '../profile-of.ts';
import { answering, rawJson } from './raw-server.ts';
import { answer, bodyOf, byResponses, call, message, system, thought, tool, user } from './responses-samples.ts';
import { ask, asking, failureOf, replyOf, served } from './served.ts';

describe('a request', () => {
  const script = [{ reply: { text: '{"good":true}' }, times: 'always' as const }];

  it('keeps nothing on the server, asks for encrypted reasoning, and names the cache by the system message', async () => {
    await served(
      { script },
      async (model, { requests }) => {
        replyOf(await ask(model, { messages: [system, user], tools: [tool], maxOutputTokens: 300 }));
        replyOf(await ask(model, { messages: [system, { role: 'user', content: 'Another.' }] }));
        replyOf(await ask(model, { messages: [{ role: 'system', content: 'Be long.' }, user] }));
        const [first, second, third] = requests.map(bodyOf);
        expect(requests[0]?.path).toBe('/v1/responses');
        expect(first).toEqual({
          model: 'scripted',
          store: false,
          include: ['reasoning.encrypted_content'],
          instructions: 'Be brief.',
          input: [{ role: 'user', content: 'Judge.' }],
          max_output_tokens: 300,
          prompt_cache_key: expect.stringMatching(/^[\w-]{22}$/),
          reasoning: { effort: 'low' },
          temperature: 0.2,
          text: { verbosity: 'low' },
          tools: [
            { type: 'function', name: 'look', description: 'Look at a page.', parameters: tool.input, strict: false },
          ],
        });
        expect(second?.prompt_cache_key).toBe(first?.prompt_cache_key);
        expect(third?.prompt_cache_key).not.toBe(first?.prompt_cache_key);
      },
      { ...byResponses, reasoning: 'low', temperature: 0.2, extraBody: { text: { verbosity: 'low' } } },
    );
  });

  it('asks for a schema, and describes the answer for a server that may ignore schemas', async () => {
    await served(
      { script },
      async (model, { requests }) => {
        replyOf(await ask(model, { messages: [system, user], answer }));
        const { text, instructions } = bodyOf(requests[0]);
        expect(text).toEqual({
          format: { type: 'json_schema', name: 'verdict', strict: true, schema: answer.schema },
        });
        expect(instructions).toContain(JSON.stringify(answer.schema));
      },
      byResponses,
    );
  });

  it('to OpenAI has tools beside a schema, and does not describe the answer', () => {
    const { body, sent } = responsesBody(
      asking({ messages: [system, user], tools: [tool], answer }),
      profileOf(),
      dialects().of('https://api.openai.com/v1', 'gpt-5.6'),
      { streams: false, baseUrl: 'https://api.openai.com/v1', ownServer: true },
    );
    expect(body).toMatchObject({ instructions: 'Be brief.', text: { format: { name: 'verdict' } } });
    expect(body.tools).toHaveLength(1);
    expect(sent).toContain('tools_with_format');
  });

  it('forbids calls on the last turn of a conversation with calls', async () => {
    await served(
      { script },
      async (model, { requests }) => {
        const messages: readonly Message[] = [
          user,
          { role: 'assistant', content: 'I look.', toolCalls: [{ id: 'a', name: 'look', arguments: { page: 3 } }] },
          { role: 'tool', callId: 'a', content: 'a page' },
        ];
        replyOf(await ask(model, { messages, tools: [tool], toolChoice: 'none' }));
        expect(bodyOf(requests[0])).toMatchObject({
          tool_choice: 'none',
          input: [
            { role: 'user', content: 'Judge.' },
            { role: 'assistant', content: 'I look.' },
            { type: 'function_call', call_id: 'a', name: 'look', arguments: '{"page":3}' },
            { type: 'function_call_output', call_id: 'a', output: 'a page' },
          ],
        });
      },
      byResponses,
    );
  });

  it('leaves out what the server refuses, and says so', async () => {
    const refuses = [
      'encrypted_reasoning',
      'temperature',
      'prompt_cache_key',
      'reasoning_effort',
      'json_schema',
    ] as const;
    await served(
      { script, refuses },
      async (model, { requests }) => {
        const asked: Partial<ModelRequest> = { messages: [system, user], answer };
        for (const _ of refuses) expect(failureOf(await ask(model, asked)).code).toBe('MODEL_FORMAT_UNSUPPORTED');
        const { leftOut } = replyOf(await ask(model, asked));
        expect(new Set(leftOut)).toEqual(new Set([...refuses, 'seed']));
        const body = bodyOf(requests.at(-1));
        for (const key of ['include', 'temperature', 'prompt_cache_key', 'reasoning', 'seed']) {
          expect(body).not.toHaveProperty(key);
        }
        expect(body).toMatchObject({ store: false, text: { format: { type: 'json_object' } } });
      },
      { ...byResponses, temperature: 0.2, reasoning: 'low', seed: 7 },
    );
  });

  it.each([
    ['include', 'Encrypted content is not supported with this model.', ['encrypted_reasoning']],
    [
      'reasoning.effort',
      "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
      ['reasoning_effort'],
    ],
    [
      'text.format.schema',
      "Invalid schema for response_format 'verdict': a keyword is not permitted.",
      ['json_schema'],
    ],
  ])('reads from `%s` what the server refuses', async (param, text, expected) => {
    const error = { message: text, type: 'invalid_request_error', param, code: null };
    const profile = profileOf({ ...byResponses, reasoning: 'low' });
    await answering(
      { ...rawJson({ error }), status: 400 },
      async (model) => {
        expect(failureOf(await ask(model, { answer })).message).toContain(expected.map(featureName).join(', '));
      },
      profile,
    );
  });
});

describe('the items of a reply', () => {
  const look = { tools: [tool], messages: [system, user] };

  function again({ text, toolCalls, extra }: ModelReply): Message {
    return { role: 'assistant', content: text, ...defined({ toolCalls, extra }) };
  }

  it('go back as they were, with their encrypted reasoning, to the server and the model that sent them', async () => {
    const script = [
      { reply: { text: 'I look.', toolCalls: [{ name: 'look', arguments: { page: 3 } }] } },
      { reply: { text: 'It is good.' }, times: 'always' as const },
    ];
    await served(
      { script },
      async (model, { url, requests }) => {
        const reply = replyOf(await ask(model, look));
        const { output } = (reply.extra?.data ?? {}) as { readonly output: readonly JsonObject[] };
        expect(output.map(({ type }) => type)).toEqual(['reasoning', 'message', 'function_call']);
        const result: Message = { role: 'tool', callId: 'call_1', content: 'a page' };
        const messages = [...look.messages, again(reply), result];
        expect(replyOf(await ask(model, { ...look, messages })).text).toBe('It is good.');
        const sentOutput = { type: 'function_call_output', call_id: 'call_1', output: 'a page' };
        expect(bodyOf(requests[1]).input).toEqual([{ role: 'user', content: 'Judge.' }, ...output, sentOutput]);
        const other = openaiModel(profileOf({ ...byResponses, baseUrl: url, model: 'other' }), boundary({}));
        replyOf(await ask(other, { ...look, messages }));
        const plain = [
          { role: 'assistant', content: 'I look.' },
          { type: 'function_call', call_id: 'call_1', name: 'look', arguments: '{"page":3}' },
        ];
        expect(bodyOf(requests[2]).input).toEqual([{ role: 'user', content: 'Judge.' }, ...plain, sentOutput]);
      },
      byResponses,
    );
  });

  it('are rebuilt from the message if the reply had no encrypted reasoning, or if its calls were dropped', async () => {
    const { encrypted_content: _, ...bare } = thought;
    const script = [{ reply: { text: 'done' }, times: 'always' as const }];
    await served(
      { script },
      async (model, { url, requests }) => {
        const from = { baseUrl: url, model: 'scripted' };
        for (const output of [
          [bare, message('I think.')],
          [thought, call],
        ]) {
          const earlier: Message = {
            role: 'assistant',
            content: 'I think.',
            extra: { from, data: JSON.parse(JSON.stringify({ output })) },
          };
          replyOf(await ask(model, { messages: [user, earlier, user] }));
        }
        for (const each of requests) {
          expect(bodyOf(each).input).toEqual([
            { role: 'user', content: 'Judge.' },
            { role: 'assistant', content: 'I think.' },
            { role: 'user', content: 'Judge.' },
          ]);
        }
      },
      byResponses,
    );
  });

  it('are rebuilt after the server could not read their encrypted reasoning', async () => {
    const error = {
      message: 'The encrypted content gAAA could not be verified. Reason: it is of another organization.',
      type: 'invalid_request_error',
      param: null,
      code: 'invalid_encrypted_content',
    };
    await answering(
      { ...rawJson({ error }), status: 400 },
      async (model, url) => {
        const from = { baseUrl: url, model: 'scripted' };
        const data = JSON.parse(JSON.stringify({ output: [thought, message('I think.')] }));
        const earlier: Message = { role: 'assistant', content: 'I think.', extra: { from, data } };
        const failure = failureOf(await ask(model, { messages: [user, earlier, user] }));
        expect(failure.message).toContain('does not take the reasoning of its earlier replies');
        expect(failureOf(await ask(model, { messages: [user, earlier, user] })).code).toBe('MODEL_REQUEST_REFUSED');
      },
      byResponses,
    );
  });
});
