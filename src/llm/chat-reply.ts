// Reads the response to a chat completion, which may have any shape.

import { defined, isJsonArray, isJsonObject, type Json, ownProperty } from '../base/json.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { ModelReply, Usage } from '../model/reply.ts';
import type { ToolCall } from '../model/request.ts';

export interface ParsedReply {
  readonly reply: Omit<ModelReply, 'usage'>;
  /** Absent when the server did not report it. */
  readonly usage?: Usage;
}

/** Refused with a description of the response. @param callsBefore the number of earlier tool calls in the conversation, from which calls without an id are numbered */
export function readReply(answered: unknown, callsBefore: number): Result<ParsedReply, string> {
  if (typeof answered === 'string') return bad(`text that is no JSON${isPage(answered) ? ' but HTML' : ''}`);
  if (!isJsonObject(answered)) return bad('nothing');
  const choices = ownProperty(answered, 'choices');
  const choice = isJsonArray(choices) ? choices[0] : undefined;
  const message = ownProperty(choice, 'message');
  if (!isJsonObject(message)) return bad('JSON without a message in it');
  const refusal = textOf(message.refusal);
  const called = toolCallsOf(message.tool_calls, callsBefore);
  const finish = finishOf(ownProperty(choice, 'finish_reason'), refusal, called);
  const usage = readUsage(answered.usage);
  const reply: Omit<ModelReply, 'usage'> = {
    text: finish === 'refusal' ? refusal : textOf(message.content),
    // The tool calls of a truncated response may be truncated themselves.
    ...(finish === 'tool_calls' ? { toolCalls: called } : {}),
    finish,
    ...(typeof answered.model === 'string' ? { model: answered.model } : {}),
    ...(typeof answered.id === 'string' ? { id: answered.id } : {}),
  };
  return good({ reply, ...defined({ usage }) });
}

function isPage(text: string): boolean {
  return /^\s*<(?:!doctype|html)/i.test(text);
}

function finishOf(said: Json | undefined, refusal: string, called: readonly ToolCall[]): ModelReply['finish'] {
  if (said === 'length') return 'length';
  if (said === 'content_filter') return 'filter';
  if (refusal !== '') return 'refusal';
  return called.length > 0 ? 'tool_calls' : 'stop';
}

/** Some servers send text in parts. */
function textOf(content: Json | undefined): string {
  if (typeof content === 'string') return content;
  if (!isJsonArray(content)) return '';
  return content
    .map((part) => ownProperty(part, 'text'))
    .filter((text) => typeof text === 'string')
    .join('');
}

function toolCallsOf(calls: Json | undefined, callsBefore: number): readonly ToolCall[] {
  if (!isJsonArray(calls)) return [];
  return calls.flatMap((call, index) => {
    const called = ownProperty(call, 'function');
    const name = ownProperty(called, 'name');
    const id = ownProperty(call, 'id');
    if (typeof name !== 'string') return [];
    const own = typeof id === 'string' && id !== '' ? id : `call_${callsBefore + index + 1}`;
    return [{ id: own, name, arguments: argumentsOf(ownProperty(called, 'arguments')) }];
  });
}

function argumentsOf(given: Json | undefined): Json {
  if (given === undefined || given === '') return {};
  if (typeof given !== 'string') return given;
  try {
    return JSON.parse(given);
  } catch {
    return given;
  }
}

/** Undefined when the usage is missing or zero. */
export function readUsage(said: Json | undefined): Usage | undefined {
  const input = countOf(ownProperty(said, 'prompt_tokens'));
  const output = countOf(ownProperty(said, 'completion_tokens')) ?? 0;
  if (input === undefined || input + output === 0) return undefined;
  // Some servers count reasoning tokens only in the total.
  const total = countOf(ownProperty(said, 'total_tokens')) ?? 0;
  const cached = countOf(ownProperty(ownProperty(said, 'prompt_tokens_details'), 'cached_tokens')) ?? 0;
  return { input, ...(cached === 0 ? {} : { cached }), output: Math.max(output, total - input) };
}

function countOf(value: Json | undefined): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}
