// Renders a scripted reply as a response of the Responses API, with the types of OpenAI's client.
import type OpenAI from 'openai';
import { isJsonArray, type JsonObject } from '../base/json.ts';
import type { CountTokens } from '../context/tokens.ts';
import type { ScriptedAsk, SpokenReply } from '../llm/script.ts';

/** As a server sends it: OpenAI's client adds `output_text` itself. */
export type SentResponse = Omit<OpenAI.Responses.Response, 'output_text'>;

type Item = OpenAI.Responses.ResponseOutputItem;

export interface ResponseOptions {
  /** The body of the request. */
  readonly body: JsonObject;
  /** The number of the request, from 1. */
  readonly turn: number;
  readonly count: CountTokens;
}

/** A fixed time, so that every replay is the same. */
const CREATED = 1_790_000_000;

export function responseOf(reply: SpokenReply, ask: ScriptedAsk, { body, turn, count }: ResponseOptions): SentResponse {
  const status = reply.finish === undefined ? 'completed' : 'incomplete';
  const output = [...reasoning(body, turn), ...said(reply, turn, status), ...called(reply, ask, turn, status)];
  return {
    id: `resp_${turn}`,
    object: 'response',
    created_at: CREATED,
    status,
    access_programs: null,
    error: null,
    incomplete_details:
      reply.finish === undefined
        ? null
        : { reason: reply.finish === 'length' ? 'max_output_tokens' : 'content_filter' },
    instructions: typeof body.instructions === 'string' ? body.instructions : null,
    metadata: {},
    model: ask.model,
    output,
    parallel_tool_calls: true,
    temperature: typeof body.temperature === 'number' ? body.temperature : null,
    tool_choice: body.tool_choice === 'none' ? 'none' : 'auto',
    tools: [],
    top_p: null,
    ...(reply.usage === 'untold' ? {} : { usage: usageOf(reply, ask, output, count) }),
  };
}

/** Models that reason begin with an item that holds it encrypted, when the request asks for that. */
function reasoning({ include }: JsonObject, turn: number): readonly Item[] {
  const isAsked = isJsonArray(include) && include.includes('reasoning.encrypted_content');
  return isAsked ? [{ id: `rs_${turn}`, type: 'reasoning', summary: [], encrypted_content: `gAAAA-${turn}` }] : [];
}

function said(reply: SpokenReply, turn: number, status: 'completed' | 'incomplete'): readonly Item[] {
  const content: OpenAI.Responses.ResponseOutputMessage['content'] = [];
  const text = 'json' in reply ? JSON.stringify(reply.json) : 'text' in reply ? (reply.text ?? '') : '';
  if ('refusal' in reply) content.push({ type: 'refusal', refusal: reply.refusal });
  else if (text !== '' || !('toolCalls' in reply)) content.push({ type: 'output_text', text, annotations: [] });
  return content.length === 0 ? [] : [{ id: `msg_${turn}`, type: 'message', role: 'assistant', status, content }];
}

function called(
  reply: SpokenReply,
  ask: ScriptedAsk,
  turn: number,
  status: 'completed' | 'incomplete',
): readonly Item[] {
  if (!('toolCalls' in reply)) return [];
  return reply.toolCalls.map(({ id, name, arguments: given }, at) => ({
    id: `fc_${turn}_${at}`,
    type: 'function_call',
    call_id: id ?? `call_${ask.called + at + 1}`,
    name,
    arguments: typeof given === 'string' ? given : JSON.stringify(given),
    status,
  }));
}

function usageOf(
  { usage }: SpokenReply,
  { messages }: ScriptedAsk,
  output: readonly Item[],
  count: CountTokens,
): OpenAI.Responses.ResponseUsage {
  const told = usage === 'untold' ? undefined : usage;
  const input = told?.input ?? messages.reduce((sum, { content }) => sum + count(content), 0);
  const written = told?.output ?? count(JSON.stringify(output));
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: told?.cached ?? 0, cache_write_tokens: 0 },
    output_tokens: written,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: input + written,
  };
}
