// Estimates the token usage of a request, for servers that do not report it.
import type { CountTokens } from '../context/tokens.ts';
import type { ModelReply, Usage } from '../model/reply.ts';
import type { Message, ModelRequest } from '../model/request.ts';

/** Tokens that providers add around each message. */
const FRAME = 4;

export function estimatedUsage(request: ModelRequest, answered: string, count: CountTokens): Usage {
  return { input: inputTokens(request, count), output: count(answered), estimated: true };
}

function inputTokens({ messages, tools = [], answer }: ModelRequest, count: CountTokens): number {
  const said = messages.reduce((sum, message) => sum + FRAME + count(wordsOf(message)), FRAME);
  const offered = tools.length === 0 ? 0 : count(JSON.stringify(tools));
  return said + offered + (answer === undefined ? 0 : count(JSON.stringify(answer.schema)));
}

function wordsOf(message: Message): string {
  if (message.role !== 'assistant' || message.toolCalls === undefined) return message.content;
  return message.content + JSON.stringify(message.toolCalls);
}

/** The number of tool calls in the conversation so far. */
export function callsBefore({ messages }: ModelRequest): number {
  return messages.reduce((sum, each) => sum + (each.role === 'assistant' ? (each.toolCalls?.length ?? 0) : 0), 0);
}

/** All text that the model wrote. */
export function writtenIn({ text, toolCalls }: Omit<ModelReply, 'usage'>): string {
  return toolCalls === undefined ? text : text + JSON.stringify(toolCalls);
}
