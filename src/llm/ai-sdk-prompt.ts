// The conversation as a prompt of the AI SDK.
import type {
  LanguageModelV4Message,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import { isJsonArray, isJsonObject, type Json, ownProperty } from '../base/json.ts';
import type { Message } from '../model/request.ts';
import { NO_ANSWER } from './chat-message.ts';
import { type DataSource, dataFor } from './provider-data.ts';

type AssistantMessage = Extract<Message, { role: 'assistant' }>;
type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

export interface PromptOptions {
  /** The provider and the model that the prompt goes to. */
  readonly to: DataSource;
  /** False for a server that refuses the reasoning of its earlier replies. */
  readonly sendsReasoning: boolean;
}

export function aiSdkPrompt(messages: readonly Message[], options: PromptOptions): LanguageModelV4Message[] {
  const names = new Map<string, string>();
  const prompt: LanguageModelV4Message[] = [];
  for (const message of messages) {
    switch (message.role) {
      case 'system':
        prompt.push({ role: 'system', content: message.content });
        break;
      case 'user':
        prompt.push({ role: 'user', content: [{ type: 'text', text: message.content }] });
        break;
      case 'assistant':
        for (const { id, name } of message.toolCalls ?? []) names.set(id, name);
        prompt.push({ role: 'assistant', content: assistantContent(message, options) });
        break;
      case 'tool':
        addResult(prompt, {
          type: 'tool-result',
          toolCallId: message.callId,
          toolName: names.get(message.callId) ?? '',
          output: { type: 'text', value: message.content },
        });
    }
  }
  return prompt;
}

/** The results of one reply's calls are one message. */
function addResult(prompt: LanguageModelV4Message[], part: LanguageModelV4ToolResultPart): void {
  const last = prompt.at(-1);
  if (last?.role === 'tool') last.content.push(part);
  else prompt.push({ role: 'tool', content: [part] });
}

function assistantContent(message: AssistantMessage, { to, sendsReasoning }: PromptOptions): AssistantContent {
  const kept = keptContent(message, to)?.filter((part) => sendsReasoning || !isReasoning(part));
  if (kept !== undefined && kept.length > 0) return JSON.parse(JSON.stringify(kept));
  const { content, toolCalls = [] } = message;
  const calls = toolCalls.map(
    ({ id, name, arguments: given }): LanguageModelV4ToolCallPart => ({
      type: 'tool-call',
      toolCallId: id,
      toolName: name,
      // Some providers take objects only; the result of such a call says what was wrong.
      input: isJsonObject(given) ? given : {},
    }),
  );
  const text = content === '' && calls.length === 0 ? NO_ANSWER : content;
  return [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls];
}

/** The parts of the reply that this message repeats, if they are of this model and hold the same calls. */
function keptContent(message: AssistantMessage, to: DataSource): readonly Json[] | undefined {
  const { content } = dataFor(message, to);
  if (!isJsonArray(content)) return undefined;
  const called = content.filter((part) => ownProperty(part, 'type') === 'tool-call');
  const calls = message.toolCalls ?? [];
  const isSame =
    called.length === calls.length && calls.every(({ id }, at) => ownProperty(called[at], 'toolCallId') === id);
  return isSame ? content : undefined;
}

/** True when the messages hold reasoning that would be sent back. */
export function holdsReasoningParts(messages: readonly Message[], to: DataSource): boolean {
  return messages.some(
    (message) => message.role === 'assistant' && keptContent(message, to)?.some(isReasoning) === true,
  );
}

function isReasoning(part: Json): boolean {
  return ownProperty(part, 'type') === 'reasoning';
}
