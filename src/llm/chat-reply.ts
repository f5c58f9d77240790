// Reads the response to a chat completion, which may have any shape.

import { defined, isJsonArray, isJsonObject, type Json, ownProperty } from '../base/json.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { ModelReply } from '../model/reply.ts';
import type { ToolCall } from '../model/request.ts';
import { argumentsOf } from './call-arguments.ts';
import { plainTextReply, textOf } from './chat-text.ts';
import { readUsage } from './chat-usage.ts';
import { readProviderData } from './provider-data.ts';
import type { ParsedReply, ReplyContext } from './wire-api.ts';

/** Refused with a description of the response. */
export function readReply(answered: unknown, { callsBefore, from }: ReplyContext): Result<ParsedReply, string> {
  if (typeof answered === 'string') return bad(plainTextReply(answered));
  if (!isJsonObject(answered)) return bad('nothing');
  const choices = ownProperty(answered, 'choices');
  const choice = isJsonArray(choices) ? choices[0] : undefined;
  const message = ownProperty(choice, 'message');
  if (!isJsonObject(message)) return bad('JSON without a message in it');
  const refusal = textOf(message.refusal);
  const called = toolCallsOf(message.tool_calls, callsBefore);
  const finish = finishOf(ownProperty(choice, 'finish_reason'), refusal, called);
  const usage = readUsage(answered.usage);
  const extra = readProviderData(message, finish === 'tool_calls' ? called : [], from);
  const reply: Omit<ModelReply, 'usage'> = {
    text: finish === 'refusal' ? refusal : textOf(message.content),
    // The tool calls of a truncated response may be truncated themselves.
    ...(finish === 'tool_calls' ? { toolCalls: called } : {}),
    finish,
    ...(typeof answered.model === 'string' ? { model: answered.model } : {}),
    ...(typeof answered.id === 'string' ? { id: answered.id } : {}),
    ...defined({ extra }),
  };
  return good({ reply, ...defined({ usage }) });
}

function finishOf(said: Json | undefined, refusal: string, called: readonly ToolCall[]): ModelReply['finish'] {
  if (said === 'length') return 'length';
  if (said === 'content_filter') return 'filter';
  if (refusal !== '') return 'refusal';
  return called.length > 0 ? 'tool_calls' : 'stop';
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
