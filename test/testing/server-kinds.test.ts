// The test server is like real servers: their refusals, silent failures, forms of replies and demands.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { Script } from '../../src/llm/script.ts';
import { openModelServer, type ServerKind, serverKinds } from '../../src/testing/index.ts';

interface Posted {
  readonly status: number;
  readonly body: JsonObject;
  readonly ignored: readonly string[];
}

const hello = { messages: [{ role: 'user', content: 'Answer in JSON.' }] };
const tool = { type: 'function', function: { name: 'look', parameters: { type: 'object' } } };
const schema = { type: 'object', properties: { good: { type: 'boolean' } } };
const asSchema = (given: JsonObject) => ({ type: 'json_schema', json_schema: { name: 'verdict', schema: given } });
const call = {
  toolCalls: [
    { name: 'look', arguments: {} },
    { name: 'look', arguments: { again: true } },
  ],
};

/** Posts a chat completion to a fresh server. */
async function post(like: ServerKind, more: JsonObject, script: Script = []): Promise<Posted> {
  const server = await openModelServer({ like, script });
  try {
    const request = { model: server.model, ...hello, ...more };
    const response = await fetch(`${server.url}/chat/completions`, { method: 'POST', body: JSON.stringify(request) });
    const body = (await response.json()) as JsonObject;
    return { status: response.status, body, ignored: server.requests[0]?.ignored ?? [] };
  } finally {
    await server.close();
  }
}

function messageOf({ body }: Posted): unknown {
  return (body as { choices?: readonly { message: unknown }[] }).choices?.[0]?.message;
}

describe.each(serverKinds)('a server like %s', (like) => {
  it('answers a plain question', async () => {
    const posted = await post(like, {}, [{ reply: { text: 'Good day.' } }]);
    expect(posted.status).toBe(200);
    expect(JSON.stringify(messageOf(posted))).toContain('Good day.');
  });

  it('lists the model that it answers for', async () => {
    const server = await openModelServer({ like });
    const { data } = (await (await fetch(`${server.url}/models`)).json()) as { data: readonly { id: string }[] };
    await server.close();
    expect(data[0]?.id).toBe(server.model);
  });
});

describe('a server like a real one', () => {
  it.each<[ServerKind, JsonObject, number, unknown]>([
    ['openai', { max_tokens: 5 }, 400, { error: { param: 'max_tokens', code: 'unsupported_parameter' } }],
    ['openai', { tools: [tool] }, 400, { error: { param: 'reasoning_effort', code: null } }],
    ['gemini-2', { seed: 7 }, 400, [{ error: { code: 400, status: 'INVALID_ARGUMENT' } }]],
    ['mistral', { seed: 7, tools: [] }, 422, { object: 'error', message: { detail: [{ loc: ['body', 'seed'] }, {}] } }],
    [
      'mistral',
      { stream_options: { include_usage: true } },
      422,
      { message: { detail: [{ loc: ['body', 'stream_options', 'include_usage'] }] } },
    ],
    ['lm-studio', { response_format: { type: 'json_object' } }, 400, { error: expect.stringContaining('json_schema') }],
    ['openrouter-without-tools', { tools: [tool] }, 404, { error: { code: 404 } }],
    ['llama-cpp-without-jinja', { tools: [tool] }, 500, { error: { message: 'tools param requires --jinja flag' } }],
    ['ollama', { model: 'other' }, 404, { error: { message: "model 'other' not found" } }],
    ['deepseek', { model: 'other' }, 400, { error: { message: 'Model Not Exist' } }],
  ])('refuses as %s does: %o', async (like, more, status, body) => {
    expect(await post(like, more)).toMatchObject({ status, body });
  });

  it('names the keys that it takes without heeding them', async () => {
    const { ignored } = await post('ollama', { max_completion_tokens: 5, seed: 7 }, [{ reply: { text: 'yes' } }]);
    expect(ignored).toEqual(['max_completion_tokens']);
  });

  it.each<[ServerKind, unknown]>([
    ['ollama', { reasoning: 'I add.' }],
    ['vllm-before-2026', { reasoning_content: 'I add.' }],
    ['openrouter', { reasoning: 'I add.', reasoning_details: [{ text: 'I add.' }, { type: 'reasoning.encrypted' }] }],
    [
      'mistral',
      {
        content: [
          { type: 'thinking', thinking: [{ text: 'I add.' }] },
          { type: 'text', text: '4' },
        ],
      },
    ],
    ['llama-cpp-without-jinja', { content: '<think>\nI add.\n</think>\n\n4' }],
    ['openai', { content: '4' }],
  ])('shows reasoning as %s does', async (like, message) => {
    const posted = await post(like, {}, [{ reply: { text: '4', reasoning: 'I add.' } }]);
    expect(messageOf(posted)).toMatchObject(message as object);
  });

  it.each<[ServerKind, unknown]>([
    ['openai', { completion_tokens: 9, completion_tokens_details: { reasoning_tokens: 4 } }],
    ['gemini-3', { completion_tokens: 5, total_tokens: 29, prompt_tokens_details: { cached_tokens: 8 } }],
    ['deepseek', { prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 12 }],
    ['mistral', { num_cached_tokens: 8 }],
    ['ollama', { prompt_tokens: 20, completion_tokens: 9, total_tokens: 29 }],
  ])('reports usage as %s does', async (like, usage) => {
    const used = { input: 20, cached: 8, output: 9, reasoning: 4 };
    const { body } = await post(like, {}, [{ reply: { text: '4', usage: used } }]);
    expect(body.usage).toMatchObject(usage as object);
  });

  it.each<ServerKind>(['ollama', 'vllm', 'llama-cpp'])('like %s never calls a tool beside a format', async (like) => {
    const more = { tools: [tool], response_format: asSchema(schema) };
    expect(messageOf(await post(like, more, [{ reply: call }]))).toMatchObject({ content: '{}' });
    const calling = messageOf(await post(like, { tools: [tool] }, [{ reply: call }]));
    expect(calling).toMatchObject({ tool_calls: [{}, {}] });
  });

  it('like llama.cpp answers in free text when it cannot parse the grammar of a schema', async () => {
    const script = [{ reply: { json: { good: true } } }];
    const kept = await post('llama-cpp', { response_format: asSchema(schema) }, script);
    expect(messageOf(kept)).toMatchObject({ content: '{"good":true}' });
    const odd = { type: 'object', properties: { good: { type: 'string', pattern: '^y$' } } };
    const dropped = await post('llama-cpp', { response_format: asSchema(odd) }, script);
    expect(messageOf(dropped)).toMatchObject({ content: expect.stringContaining('Here is my answer:') });
  });

  it.each<[ServerKind, JsonObject, string]>([
    ['gemini-3', {}, 'missing a thought_signature'],
    ['deepseek', {}, 'must be passed back'],
    ['openrouter', { reasoning: 'I look.' }, 'Provider returned error'],
    ['mistral', {}, 'must be a-z, A-Z, 0-9, with a length of 9'],
  ])('like %s wants its own data back beside tool calls', async (like, extra, said) => {
    const calls = [{ id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }];
    const messages = [
      ...hello.messages,
      { role: 'assistant', content: null, tool_calls: calls, ...extra },
      { role: 'tool', tool_call_id: 'call_1', content: 'nothing' },
    ];
    const { status, body } = await post(like, { messages, tools: [tool] });
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(said);
  });
});
