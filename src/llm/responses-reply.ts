// Reads a response of the Responses API, which may have any shape.
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { ModelReply, Usage } from '../model/reply.ts';
import type { ToolCall } from '../model/request.ts';
import { argumentsOf } from './call-arguments.ts';
import { plainTextReply } from './chat-text.ts';
import { countOf } from './chat-usage.ts';
import type { ParsedReply, ReplyContext } from './wire-api.ts';

/** Refused with a description of the response. */
export function readResponse(answered: unknown, { callsBefore, from }: ReplyContext): Result<ParsedReply, string> {
  if (typeof answered === 'string') return bad(plainTextReply(answered));
  if (!isJsonObject(answered)) return bad('nothing');
  const { output, status } = answered;
  if (!isJsonArray(output)) return bad('JSON without an output in it');
  if (status === 'cancelled' || status === 'queued' || status === 'in_progress') {
    return bad(`a response that is not finished but ${status}`);
  }
  const refusal = partsOf(output, 'refusal').join('');
  const calls = toolCallsOf(output, callsBefore);
  const finish = finishOf(answered, refusal, calls);
  const usage = readResponseUsage(answered.usage);
  const isWhole = finish === 'stop' || finish === 'tool_calls';
  const reply: Omit<ModelReply, 'usage'> = {
    text: finish === 'refusal' ? refusal : answerIn(output),
    // The tool calls of a truncated response may be truncated themselves.
    ...(finish === 'tool_calls' ? { toolCalls: calls } : {}),
    finish,
    ...(typeof answered.model === 'string' ? { model: answered.model } : {}),
    ...(typeof answered.id === 'string' ? { id: answered.id } : {}),
    ...(isWhole && output.some(isOpaque) ? { extra: { from, data: { output } } } : {}),
  };
  return good({ reply, ...defined({ usage }) });
}

/** A response may end with a policy instead of an answer. */
const POLICY = /polic(?:y|ies)/i;

function finishOf(response: JsonObject, refusal: string, calls: readonly ToolCall[]): ModelReply['finish'] {
  const reason = ownProperty(response.incomplete_details, 'reason');
  if (reason === 'content_filter') return 'filter';
  if (response.status === 'incomplete') return 'length';
  if (response.status === 'failed') return 'filter';
  if (refusal !== '') return 'refusal';
  return calls.length > 0 ? 'tool_calls' : 'stop';
}

/** The error of a response that failed; a response that a policy ended is a reply, not an error. */
export function errorIn(answered: unknown): JsonObject | undefined {
  if (!isJsonObject(answered) || answered.status !== 'failed' || !isJsonObject(answered.error)) return undefined;
  return POLICY.test(String(answered.error.code)) && isJsonArray(answered.output) ? undefined : answered.error;
}

/** The text of the final answer. Newer models label what they say beside tool calls as commentary. */
function answerIn(output: readonly Json[]): string {
  const isCommentary = (item: Json): boolean => ownProperty(item, 'phase') === 'commentary';
  const final = partsOf(
    output.filter((item) => !isCommentary(item)),
    'text',
  );
  return (final.length > 0 ? final : partsOf(output, 'text')).join('');
}

function partsOf(output: readonly Json[], key: 'text' | 'refusal'): readonly string[] {
  return output
    .filter((item) => ownProperty(item, 'type') === 'message')
    .flatMap((item) => {
      const content = ownProperty(item, 'content');
      return isJsonArray(content) ? content.map((part) => ownProperty(part, key)) : [];
    })
    .filter((text) => typeof text === 'string');
}

function toolCallsOf(output: readonly Json[], callsBefore: number): readonly ToolCall[] {
  return output
    .filter((item) => ownProperty(item, 'type') === 'function_call')
    .flatMap((item, index) => {
      const [name, id] = [ownProperty(item, 'name'), ownProperty(item, 'call_id')];
      if (typeof name !== 'string') return [];
      const own = typeof id === 'string' && id !== '' ? id : `call_${callsBefore + index + 1}`;
      return [{ id: own, name, arguments: argumentsOf(ownProperty(item, 'arguments')) }];
    });
}

/** Items that messages and tool calls cannot express, such as reasoning and the phase of a message. */
function isOpaque(item: Json): boolean {
  const type = ownProperty(item, 'type');
  if (type === 'message') return typeof ownProperty(item, 'phase') === 'string';
  return type !== 'function_call';
}

/** Undefined when the usage is missing or zero. */
function readResponseUsage(said: Json | undefined): Usage | undefined {
  const input = countOf(ownProperty(said, 'input_tokens'));
  const output = countOf(ownProperty(said, 'output_tokens')) ?? 0;
  if (input === undefined || input + output === 0) return undefined;
  const details = ownProperty(said, 'input_tokens_details');
  const counts = {
    cached: countOf(ownProperty(details, 'cached_tokens')),
    cacheWritten: countOf(ownProperty(details, 'cache_write_tokens')),
    reasoning: countOf(ownProperty(ownProperty(said, 'output_tokens_details'), 'reasoning_tokens')),
  };
  const found = Object.entries(counts).filter(([, count]) => count !== undefined && count > 0);
  return { input, output, ...Object.fromEntries(found) };
}
