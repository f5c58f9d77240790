// Models of the AI SDK: how requests, replies, data of providers and errors are translated.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import {
  APICallError,
  type LanguageModelV2,
  type LanguageModelV4CallOptions,
  type LanguageModelV4GenerateResult,
  type LanguageModelV4StreamPart,
  LoadAPIKeyError,
  NoSuchModelError,
} from '@ai-sdk/provider';
import { MockLanguageModelV3, MockLanguageModelV4, simulateReadableStream } from 'ai/test';
import { describe, expect, it } from 'vitest';
import { defined } from '../../src/base/json.ts';
import { billOfResult } from '../../src/llm/bill.ts';
import { fromAiSdk } from '../../src/llm/from-ai-sdk.ts';
import type { ModelReply } from '../../src/model/reply.ts';
import type { Message, ModelRequest } from '../../src/model/request.ts';
import { openModelServer } from '../../src/testing/model-server.ts';
import { answering, rawEvents } from './raw-server.ts';
import { ask, failureOf, listening, replyOf } from './served.ts';

const tool = { name: 'look', description: 'Look at a page.', input: { type: 'object', properties: {} } };
const answer = { name: 'verdict', schema: { type: 'object', properties: { good: { type: 'boolean' } } } };
const system: Message = { role: 'system', content: 'Be brief.' };
const user: Message = { role: 'user', content: 'Judge.' };

function result(more: Partial<LanguageModelV4GenerateResult> = {}): LanguageModelV4GenerateResult {
  return {
    content: [{ type: 'text', text: 'Good day.' }],
    finishReason: { unified: 'stop', raw: 'end_turn' },
    usage: {
      inputTokens: { total: 1_000, noCache: 400, cacheRead: 500, cacheWrite: 100 },
      outputTokens: { total: 90, text: 50, reasoning: 40 },
    },
    warnings: [],
    response: { id: 'msg_1', modelId: 'claude-sonnet-5-20260801' },
    ...more,
  };
}

function claude(doGenerate: LanguageModelV4GenerateResult | LanguageModelV4GenerateResult[] = result()) {
  return new MockLanguageModelV4({ provider: 'anthropic.messages', modelId: 'claude-sonnet-5', doGenerate });
}

function again({ text, toolCalls, extra }: ModelReply): Message {
  return { role: 'assistant', content: text, ...defined({ toolCalls, extra }) };
}

describe('a request', () => {
  async function sent(asked: Partial<ModelRequest>, settings: Parameters<typeof fromAiSdk>[1] = {}) {
    const model = claude();
    const reply = replyOf(await ask(fromAiSdk(model, settings), asked));
    const { abortSignal, ...options } = model.doGenerateCalls[0] ?? expect.fail('nothing was asked');
    expect(abortSignal).toBeInstanceOf(AbortSignal);
    return { options, reply };
  }

  it('becomes a prompt with tools, and tells the settings', async () => {
    const messages: readonly Message[] = [
      system,
      user,
      {
        role: 'assistant',
        content: '',
        toolCalls: [
          { id: 'a', name: 'look', arguments: { page: 1 } },
          { id: 'b', name: 'read', arguments: 'broken' },
        ],
      },
      { role: 'tool', callId: 'a', content: 'a page' },
      { role: 'tool', callId: 'b', content: 'no such page' },
    ];
    const { options } = await sent(
      { messages, tools: [tool], maxOutputTokens: 300, temperature: 0.1 },
      {
        topP: 0.9,
        seed: 7,
        reasoning: 'low',
        headers: { 'x-team': 'plans' },
        providerOptions: { anthropic: { effort: 'low' } },
      },
    );
    expect(options).toEqual({
      prompt: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Judge.' }] },
        {
          role: 'assistant',
          content: [
            { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: { page: 1 } },
            { type: 'tool-call', toolCallId: 'b', toolName: 'read', input: {} },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'a', toolName: 'look', output: { type: 'text', value: 'a page' } },
            { type: 'tool-result', toolCallId: 'b', toolName: 'read', output: { type: 'text', value: 'no such page' } },
          ],
        },
      ],
      tools: [{ type: 'function', name: 'look', description: 'Look at a page.', inputSchema: tool.input }],
      maxOutputTokens: 300,
      temperature: 0.1,
      topP: 0.9,
      seed: 7,
      reasoning: 'low',
      headers: { 'x-team': 'plans' },
      providerOptions: { anthropic: { effort: 'low' } },
    } satisfies LanguageModelV4CallOptions);
  });

  it('asks for JSON with a schema, which the prompt describes too, and forbids calls on the last turn', async () => {
    const { options } = await sent({ messages: [system, user], answer });
    expect(options.responseFormat).toEqual({ type: 'json', name: 'verdict', schema: answer.schema });
    expect(JSON.stringify(options.prompt[0])).toContain('JSON Schema');
    const called: Message = {
      role: 'assistant',
      content: '',
      toolCalls: [{ id: 'a', name: 'look', arguments: {} }],
    };
    const messages = [user, called, { role: 'tool' as const, callId: 'a', content: 'a page' }];
    const last = await sent({ messages, tools: [tool], answer, toolChoice: 'none' });
    expect(last.options).toMatchObject({ toolChoice: { type: 'none' } });
    expect(last.options).not.toHaveProperty('responseFormat');
  });

  it('says what the provider leaves out', async () => {
    const model = new MockLanguageModelV3({
      doGenerate: async () => ({
        ...result(),
        warnings: [
          { type: 'unsupported', feature: 'seed' },
          { type: 'other', message: 'fine' },
        ],
      }),
    } as ConstructorParameters<typeof MockLanguageModelV3>[0]);
    const { leftOut } = replyOf(await ask(fromAiSdk(model, { seed: 7, reasoning: 'low' })));
    expect(leftOut).toEqual(['reasoning_effort', 'seed']);
    expect(model.doGenerateCalls[0]).not.toHaveProperty('reasoning');
  });

  it('has its tools as data once a server refused tools', async () => {
    const server = await openModelServer({
      script: [{ reply: { text: '{"call": {"name": "look", "arguments": {"page": 3}}}' } }],
      refuses: ['tools'],
    });
    const provider = createOpenAICompatible({ name: 'house', baseURL: server.url });
    const model = fromAiSdk(provider('scripted'));
    expect(failureOf(await ask(model, { tools: [tool] }))).toMatchObject({
      code: 'MODEL_FORMAT_UNSUPPORTED',
      retryAfter: 0,
    });
    expect(replyOf(await ask(model, { tools: [tool] }))).toMatchObject({
      toolCalls: [{ name: 'look', arguments: { page: 3 } }],
      leftOut: ['tools'],
    });
    await server.close();
  });

  it('goes to a model of the SDK only', () => {
    for (const wrong of ['anthropic/claude-sonnet-5', {}, { ...claude(), specificationVersion: 'v9' }]) {
      expect(() => fromAiSdk(wrong as unknown as LanguageModelV2)).toThrow(/takes a language model of the AI SDK/);
    }
  });
});

describe('a reply', () => {
  it('has text, names, and usage with tokens of the cache and of reasoning', async () => {
    expect(replyOf(await ask(fromAiSdk(claude())))).toEqual({
      text: 'Good day.',
      finish: 'stop',
      id: 'msg_1',
      model: 'claude-sonnet-5-20260801',
      usage: { input: 1_000, cached: 500, cacheWritten: 100, output: 90, reasoning: 40 },
    });
  });

  it('prefers structured text, and leaves out calls that the provider made itself', async () => {
    const content = [
      { type: 'text' as const, text: 'I answer.' },
      { type: 'tool-call' as const, toolCallId: 's', toolName: 'web_search', input: '{}', providerExecuted: true },
    ];
    const reply = replyOf(await ask(fromAiSdk(claude(result({ content, structuredOutputText: '{"good":true}' })))));
    expect(reply).toMatchObject({ text: '{"good":true}', finish: 'stop' });
    expect(reply).not.toHaveProperty('toolCalls');
  });

  it.each([
    ['content-filter', 'refusal', 'refusal'],
    ['content-filter', 'SAFETY', 'filter'],
    ['length', 'max_tokens', 'length'],
    ['other', 'pause_turn', 'stop'],
  ] as const)('with the finish reason %s (%s) ends with `%s`', async (unified, raw, finish) => {
    expect(replyOf(await ask(fromAiSdk(claude(result({ finishReason: { unified, raw } }))))).finish).toBe(finish);
  });

  it('may be that of a model of version 2', async () => {
    const model: LanguageModelV2 = {
      specificationVersion: 'v2',
      provider: 'house',
      modelId: 'old',
      supportedUrls: {},
      doGenerate: async () => ({
        content: [{ type: 'tool-call', toolCallId: 'a', toolName: 'look', input: '{"page":3}' }],
        finishReason: 'tool-calls',
        usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15, cachedInputTokens: 4, reasoningTokens: 2 },
        warnings: [],
      }),
      doStream: async () => expect.fail('nobody listens'),
    };
    expect(replyOf(await ask(fromAiSdk(model), { tools: [tool] }))).toEqual({
      text: '',
      finish: 'tool_calls',
      toolCalls: [{ id: 'a', name: 'look', arguments: { page: 3 } }],
      usage: { input: 10, cached: 4, output: 5, reasoning: 2 },
    });
  });
});

describe('data of a provider', () => {
  const content: LanguageModelV4GenerateResult['content'] = [
    { type: 'reasoning', text: 'I think.', providerMetadata: { anthropic: { signature: 'c2lnbmVk' } } },
    { type: 'text', text: 'I look.' },
    { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: '{"page":3}' },
  ];
  const calling = result({ content, finishReason: { unified: 'tool-calls', raw: 'tool_use' } });
  const kept = [
    { type: 'reasoning', text: 'I think.', providerOptions: { anthropic: { signature: 'c2lnbmVk' } } },
    { type: 'text', text: 'I look.' },
    { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: { page: 3 } },
  ];

  it('goes back to the same provider and model, and never into the text', async () => {
    const model = claude([calling, result()]);
    const reply = replyOf(await ask(fromAiSdk(model), { tools: [tool] }));
    expect(reply.text).toBe('I look.');
    expect(reply.extra).toEqual({
      from: { baseUrl: 'ai-sdk:anthropic.messages', model: 'claude-sonnet-5' },
      data: { content: kept },
    });
    const messages = [user, again(reply), { role: 'tool' as const, callId: 'a', content: 'a page' }];
    replyOf(await ask(fromAiSdk(model), { messages, tools: [tool] }));
    expect(model.doGenerateCalls[1]?.prompt[1]).toEqual({ role: 'assistant', content: kept });
    const other = new MockLanguageModelV4({ provider: 'google', modelId: 'gemini-3', doGenerate: result() });
    replyOf(await ask(fromAiSdk(other), { messages, tools: [tool] }));
    expect(other.doGenerateCalls[0]?.prompt[1]).toEqual({ role: 'assistant', content: kept.slice(1) });
  });

  it('is assembled from a stream, in which a signature comes last', async () => {
    const chunks: LanguageModelV4StreamPart[] = [
      { type: 'stream-start', warnings: [] },
      { type: 'reasoning-start', id: '0' },
      { type: 'reasoning-delta', id: '0', delta: 'I ' },
      { type: 'reasoning-delta', id: '0', delta: 'think.' },
      { type: 'reasoning-delta', id: '0', delta: '', providerMetadata: { anthropic: { signature: 'c2lnbmVk' } } },
      { type: 'reasoning-end', id: '0' },
      { type: 'text-start', id: '1' },
      { type: 'text-delta', id: '1', delta: 'I ' },
      { type: 'text-delta', id: '1', delta: 'look.' },
      { type: 'text-end', id: '1' },
      { type: 'tool-call', toolCallId: 'a', toolName: 'look', input: '{"page":3}' },
      { type: 'finish', finishReason: calling.finishReason, usage: calling.usage },
    ];
    const model = new MockLanguageModelV4({
      doStream: async () => ({
        stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }),
      }),
    });
    const pieces: string[] = [];
    const reply = replyOf(await ask(fromAiSdk(model), { tools: [tool] }, { onDelta: (piece) => pieces.push(piece) }));
    expect(pieces).toEqual(['I ', 'look.']);
    expect(reply.extra?.data).toEqual({ content: kept });
  });

  it('without a signature is kept beside tool calls only', async () => {
    const thought = { type: 'reasoning' as const, text: 'I think.' };
    const plain = result({ content: [thought, { type: 'text', text: 'Done.' }] });
    expect(replyOf(await ask(fromAiSdk(claude(plain))))).not.toHaveProperty('extra');
    const beside = result({ content: [thought, ...content.slice(2)], finishReason: calling.finishReason });
    expect(replyOf(await ask(fromAiSdk(claude(beside)), { tools: [tool] })).extra?.data).toMatchObject({
      content: [thought, { type: 'tool-call' }],
    });
  });

  it.each(['gemini-3', 'deepseek'] as const)('is given to a server that demands it, like %s', async (like) => {
    const script = [{ reply: { toolCalls: [{ name: 'look', arguments: {} }] }, times: 2 }, { reply: { text: 'done' } }];
    for (const context of [{}, listening]) {
      const server = await openModelServer({ like, script });
      const provider = createOpenAICompatible({ name: 'house', baseURL: server.url, includeUsage: true });
      const model = fromAiSdk(provider(server.model));
      let messages: readonly Message[] = [user];
      for (let turn = 0; turn < 2; turn += 1) {
        const reply = replyOf(await ask(model, { messages, tools: [tool] }, context));
        const [called] = reply.toolCalls ?? [];
        messages = [...messages, again(reply), { role: 'tool', callId: called?.id ?? '', content: 'a page' }];
      }
      expect(replyOf(await ask(model, { messages, tools: [tool] }, context)).text).toBe('done');
      await server.close();
    }
  });
});

describe('an abort', () => {
  it('ends a request whose provider fails later, and nothing is left unhandled', async () => {
    const unhandled: unknown[] = [];
    const hear = (reason: unknown): void => void unhandled.push(reason);
    process.on('unhandledRejection', hear);
    const stop = new AbortController();
    const fail = (reject: (reason: Error) => void): void => {
      setImmediate(() => reject(new Error('too late')));
    };
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      start: (controller) => controller.enqueue({ type: 'text-delta', id: '0', delta: 'Once' }),
      pull: () => (stop.signal.aborted ? new Promise((_, reject) => fail(reject)) : undefined),
    });
    const model = new MockLanguageModelV4({
      doGenerate: () => new Promise((_, reject) => fail(reject)),
      doStream: async () => ({ stream }),
    });
    const asked = await ask(fromAiSdk(model), {}, { signal: stop.signal, onDelta: () => stop.abort() });
    expect(failureOf(asked).code).toBe('MODEL_ABORTED');
    const other = new AbortController();
    const waiting = ask(fromAiSdk(model), {}, { signal: other.signal });
    other.abort();
    expect(failureOf(await waiting).code).toBe('MODEL_ABORTED');
    await new Promise((turn) => setImmediate(() => setImmediate(turn)));
    process.off('unhandledRejection', hear);
    expect(unhandled).toEqual([]);
  });
});

describe('an error', () => {
  const call = { url: 'https://api.anthropic.com/v1/messages', requestBodyValues: {} };

  it.each<[string, Error, object]>([
    [
      'a rate limit with a wait',
      new APICallError({
        ...call,
        message: 'Too many requests',
        statusCode: 429,
        responseHeaders: { 'retry-after': '7' },
        responseBody: '{"type":"error","error":{"type":"rate_limit_error","message":"Slow down."}}',
      }),
      { code: 'MODEL_RATE_LIMITED', retryAfter: 7_000, message: expect.stringContaining('Slow down.') },
    ],
    [
      'a wait that is too long',
      new APICallError({ ...call, message: 'busy', statusCode: 529, responseHeaders: { 'retry-after': '3600' } }),
      { code: 'MODEL_UNAVAILABLE', retry: 'never', message: expect.stringContaining('max_retry_after') },
    ],
    [
      'a missing key',
      new LoadAPIKeyError({ message: 'Anthropic API key is missing.' }),
      {
        code: 'MODEL_NOT_CONFIGURED',
        retry: 'never',
        message: expect.stringContaining('Anthropic API key is missing.'),
      },
    ],
    [
      'an unknown model',
      new NoSuchModelError({ modelId: 'claude-9', modelType: 'languageModel' }),
      { code: 'MODEL_REQUEST_REFUSED', retry: 'never' },
    ],
    [
      'a server that cannot be reached',
      new APICallError({
        ...call,
        message: 'Cannot connect to API: connect ECONNREFUSED',
        cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
      }),
      { code: 'MODEL_UNAVAILABLE', retry: 'may', message: expect.stringContaining('ECONNREFUSED') },
    ],
    ['an error of the provider itself', new Error('no region'), { code: 'MODEL_UNAVAILABLE' }],
  ])('is explained: %s', async (_, thrown, expected) => {
    const model = new MockLanguageModelV4({
      doGenerate: async () => {
        throw thrown;
      },
    });
    const asked = await ask(fromAiSdk(model));
    expect(failureOf(asked)).toMatchObject(expected);
    expect(asked).not.toHaveProperty('error.usage');
  });

  it('costs nothing when the connection was refused, and when a feature was', async () => {
    const closed = await openModelServer();
    await closed.close();
    const gone = createOpenAICompatible({ name: 'house', baseURL: closed.url });
    const unreached = await ask(fromAiSdk(gone('scripted')));
    expect(failureOf(unreached)).toMatchObject({ code: 'MODEL_UNAVAILABLE', retry: 'may' });
    expect(billOfResult(unreached)).toEqual({});
    const message = 'temperature is not supported with this model';
    const thrown = new APICallError({ ...call, message, statusCode: 400 });
    const refusing = new MockLanguageModelV4({
      doGenerate: async () => {
        throw thrown;
      },
    });
    const refused = await ask(fromAiSdk(refusing), { temperature: 0 });
    expect(failureOf(refused).code).toBe('MODEL_FORMAT_UNSUPPORTED');
    expect(billOfResult(refused)).toEqual({});
  });

  it('in a stream is explained, and the text before it is charged', async () => {
    const chunk = { choices: [{ index: 0, delta: { content: 'Once' }, finish_reason: null }] };
    const error = { message: 'upstream is busy', type: 'server_error', code: 429 };
    await answering(rawEvents(chunk, { error }), async (_, url) => {
      const provider = createOpenAICompatible({ name: 'house', baseURL: url });
      const asked = await ask(fromAiSdk(provider('scripted')), {}, listening);
      const failure = failureOf(asked);
      expect(failure).toMatchObject({ retry: 'may', message: expect.stringContaining('upstream is busy') });
      expect(asked).toHaveProperty('error.usage.estimated', true);
    });
  });

  it('is a timeout when the provider takes too long, or when its stream stalls', async () => {
    const never = new Promise<never>(() => {});
    const slow = new MockLanguageModelV4({ doGenerate: () => never });
    expect(failureOf(await ask(fromAiSdk(slow, { timeout: 30 })))).toMatchObject({
      code: 'MODEL_TIMEOUT',
      retry: 'may',
    });
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      start: (controller) => controller.enqueue({ type: 'text-delta', id: '0', delta: 'Once upon' }),
    });
    const stalled = new MockLanguageModelV4({ doStream: async () => ({ stream }) });
    const asked = await ask(fromAiSdk(stalled, { stallTimeout: 30 }), {}, listening);
    expect(failureOf(asked).message).toContain('stall_timeout');
    expect(asked).toHaveProperty('error.usage.estimated', true);
  });
});
