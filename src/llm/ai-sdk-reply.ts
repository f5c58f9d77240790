// Reads the result of a model of the AI SDK, in the forms of its versions 2 to 4.
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { ModelReply, Usage } from '../model/reply.ts';
import type { ToolCall } from '../model/request.ts';
import { argumentsOf } from './call-arguments.ts';
import { countOf } from './chat-usage.ts';
import { type Feature, isFeature } from './features.ts';
import type { ParsedReply, ReplyContext } from './wire-api.ts';

export interface ParsedAiSdkReply extends ParsedReply {
  /** Parts of the request that the provider left out. */
  readonly leftOut: readonly Feature[];
}

/** Refused with a description of the result. */
export function readAiSdkReply(
  result: JsonObject,
  { callsBefore, from }: ReplyContext,
): Result<ParsedAiSdkReply, string> {
  const content = isJsonArray(result.content) ? result.content.filter(isJsonObject) : undefined;
  if (content === undefined) return bad('a result without content');
  const calls = toolCallsOf(content, callsBefore);
  const finish = finishOf(result.finishReason, calls.length > 0);
  if (finish === undefined) return bad('an error instead of an answer');
  const response = ownProperty(result, 'response');
  const [id, model] = [ownProperty(response, 'id'), ownProperty(response, 'modelId')];
  const usage = readUsage(result.usage);
  const structured = result.structuredOutputText;
  const isWhole = finish === 'stop' || finish === 'tool_calls';
  const kept = isWhole ? keptParts(content, finish === 'tool_calls' ? calls : []) : [];
  const reply: Omit<ModelReply, 'usage'> = {
    text: typeof structured === 'string' && structured !== '' ? structured : textIn(content),
    // The tool calls of a truncated response may be truncated themselves.
    ...(finish === 'tool_calls' ? { toolCalls: calls } : {}),
    finish,
    ...(typeof model === 'string' ? { model } : {}),
    ...(typeof id === 'string' ? { id } : {}),
    ...(kept.length === 0 ? {} : { extra: { from, data: { content: kept } } }),
  };
  return good({ reply, leftOut: leftOutIn(result.warnings), ...defined({ usage }) });
}

/** Providers without a finish reason for refusals report a filter, and as the raw reason that the answer was whole. */
const WHOLE = /^(?:stop|refusal|end_turn|completed)$/;

/** Undefined for a result that is an error. */
function finishOf(said: Json | undefined, hasCalls: boolean): ModelReply['finish'] | undefined {
  const reason = typeof said === 'string' ? said : ownProperty(said, 'unified');
  const raw = ownProperty(said, 'raw');
  switch (reason) {
    case 'length':
      return 'length';
    case 'content-filter':
      return typeof raw === 'string' && WHOLE.test(raw) ? 'refusal' : 'filter';
    case 'error':
    case 'interrupted':
      return undefined;
    default:
      return hasCalls ? 'tool_calls' : 'stop';
  }
}

function textIn(content: readonly JsonObject[]): string {
  return content.map((part) => (part.type === 'text' && typeof part.text === 'string' ? part.text : '')).join('');
}

/** Calls that the provider made itself are no calls of ours. */
function isCall(part: JsonObject): boolean {
  return part.type === 'tool-call' && part.providerExecuted !== true && typeof part.toolName === 'string';
}

function toolCallsOf(content: readonly JsonObject[], callsBefore: number): readonly ToolCall[] {
  return content.filter(isCall).map(({ toolCallId: id, toolName, input }, at) => ({
    id: typeof id === 'string' && id !== '' ? id : `call_${callsBefore + at + 1}`,
    name: String(toolName),
    arguments: argumentsOf(input),
  }));
}

/**
 * The parts to send back with this reply's message, if the message alone cannot hold them: reasoning, and data of the
 * provider. Text of reasoning without such data is wanted back only beside tool calls, and would be paid for again elsewhere.
 */
function keptParts(content: readonly JsonObject[], calls: readonly ToolCall[]): readonly Json[] {
  let called = 0;
  const parts = content.flatMap((part): readonly JsonObject[] => {
    const providerOptions = optionsOf(part);
    const options = defined({ providerOptions });
    switch (part.type) {
      case 'text':
        return part.text === '' ? [] : [{ type: 'text', text: part.text ?? '', ...options }];
      case 'reasoning':
        if (providerOptions === undefined && calls.length === 0) return [];
        return [{ type: 'reasoning', text: part.text ?? '', ...options }];
      case 'custom':
        return [{ type: 'custom', kind: part.kind ?? '', ...options }];
      case 'tool-call': {
        const call = isCall(part) ? calls[called++] : undefined;
        if (call === undefined) return [];
        const input = isJsonObject(call.arguments) ? call.arguments : {};
        return [{ type: 'tool-call', toolCallId: call.id, toolName: call.name, input, ...options }];
      }
      default:
        return [];
    }
  });
  const isOpaque = ({ type, providerOptions }: JsonObject): boolean =>
    type === 'reasoning' || type === 'custom' || providerOptions !== undefined;
  return parts.some(isOpaque) ? parts : [];
}

/** The data of a provider about a part, if there is any. */
function optionsOf({ providerMetadata }: JsonObject): JsonObject | undefined {
  if (!isJsonObject(providerMetadata)) return undefined;
  const full = Object.entries(providerMetadata).filter(
    ([, data]) => isJsonObject(data) && Object.keys(data).length > 0,
  );
  return full.length === 0 ? undefined : Object.fromEntries(full);
}

/** Version 2 has plain counts, later versions an object for each side. Undefined when the usage is missing or zero. */
function readUsage(said: Json | undefined): Usage | undefined {
  const [inputs, outputs] = [ownProperty(said, 'inputTokens'), ownProperty(said, 'outputTokens')];
  const input = countOf(isJsonObject(inputs) ? inputs.total : inputs);
  const output = countOf(isJsonObject(outputs) ? outputs.total : outputs) ?? 0;
  if (input === undefined || input + output === 0) return undefined;
  const counts = {
    cached: countOf(ownProperty(inputs, 'cacheRead') ?? ownProperty(said, 'cachedInputTokens')),
    cacheWritten: countOf(ownProperty(inputs, 'cacheWrite')),
    reasoning: countOf(ownProperty(outputs, 'reasoning') ?? ownProperty(said, 'reasoningTokens')),
  };
  const found = Object.entries(counts).filter(([, count]) => count !== undefined && count > 0);
  return { input, output, ...Object.fromEntries(found) };
}

const warned: Readonly<Record<string, Feature>> = {
  topP: 'top_p',
  reasoning: 'reasoning_effort',
  toolChoice: 'tool_choice',
};

/** A warning about a setting says that the provider did not send it. */
function leftOutIn(warnings: Json | undefined): readonly Feature[] {
  if (!isJsonArray(warnings)) return [];
  return warnings.flatMap((warning) => {
    const type = ownProperty(warning, 'type');
    const named = type === 'unsupported' ? ownProperty(warning, 'feature') : ownProperty(warning, 'setting');
    if (typeof named !== 'string' || (type !== 'unsupported' && type !== 'unsupported-setting')) return [];
    const feature = warned[named] ?? named;
    return isFeature(feature) ? [feature] : [];
  });
}
