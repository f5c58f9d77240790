// Keeps data of a chat server that it wants to read again, such as reasoning and thought signatures.
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import type { Message, ProviderData, ToolCall } from '../model/request.ts';

/** The server and the model that a request goes to. */
export type DataSource = ProviderData['from'];

/** Keys of a message that hold reasoning. */
const reasoningKeys = ['reasoning_content', 'reasoning', 'reasoning_details', 'thinking_blocks'] as const;

/** The source of a connection. The query of an address may hold a key, so it is left out. */
export function dataSource(baseUrl: string, model: string): DataSource {
  return { baseUrl: baseUrl.replace(/\?.*$/, ''), model };
}

/**
 * The data of a reply: `reasoning*`, `thinking_blocks` and `extra_content` of the message, its `content` when that holds
 * parts which are no text, `calls`, the `extra_content` of each tool call by the id of the call, and `fields`, the
 * `provider_specific_fields` by which LiteLLM hands on such data.
 */
export function readProviderData(
  message: JsonObject,
  calls: readonly ToolCall[],
  from: DataSource,
): ProviderData | undefined {
  const data: Record<string, Json> = {};
  for (const key of [...reasoningKeys, 'extra_content'] as const) {
    const value = message[key];
    if (value !== undefined && value !== null && value !== '') data[key] = value;
  }
  const details = ownProperty(message.provider_specific_fields, 'reasoning_details');
  if (isJsonArray(details)) data.reasoning_details ??= details;
  if (hasOtherParts(message.content)) data.content = message.content;
  const perCall = dataOfCalls('extra_content', message.tool_calls, calls);
  if (Object.keys(perCall).length > 0) data.calls = perCall;
  const fields = dataOfCalls('provider_specific_fields', message.tool_calls, calls);
  if (Object.keys(fields).length > 0) data.fields = fields;
  return Object.keys(data).length === 0 ? undefined : { from, data };
}

function hasOtherParts(content: Json | undefined): content is Json {
  return isJsonArray(content) && content.some((part) => ownProperty(part, 'type') === 'thinking');
}

function dataOfCalls(key: string, said: Json | undefined, calls: readonly ToolCall[]): Record<string, Json> {
  const found: Record<string, Json> = {};
  if (!isJsonArray(said)) return found;
  // Calls without a name are left out of a reply.
  const named = said.filter((call) => typeof ownProperty(ownProperty(call, 'function'), 'name') === 'string');
  calls.forEach(({ id }, at) => {
    const data = ownProperty(named[at], key);
    if (data !== undefined && data !== null && Object.keys(data).length > 0) found[id] = data;
  });
  return found;
}

type AssistantMessage = Extract<Message, { role: 'assistant' }>;

/** The data of a message that this server and model sent; nothing when another one did. */
export function dataFor({ extra }: AssistantMessage, to: DataSource): JsonObject {
  if (extra === undefined || !isJsonObject(extra.data)) return {};
  const { from, data } = extra;
  return from.baseUrl === to.baseUrl && from.model === to.model ? data : {};
}

/**
 * The keys to add to a message that is sent back. Reasoning is wanted back beside tool calls, where DeepSeek refuses a
 * request without it; elsewhere only `reasoning_details` is, because text of reasoning would be paid for again.
 */
export function sentBack(data: JsonObject, hasCalls: boolean): JsonObject {
  const { reasoning_content, reasoning, reasoning_details, thinking_blocks, extra_content } = data;
  if (!hasCalls) return defined({ reasoning_details, extra_content });
  return defined({ reasoning_content, reasoning, reasoning_details, thinking_blocks, extra_content });
}

export function callData(data: JsonObject, id: string): JsonObject {
  const extra_content = ownProperty(data.calls, id);
  const provider_specific_fields = ownProperty(data.fields, id);
  return defined({ extra_content, provider_specific_fields });
}
