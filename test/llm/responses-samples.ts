// Bodies and events of the Responses API as OpenAI documents them, and samples of requests.
import type OpenAI from 'openai';
import type { JsonObject } from '../../src/base/json.ts';
import type { Message } from '../../src/model/request.ts';
import type { ServedRequest } from '../../src/testing/model-server.ts';
import type { RawAnswer } from './raw-server.ts';

export type Response = Omit<OpenAI.Responses.Response, 'output_text'>;
export type StreamEvent = OpenAI.Responses.ResponseStreamEvent;

export const byResponses = { api: 'responses' as const };

export const tool = {
  name: 'look',
  description: 'Look at a page.',
  input: { type: 'object', properties: { page: { type: 'integer' } } },
};
export const answer = {
  name: 'verdict',
  schema: {
    type: 'object',
    properties: { good: { type: 'boolean' } },
    required: ['good'],
    additionalProperties: false,
  },
};
export const system: Message = { role: 'system', content: 'Be brief.' };
export const user: Message = { role: 'user', content: 'Judge.' };

/** A response as OpenAI documents it. */
export function response(more: Partial<Response> = {}): Response {
  return {
    id: 'resp_67ccd2bed1ec8190',
    object: 'response',
    created_at: 1_741_476_542,
    status: 'completed',
    access_programs: null,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    metadata: {},
    model: 'gpt-5.6-2026-08-01',
    output: [message('Good day.')],
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: 'low', summary: null },
    store: false,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: {
      input_tokens: 1_364,
      input_tokens_details: { cached_tokens: 1_024, cache_write_tokens: 256 },
      output_tokens: 87,
      output_tokens_details: { reasoning_tokens: 64 },
      total_tokens: 1_451,
    },
    ...more,
  } as Response;
}

export function message(text: string, more: object = {}): OpenAI.Responses.ResponseOutputMessage {
  return {
    id: 'msg_67ccd2bf17f0',
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
    ...more,
  };
}

export const thought: OpenAI.Responses.ResponseReasoningItem = {
  id: 'rs_67ccfcdd16748190',
  type: 'reasoning',
  summary: [],
  encrypted_content: 'gAAAAABoISQ24OyVRYbkYfukdJoqdzWT',
};

export const call: OpenAI.Responses.ResponseFunctionToolCall = {
  id: 'fc_67ccfcf7fd58',
  type: 'function_call',
  status: 'completed',
  call_id: 'call_4fsa',
  name: 'look',
  arguments: '{"page":3}',
};

/** The events of a stream, with their names as OpenAI sends them, and without an end mark. */
export function events(...all: readonly (Partial<StreamEvent> & { readonly type: string })[]): RawAnswer {
  const parts = all.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  return { headers: { 'content-type': 'text/event-stream' }, parts };
}

export function bodyOf(request: ServedRequest | undefined): JsonObject {
  return (request?.body ?? {}) as JsonObject;
}
