// The chat completions endpoint of the test server: scripted replies, whole or streamed, and scripted failures.
import type { ServerResponse } from 'node:http';
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import type { CountTokens } from '../context/tokens.ts';
import type { Feature } from '../llm/features.ts';
import type { ScriptedAsk, ScriptedFailure, ScriptPlayer } from '../llm/script.ts';
import { piecesOf, unscripted } from '../llm/script.ts';
import { completionOf } from '../llm/scripted-completion.ts';
import { refuse, sendJson } from './send-json.ts';

export interface ChatContext {
  readonly player: ScriptPlayer;
  readonly refuses: readonly Feature[];
  /** The number of the request, from 1. */
  readonly turn: number;
  readonly count: CountTokens;
}

export function answerChat(response: ServerResponse, body: Json, { player, refuses, turn, count }: ChatContext): void {
  const ask = readAsk(body);
  if (!isJsonObject(body) || ask === undefined) {
    return refuse(response, {
      status: 400,
      message: 'the body is no chat completion: it needs `model` and `messages`',
    });
  }
  const refused = refuses.find((feature) => uses(body, feature));
  if (refused !== undefined) return refuse(response, { status: 400, message: words[refused] });
  const reply = player.next(ask);
  if (reply === undefined) {
    return refuse(response, { status: 400, message: unscripted(ask), code: 'script_exhausted' });
  }
  const streams = body.stream === true;
  if ('fail' in reply) return fail(response, reply.fail, streams, `chatcmpl-${turn}`);
  const completion = completionOf(reply, ask, turn, count);
  if (!streams) return sendJson(response, 200, completion);
  beginStream(response);
  const chunks = chunksOf(completion, ownProperty(body.stream_options, 'include_usage') === true);
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

/** Refusals of unsupported features, as different vendors word them. */
const words: Readonly<Record<Feature, string>> = {
  json_schema: "'response_format' of type 'json_schema' is not supported with this model",
  json_object: "'response_format.type' must be 'text'",
  stream_options: 'body.stream_options: extra fields not permitted',
  max_tokens:
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  max_completion_tokens: 'Unrecognized request argument supplied: max_completion_tokens',
  tools: 'registry.ollama.ai/library/gemma3:270m does not support tools',
  tools_with_format: "Function calling with a response mime type: 'application/json' is unsupported",
  tools_with_reasoning:
    'Function tools with reasoning_effort are not supported for this model in /v1/chat/completions. Please use /v1/responses instead.',
  calls_without_tools: "Bedrock doesn't support tool calling without `tools=` param specified.",
  tool_choice: 'deepseek-reasoner does not support this tool_choice',
  parallel_tool_calls: "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
  temperature:
    "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.",
  top_p: '`temperature` and `top_p` cannot both be specified for this model. Please use only one.',
  seed: 'body.seed: Extra inputs are not permitted',
  reasoning_effort: "Unsupported parameter: 'reasoning_effort' is not supported with this model.",
  reasoning_sent_back: "'messages.1' : property 'reasoning_content' is unsupported",
};

function uses(body: JsonObject, feature: Feature): boolean {
  const hasTools = body.tools !== undefined;
  const messages = isJsonArray(body.messages) ? body.messages : [];
  switch (feature) {
    case 'json_schema':
    case 'json_object':
      return ownProperty(body.response_format, 'type') === feature;
    case 'tools_with_format':
      return hasTools && body.response_format !== undefined;
    case 'tools_with_reasoning':
      return hasTools && body.reasoning_effort !== 'none';
    case 'calls_without_tools':
      return !hasTools && messages.some((message) => ownProperty(message, 'tool_calls') !== undefined);
    case 'reasoning_sent_back':
      return messages.some((message) => ownProperty(message, 'reasoning_content') !== undefined);
    default:
      return Object.hasOwn(body, feature);
  }
}

function fail(response: ServerResponse, failure: ScriptedFailure, streams: boolean, id: string): void {
  if ('status' in failure) return refuse(response, failure);
  if ('garbage' in failure) {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end('<!doctype html><title>Welcome</title><p>This is not the server that you look for.');
    return;
  }
  const said = 'cut' in failure ? failure.cut : failure.stall;
  const end = 'cut' in failure ? () => response.destroy() : () => {};
  if (streams) {
    beginStream(response);
    for (const piece of piecesOf(said))
      sendChunk(response, chunkOf({ id, object: 'chat.completion.chunk' }, { content: piece }));
  } else {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"choices":[{"message":{"content":');
  }
  // The written part must be flushed before the connection ends.
  response.write('\n', end);
}

function beginStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
}

function sendChunk(response: ServerResponse, chunk: JsonObject): void {
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

function chunksOf(completion: JsonObject, tellsUsage: boolean): readonly JsonObject[] {
  const { choices, usage, ...named } = completion;
  const about = { ...named, object: 'chat.completion.chunk' };
  const choice = isJsonArray(choices) ? choices[0] : undefined;
  const message = ownProperty(choice, 'message');
  const calls = ownProperty(message, 'tool_calls');
  const deltas: JsonObject[] = [
    { role: 'assistant' },
    ...textDeltas(message, 'content'),
    ...textDeltas(message, 'refusal'),
    ...(isJsonArray(calls) ? calls.flatMap(callDeltas) : []),
  ];
  const last = chunkOf(about, {}, ownProperty(choice, 'finish_reason') ?? null);
  const told = tellsUsage && usage !== undefined ? [{ ...about, choices: [], usage }] : [];
  return [...deltas.map((delta) => chunkOf(about, delta)), last, ...told];
}

function textDeltas(message: Json | undefined, key: 'content' | 'refusal'): readonly JsonObject[] {
  const text = ownProperty(message, key);
  return typeof text === 'string' ? piecesOf(text).map((piece) => ({ [key]: piece })) : [];
}

/** Streams a tool call: its name first, then its arguments in pieces. */
function callDeltas(call: Json, index: number): readonly JsonObject[] {
  const called = ownProperty(call, 'function');
  const name = ownProperty(called, 'name') ?? '';
  const head = { index, id: ownProperty(call, 'id') ?? '', type: 'function', function: { name, arguments: '' } };
  const given = String(ownProperty(called, 'arguments'));
  const half = given.length >> 1;
  const pieces = [given.slice(0, half), given.slice(half)];
  return [head, ...pieces.map((piece) => ({ index, function: { arguments: piece } }))].map((each) => ({
    tool_calls: [each],
  }));
}

function chunkOf(about: JsonObject, delta: JsonObject, finish: Json = null): JsonObject {
  return { ...about, choices: [{ index: 0, delta, finish_reason: finish }] };
}
