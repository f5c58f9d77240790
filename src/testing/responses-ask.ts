// Reads a request to the Responses API of the test server, and refuses what OpenAI refuses in a conversation.
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import type { ScriptedAsk } from '../llm/script.ts';

/** Undefined when the body is no request of this API. */
export function readResponsesAsk(body: Json): ScriptedAsk | undefined {
  const model = ownProperty(body, 'model');
  const input = ownProperty(body, 'input');
  const instructions = ownProperty(body, 'instructions');
  const items = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
  if (typeof model !== 'string' || !isJsonArray(items)) return undefined;
  const tools = ownProperty(body, 'tools');
  const names = isJsonArray(tools) ? tools.map((tool) => ownProperty(tool, 'name')) : [];
  const system = typeof instructions === 'string' ? [{ role: 'system', content: instructions }] : [];
  return {
    model,
    messages: [...system, ...items.reduce<readonly SpokenMessage[]>(addItem, [])],
    tools: names.filter((name) => typeof name === 'string'),
    called: items.filter((item) => ownProperty(item, 'type') === 'function_call').length,
  };
}

interface SpokenMessage {
  readonly role: string;
  readonly content: string;
}

/** All items of one reply are one message of the assistant. */
function addItem(messages: readonly SpokenMessage[], item: Json): readonly SpokenMessage[] {
  const message = messageOf(item);
  const last = messages.at(-1);
  if (message.role !== 'assistant' || last?.role !== 'assistant') return [...messages, message];
  return [...messages.slice(0, -1), { role: 'assistant', content: last.content + message.content }];
}

function messageOf(item: Json): SpokenMessage {
  const type = ownProperty(item, 'type');
  if (type === 'function_call_output') return { role: 'tool', content: String(ownProperty(item, 'output')) };
  if (type === 'function_call' || type === 'reasoning') return { role: 'assistant', content: '' };
  return { role: String(ownProperty(item, 'role')), content: textOf(ownProperty(item, 'content')) };
}

function textOf(content: Json | undefined): string {
  if (!isJsonArray(content)) return typeof content === 'string' ? content : '';
  return content.map((part) => ownProperty(part, 'text') ?? '').join('');
}

/** The message of OpenAI about an item of the conversation that lacks another, or that is not stored. */
export function lostItem({ input }: JsonObject): string | undefined {
  const items = isJsonArray(input) ? input.filter(isJsonObject) : [];
  const calls = items.filter(({ type }) => type === 'function_call').map((item) => item.call_id);
  const outputs = items.filter(({ type }) => type === 'function_call_output').map((item) => item.call_id);
  const bare = items.find(
    ({ type, encrypted_content }) => type === 'reasoning' && typeof encrypted_content !== 'string',
  );
  if (bare !== undefined) {
    return `Item with id '${bare.id}' not found. Items are not persisted when \`store\` is set to false.`;
  }
  const unasked = outputs.find((id) => !calls.includes(id ?? null));
  if (unasked !== undefined) return `No tool call found for function call output with call_id ${unasked}.`;
  const unanswered = calls.find((id) => !outputs.includes(id ?? null));
  return unanswered === undefined ? undefined : `No tool output found for function call ${unanswered}.`;
}
