// The messages of a chat completion.
import type OpenAI from 'openai';
import { isJsonArray, ownProperty } from '../base/json.ts';
import type { Message } from '../model/request.ts';
import { argumentsText } from './call-arguments.ts';
import { callData, type DataSource, dataFor, sentBack } from './provider-data.ts';

export interface MessageOptions {
  /** The server and the model that the messages go to. */
  readonly to: DataSource;
  /** False for a server that refuses the reasoning of its earlier replies. */
  readonly sendsReasoning: boolean;
}

export function chatMessage(message: Message, options: MessageOptions): OpenAI.ChatCompletionMessageParam {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: message.content };
    case 'tool':
      return { role: 'tool', tool_call_id: message.callId, content: message.content };
    case 'assistant':
      return assistantMessage(message, options);
  }
}

/** Stands for an answer without any text. */
export const NO_ANSWER = '(no answer)';

function assistantMessage(
  message: Extract<Message, { role: 'assistant' }>,
  { to, sendsReasoning }: MessageOptions,
): OpenAI.ChatCompletionAssistantMessageParam {
  const { content, toolCalls = [] } = message;
  const data = dataFor(message, to);
  const parts = ownProperty(data, 'content');
  // Anthropic and Mistral refuse an answer that is empty.
  const told = content === '' ? (toolCalls.length > 0 ? null : NO_ANSWER) : content;
  const calls = toolCalls.map(({ id, name, arguments: given }) => ({
    id,
    type: 'function' as const,
    function: { name, arguments: argumentsText(given) },
    ...callData(data, id),
  }));
  return {
    role: 'assistant',
    content: told,
    ...(sendsReasoning ? sentBack(data, toolCalls.length > 0) : {}),
    // Parts of a kind that only this server knows, such as `thinking`.
    ...(sendsReasoning && isJsonArray(parts) ? { content: JSON.parse(JSON.stringify(parts)) } : {}),
    ...(calls.length === 0 ? {} : { tool_calls: calls }),
  };
}

/** True for tool calls without data of this server, which may be those of another model. */
export function isOfAnother(message: Message, to: DataSource): boolean {
  if (message.role !== 'assistant' || message.toolCalls === undefined) return false;
  return Object.keys(dataFor(message, to)).length === 0;
}

/** True when the messages hold reasoning that would be sent back. */
export function holdsReasoning(messages: readonly Message[], to: DataSource): boolean {
  return messages.some((message) => {
    if (message.role !== 'assistant') return false;
    const { extra_content: _, calls: __, output: ___, fields: ____, ...reasoning } = dataFor(message, to);
    return Object.keys(reasoning).length > 0;
  });
}
