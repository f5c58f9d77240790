// The body of a chat completion request.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { chatBody } from '../../src/llm/chat-body.ts';
import { dialects } from '../../src/llm/dialect.ts';
import type { ModelProfile } from '../../src/model/profile.ts';
import { profileOf } from '../profile-of.ts';
import { ask, asking, failureOf, listening, replyOf, served } from './served.ts';

interface Body {
  readonly response_format?: { readonly json_schema: { readonly strict: boolean; readonly schema: JsonObject } };
}

const always = [{ reply: { text: '{}' }, times: 'always' as const }];
const search = { name: 'web_search', description: 'Search.', input: { type: 'object' } };

/** The body of a request with a schema. */
async function strictOf(schema: JsonObject): Promise<unknown> {
  let strict: unknown;
  await served({ script: always }, async (model, { requests }) => {
    replyOf(await ask(model, { answer: { name: 'shape', schema } }));
    const body = requests[0]?.body as { response_format: { json_schema: { strict: boolean; schema: JsonObject } } };
    expect(body.response_format.json_schema.schema).toEqual(schema);
    strict = body.response_format.json_schema.strict;
  });
  return strict;
}

describe('the body of a chat completion', () => {
  it("has the provider's name of the model, and the limits of the profile", async () => {
    await served(
      { script: always },
      async (model, { requests }) => {
        await ask(model);
        expect(requests[0]?.body).toEqual({
          model: 'gpt-9',
          messages: asking().messages,
          max_tokens: 1_000,
          temperature: 0.5,
        });
      },
      { model: 'gpt-9', temperature: 0.5 },
    );
  });

  it('names the cache by the system message for OpenAI, unless the profile names it, and for no other server', () => {
    const baseUrl = 'https://api.openai.com/v1';
    const keyOf = (content: string, more: Partial<ModelProfile> = {}, ownServer = true) => {
      const messages = [{ role: 'system' as const, content }, ...asking().messages];
      const options = { streams: false, baseUrl, ownServer };
      return chatBody(asking({ messages }), profileOf(more), dialects().of(baseUrl, 'gpt'), options).body
        .prompt_cache_key;
    };
    expect(keyOf('Be brief.')).toMatch(/^[\w-]{22}$/);
    expect(keyOf('Be brief.')).toBe(keyOf('Be brief.'));
    expect(keyOf('Be long.')).not.toBe(keyOf('Be brief.'));
    expect(keyOf('Be brief.', { extraBody: { prompt_cache_key: 'mine' } })).toBe('mine');
    expect(keyOf('Be brief.', {}, false)).toBeUndefined();
  });

  it('takes narrower limits from the request', async () => {
    await served({ script: always }, async (model, { requests }) => {
      await ask(model, { maxOutputTokens: 7, temperature: 0 });
      expect(requests[0]?.body).toMatchObject({ max_tokens: 7, temperature: 0 });
    });
  });

  it('has a conversation with tools in the form of the API', async () => {
    await served({ script: always }, async (model, { requests }) => {
      const calls = [
        { id: 'a', name: 'web_search', arguments: { query: 'x' } },
        { id: 'b', name: 'web_search', arguments: '{"query": ' },
      ];
      await ask(model, {
        tools: [search],
        messages: [
          ...asking().messages,
          { role: 'assistant', content: '', toolCalls: calls },
          { role: 'tool', callId: 'a', content: 'found' },
          { role: 'tool', callId: 'b', content: 'the arguments are not JSON' },
        ],
      });
      expect(requests[0]?.body).toMatchObject({
        tools: [
          { type: 'function', function: { name: 'web_search', description: 'Search.', parameters: search.input } },
        ],
        messages: [
          ...asking().messages,
          {
            role: 'assistant',
            content: null,
            tool_calls: [
              { id: 'a', type: 'function', function: { name: 'web_search', arguments: '{"query":"x"}' } },
              { id: 'b', type: 'function', function: { name: 'web_search', arguments: '{"query": ' } },
            ],
          },
          { role: 'tool', tool_call_id: 'a', content: 'found' },
          { role: 'tool', tool_call_id: 'b', content: 'the arguments are not JSON' },
        ],
      });
    });
  });

  it('streams only for a listener, and then requests the usage', async () => {
    await served({ script: always }, async (model, { requests }) => {
      await ask(model);
      await ask(model, {}, listening);
      expect(requests[0]?.body).not.toHaveProperty('stream');
      expect(requests[1]?.body).toMatchObject({ stream: true, stream_options: { include_usage: true } });
    });
  });

  it('requests strict answers only for schemas that strict mode supports', async () => {
    const closed = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    };
    expect(await strictOf(closed)).toBe(true);
    expect(await strictOf({ ...closed, properties: { a: { anyOf: [closed, { type: 'null' }] } } })).toBe(true);
    expect(await strictOf({ ...closed, additionalProperties: true })).toBe(false);
    expect(await strictOf({ ...closed, required: [] })).toBe(false);
    expect(await strictOf({ ...closed, properties: { a: { type: 'string', minLength: 1 } } })).toBe(false);
    expect(await strictOf({ ...closed, properties: { a: { type: 'array', items: { type: 'object' } } } })).toBe(false);
    expect(await strictOf({ type: 'string' })).toBe(false);
  });

  it('asks with the narrow schema of the answer, and with the wide one once the server refused that', async () => {
    const refusal = { status: 400, message: 'Invalid schema for response_format: unknown keyword "$defs"' };
    const script = [{ reply: { fail: refusal } }, ...always];
    await served({ script }, async (model, { requests }) => {
      const answer = { name: 'fragment', schema: { type: 'object' }, narrow: { anyOf: [{ type: 'object' }] } };
      expect(failureOf(await ask(model, { answer })).code).toBe('MODEL_FORMAT_UNSUPPORTED');
      replyOf(await ask(model, { answer }));
      replyOf(await ask(model, { answer, tools: [search] }));
      const schemaOf = (body: unknown): unknown => (body as Body).response_format?.json_schema.schema;
      expect(requests.map(({ body }) => schemaOf(body))).toEqual([answer.narrow, answer.schema, undefined]);
      const isReminded = requests.map(({ body }) => JSON.stringify(body).includes('Answer with one JSON object.'));
      expect(isReminded).toEqual([true, false, false]);
    });
  });

  it("keeps the narrow schema from the provider's own server, which would count it as tokens of the prompt", () => {
    const answer = { name: 'fragment', schema: { type: 'object' }, narrow: { anyOf: [{ type: 'object' }] } };
    const baseUrl = 'https://api.openai.com/v1';
    const dialect = dialects().of(baseUrl, 'gpt-9');
    const { body } = chatBody(asking({ answer }), profileOf({}), dialect, { streams: false, baseUrl, ownServer: true });
    expect((body as Body).response_format?.json_schema.schema).toEqual(answer.schema);
  });
});
