// The chat completions endpoint of the test server: scripted replies, whole or streamed, and scripted failures.
import type { ServerResponse } from 'node:http';
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import type { CountTokens } from '../context/tokens.ts';
import type { ScriptedAsk, ScriptPlayer, SpokenReply } from '../llm/script.ts';
import { unscripted } from '../llm/script.ts';
import { completionOf } from '../llm/scripted-completion.ts';
import { chunkOf, chunksOf, sendChunk } from './chat-chunks.ts';
import { beginStream, sendFailure } from './scripted-failure.ts';
import { sendError, sendJson } from './send-json.ts';
import { refusalOf } from './servers/check-request.ts';
import { inFormOf } from './servers/reply-form.ts';
import { traitsOf } from './servers/request-traits.ts';
import type { ServerTraits } from './servers/server-traits.ts';

export interface ChatContext {
  readonly player: ScriptPlayer;
  readonly traits: ServerTraits;
  /** Replies get the form of this server, and JSON that nobody asked for in a format stands between words. */
  readonly isLike: boolean;
  /** The number of the request, from 1. */
  readonly turn: number;
  readonly count: CountTokens;
}

export function answerChat(response: ServerResponse, body: Json, context: ChatContext): void {
  const { player, traits, isLike, turn, count } = context;
  const ask = readAsk(body);
  if (!isJsonObject(body) || ask === undefined) {
    return sendError(response, traits.errors, {
      status: 400,
      message: 'the body is no chat completion: it needs `model` and `messages`',
    });
  }
  const refused = refusalOf(body, traits);
  if (refused !== undefined) return sendError(response, traits.errors, refused);
  const reply = player.next(ask);
  if (reply === undefined) {
    return sendError(response, traits.errors, { status: 400, message: unscripted(ask), code: 'script_exhausted' });
  }
  const streams = body.stream === true;
  if ('fail' in reply) {
    const about = { id: `chatcmpl-${turn}`, object: 'chat.completion.chunk' };
    return sendFailure(response, reply.fail, {
      errors: traits.errors,
      beginning: '{"choices":[{"message":{"content":',
      sendPiece: streams ? (content) => sendChunk(response, chunkOf(about, { content })) : undefined,
    });
  }
  const spoken = isLike ? asSpokenBy(traits, body, reply) : reply;
  const plain = completionOf(spoken, ask, turn, count);
  const completion = isLike ? inFormOf(plain, traits, turn) : plain;
  if (!streams) return sendJson(response, 200, completion);
  beginStream(response);
  const tellsUsage =
    traits.usage.isAlwaysStreamed === true || ownProperty(body.stream_options, 'include_usage') === true;
  const chunks = chunksOf(completion, tellsUsage);
  for (const chunk of chunks) sendChunk(response, chunk);
  response.end('data: [DONE]\n\n');
}

function readAsk(body: Json): ScriptedAsk | undefined {
  const model = ownProperty(body, 'model');
  const messages = ownProperty(body, 'messages');
  if (typeof model !== 'string' || !isJsonArray(messages)) return undefined;
  const tools = ownProperty(body, 'tools');
  const offered = isJsonArray(tools) ? tools.map((tool) => ownProperty(ownProperty(tool, 'function'), 'name')) : [];
  const calls = messages.map((message) => ownProperty(message, 'tool_calls'));
  return {
    model,
    messages: messages.map((message) => ({
      role: String(ownProperty(message, 'role')),
      content: String(ownProperty(message, 'content') ?? ''),
    })),
    tools: offered.filter((name) => typeof name === 'string'),
    called: calls.reduce<number>((sum, each) => sum + (isJsonArray(each) ? each.length : 0), 0),
  };
}

/** The reply as the model of this server gives it: it heeds only formats that the server keeps to. */
function asSpokenBy(traits: ServerTraits, body: JsonObject, reply: SpokenReply): SpokenReply {
  const used = traitsOf(body);
  if ('toolCalls' in reply) {
    if (traits.neverCallsBesideFormat !== true || !used.has('tools_with_format')) return reply;
    const { toolCalls: _, text: __, ...rest } = reply;
    return { ...rest, json: {} };
  }
  if (!('json' in reply)) return reply;
  const schema = JSON.stringify(ownProperty(body.response_format, 'json_schema') ?? '');
  const isDropped = traits.dropsSchemasWith?.some((word) => schema.includes(`"${word}":`)) === true;
  if ((used.has('json_schema') && !isDropped) || used.has('json_object')) return reply;
  const { json, ...rest } = reply;
  return { ...rest, text: `Here is my answer:\n\n\`\`\`json\n${JSON.stringify(json, null, 2)}\n\`\`\`\n` };
}
