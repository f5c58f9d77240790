// Models of the AI SDK that answer from a script: the mocks of the SDK itself, in versions 4 and 3.
import {
  APICallError,
  type LanguageModelV3,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4Content,
  type LanguageModelV4GenerateResult,
  type LanguageModelV4StreamPart,
  type LanguageModelV4Usage,
} from '@ai-sdk/provider';
import { MockLanguageModelV3, MockLanguageModelV4 } from 'ai/test';
import { estimateTokens } from '../../src/context/tokens.ts';
import {
  piecesOf,
  playScript,
  type Script,
  type ScriptedAsk,
  type ScriptedFailure,
  type ScriptPlayer,
  type ScriptReply,
  type SpokenReply,
  unscripted,
} from '../../src/llm/script.ts';

export function mockV4(script: Script): LanguageModelV4 {
  const player = playScript(script);
  return new MockLanguageModelV4({
    provider: 'mock.chat',
    modelId: 'scripted',
    doGenerate: async (options) => generated(player, options),
    doStream: async (options) => ({ stream: streamed(player, options) }),
  });
}

/** Version 3 has the same results, without `structuredOutputText`. */
export function mockV3(script: Script): LanguageModelV3 {
  const player = playScript(script);
  return new MockLanguageModelV3({
    provider: 'mock.chat',
    modelId: 'scripted',
    doGenerate: async (options) => ({
      ...(await generated(player, options as LanguageModelV4CallOptions)),
      warnings: [],
    }),
    doStream: async (options) => ({ stream: streamed(player, options as LanguageModelV4CallOptions) }),
  } as ConstructorParameters<typeof MockLanguageModelV3>[0]);
}

const call = { url: 'https://api.example.com/v1', requestBodyValues: {} };

function replyTo(player: ScriptPlayer, options: LanguageModelV4CallOptions): ScriptReply {
  const ask = askOf(options);
  const reply = player.next(ask);
  if (reply !== undefined) return reply;
  return { fail: { status: 400, message: unscripted(ask), code: 'script_exhausted' } };
}

async function generated(
  player: ScriptPlayer,
  options: LanguageModelV4CallOptions,
): Promise<LanguageModelV4GenerateResult> {
  const reply = replyTo(player, options);
  // The mock does not heed the signal.
  if ('fail' in reply && 'stall' in reply.fail) await new Promise(() => {});
  if ('fail' in reply) throw errorOf(reply.fail);
  return {
    content: contentOf(reply, askOf(options)),
    finishReason: finishOf(reply),
    usage: usageOf(reply, options),
    warnings: [],
    response: { id: 'resp-1', modelId: 'scripted', timestamp: new Date(0) },
  };
}

function errorOf(fail: ScriptedFailure): Error {
  if ('garbage' in fail) {
    return new APICallError({ ...call, message: 'Invalid JSON response', statusCode: 200, isRetryable: false });
  }
  if ('status' in fail) {
    const { status, message = `refused with ${status}`, code, retryAfter } = fail;
    return new APICallError({
      ...call,
      message,
      statusCode: status,
      responseBody: JSON.stringify({ error: { message, code } }),
      ...(retryAfter === undefined ? {} : { responseHeaders: { 'retry-after-ms': `${retryAfter}` } }),
    });
  }
  return new TypeError('terminated', {
    cause: Object.assign(new Error('other side closed'), { code: 'UND_ERR_SOCKET' }),
  });
}

function streamed(
  player: ScriptPlayer,
  options: LanguageModelV4CallOptions,
): ReadableStream<LanguageModelV4StreamPart> {
  const reply = replyTo(player, options);
  if (!('fail' in reply)) {
    const parts = partsOf(reply, options);
    return new ReadableStream({
      start(controller) {
        for (const part of parts) controller.enqueue(part);
        controller.close();
      },
    });
  }
  const { fail } = reply;
  if (!('cut' in fail) && !('stall' in fail)) throw errorOf(fail);
  const pieces = [...piecesOf('cut' in fail ? fail.cut : fail.stall)];
  return new ReadableStream({
    pull(controller) {
      const delta = pieces.shift();
      if (delta !== undefined) return controller.enqueue({ type: 'text-delta', id: 't', delta });
      if ('cut' in fail) return controller.error(errorOf(fail));
      return new Promise(() => {});
    },
  });
}

function partsOf(reply: SpokenReply, options: LanguageModelV4CallOptions): readonly LanguageModelV4StreamPart[] {
  const parts: LanguageModelV4StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    { type: 'response-metadata', id: 'resp-1', modelId: 'scripted' },
  ];
  for (const [at, part] of contentOf(reply, askOf(options)).entries()) {
    const id = String(at);
    if (part.type === 'text') {
      parts.push({ type: 'text-start', id });
      for (const delta of piecesOf(part.text)) parts.push({ type: 'text-delta', id, delta });
      parts.push({ type: 'text-end', id });
    }
    if (part.type === 'tool-call') {
      parts.push({ type: 'tool-input-start', id, toolName: part.toolName });
      parts.push({ type: 'tool-input-delta', id, delta: part.input });
      parts.push({ type: 'tool-input-end', id });
      parts.push(part);
    }
  }
  parts.push({ type: 'finish', finishReason: finishOf(reply), usage: usageOf(reply, options) });
  return parts;
}

function contentOf(reply: SpokenReply, { called }: ScriptedAsk): LanguageModelV4Content[] {
  const text = 'json' in reply ? JSON.stringify(reply.json) : 'refusal' in reply ? reply.refusal : reply.text;
  const calls = 'toolCalls' in reply ? reply.toolCalls : [];
  return [
    ...(text === undefined || text === '' ? [] : [{ type: 'text' as const, text }]),
    ...calls.map(({ id, name, arguments: given }, at) => ({
      type: 'tool-call' as const,
      toolCallId: id ?? `call_${called + at + 1}`,
      toolName: name,
      input: typeof given === 'string' ? given : JSON.stringify(given),
    })),
  ];
}

function finishOf(reply: SpokenReply): LanguageModelV4GenerateResult['finishReason'] {
  if (reply.finish === 'length') return { unified: 'length', raw: 'max_tokens' };
  if (reply.finish === 'filter') return { unified: 'content-filter', raw: 'SAFETY' };
  if ('refusal' in reply) return { unified: 'content-filter', raw: 'refusal' };
  return 'toolCalls' in reply ? { unified: 'tool-calls', raw: 'tool_use' } : { unified: 'stop', raw: 'end_turn' };
}

function usageOf({ usage }: SpokenReply, options: LanguageModelV4CallOptions): LanguageModelV4Usage {
  if (usage === 'untold') {
    return {
      inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    };
  }
  const { input, cached, output } = usage ?? { input: estimateTokens(JSON.stringify(options.prompt)), output: 10 };
  return {
    inputTokens: { total: input, noCache: undefined, cacheRead: cached, cacheWrite: undefined },
    outputTokens: { total: output, text: output, reasoning: undefined },
  };
}

/** The request as scripts test it. */
function askOf({ prompt, tools = [] }: LanguageModelV4CallOptions): ScriptedAsk {
  const messages = prompt.map((message) => ({
    role: message.role,
    content:
      typeof message.content === 'string'
        ? message.content
        : message.content
            .map((part) => {
              if (part.type === 'text') return part.text;
              return part.type === 'tool-result' && part.output.type === 'text' ? part.output.value : '';
            })
            .join(''),
  }));
  const called = prompt.flatMap(({ role, content }) =>
    role === 'assistant' ? content.filter((part) => part.type === 'tool-call') : [],
  ).length;
  return { model: 'scripted', messages, tools: tools.map(({ name }) => name), called };
}
