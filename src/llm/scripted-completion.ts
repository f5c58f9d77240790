// Renders a scripted reply as the chat completion of a server.
import { defined, type Json, type JsonObject } from '../base/json.ts';
import type { CountTokens } from '../context/tokens.ts';
import type { ScriptedAsk, ScriptedCall, ScriptedUsage, SpokenReply } from './script.ts';

/** A fixed time, so that every replay is the same. */
const CREATED = 1_790_000_000;

export function completionOf(reply: SpokenReply, ask: ScriptedAsk, turn: number, count: CountTokens): JsonObject {
  const content = contentOf(reply);
  const calls = 'toolCalls' in reply ? reply.toolCalls : [];
  const toolCalls = calls.map((call, index) => callJson(call, ask.called + index + 1));
  const message = {
    role: 'assistant',
    content: content === '' && toolCalls.length > 0 ? null : content,
    refusal: 'refusal' in reply ? reply.refusal : null,
    ...defined({ reasoning_content: reply.reasoning }),
    ...(toolCalls.length === 0 ? {} : { tool_calls: toolCalls }),
  };
  const counted = {
    input: ask.messages.reduce((sum, each) => sum + count(each.content), 0),
    output: count(JSON.stringify(message)),
  };
  return {
    id: `chatcmpl-${turn}`,
    object: 'chat.completion',
    created: CREATED,
    model: ask.model,
    choices: [{ index: 0, message, finish_reason: finishOf(reply, toolCalls.length) }],
    ...(reply.usage === 'untold' ? {} : { usage: usageJson(reply.usage ?? counted) }),
  };
}

function contentOf(reply: SpokenReply): string {
  if ('json' in reply) return JSON.stringify(reply.json);
  return 'text' in reply ? (reply.text ?? '') : '';
}

function callJson({ id, name, arguments: given }: ScriptedCall, number: number): JsonObject {
  const text = typeof given === 'string' ? given : JSON.stringify(given);
  return { id: id ?? `call_${number}`, type: 'function', function: { name, arguments: text } };
}

function finishOf({ finish }: SpokenReply, calls: number): Json {
  if (finish === 'filter') return 'content_filter';
  return finish ?? (calls > 0 ? 'tool_calls' : 'stop');
}

function usageJson({ input, cached = 0, output, reasoning = 0 }: ScriptedUsage): JsonObject {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    prompt_tokens_details: { cached_tokens: cached },
    ...(reasoning === 0 ? {} : { completion_tokens_details: { reasoning_tokens: reasoning } }),
  };
}
