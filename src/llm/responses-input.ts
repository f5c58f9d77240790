// The conversation as input of the Responses API: messages, tool calls and their results as items.
import type OpenAI from 'openai';
import { isJsonArray, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import type { Message } from '../model/request.ts';
import { argumentsText } from './call-arguments.ts';
import { type DataSource, dataFor } from './provider-data.ts';

type Item = OpenAI.Responses.ResponseInputItem;
type AssistantMessage = Extract<Message, { role: 'assistant' }>;

export interface InputOptions {
  /** The server and the model that the request goes to. */
  readonly to: DataSource;
  /** False for a server that refuses the items of its earlier replies. */
  readonly sendsReasoning: boolean;
}

export function inputItems(messages: readonly Message[], options: InputOptions): Item[] {
  return messages.flatMap((message) => itemsOf(message, options));
}

function itemsOf(message: Message, options: InputOptions): readonly Item[] {
  switch (message.role) {
    case 'system':
    case 'user':
      return [{ role: message.role, content: message.content }];
    case 'tool':
      return [{ type: 'function_call_output', call_id: message.callId, output: message.content }];
    case 'assistant':
      return assistantItems(message, options);
  }
}

function assistantItems(message: AssistantMessage, { to, sendsReasoning }: InputOptions): readonly Item[] {
  const output = outputOf(message, to);
  // The provider sent these items itself.
  if (output !== undefined && sendsReasoning) return JSON.parse(JSON.stringify(output));
  const { content, toolCalls = [] } = message;
  const calls = toolCalls.map(({ id, name, arguments: given }) => ({
    type: 'function_call' as const,
    call_id: id,
    name,
    arguments: argumentsText(given),
  }));
  return [...(content === '' && calls.length > 0 ? [] : [{ role: 'assistant' as const, content }]), ...calls];
}

/** True when the messages hold items of earlier replies that would be sent back. */
export function holdsOutput(messages: readonly Message[], to: DataSource): boolean {
  return messages.some((message) => message.role === 'assistant' && outputOf(message, to) !== undefined);
}

/**
 * The items of the reply that this message repeats, if this server and model can read them again: a call needs its result,
 * and reasoning its encrypted content, because nothing is stored on the server.
 */
function outputOf(message: AssistantMessage, to: DataSource): readonly Json[] | undefined {
  const output = dataFor(message, to).output;
  if (!isJsonArray(output) || !output.every(isComplete)) return undefined;
  const called = callIds(output);
  const kept = (message.toolCalls ?? []).map(({ id }) => id);
  return called.length === kept.length && called.every((id, at) => id === kept[at]) ? output : undefined;
}

function callIds(output: readonly Json[]): readonly Json[] {
  return output
    .filter((item) => ownProperty(item, 'type') === 'function_call')
    .map((item) => ownProperty(item, 'call_id') ?? null);
}

function isComplete(item: Json): item is JsonObject {
  return ownProperty(item, 'type') !== 'reasoning' || typeof ownProperty(item, 'encrypted_content') === 'string';
}
