// Finds the traits of a request that servers of models refuse.
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../../base/json.ts';
import type { Feature } from '../../llm/features.ts';

export type RequestTrait =
  | Feature
  /** `tools: []` */
  | 'no_tools'
  /** A choice of tools that is an object. */
  | 'named_choice'
  /** A choice of tools that forces a call. */
  | 'forced_choice'
  /** JSON mode without the word "json" in a message. */
  | 'unannounced_json'
  | 'temperature_beside_top_p'
  /** An assistant message with neither text nor calls. */
  | 'empty_answer'
  /** A tool call in the history without the thought signature that came with it. */
  | 'lost_signature'
  /** Tool calls in the history without the reasoning before them. */
  | 'lost_reasoning'
  | 'lost_reasoning_details'
  /** The id of a tool call that is not nine letters and digits. */
  | 'foreign_call_id';

export function traitsOf(body: JsonObject): ReadonlySet<RequestTrait> {
  const tests = { ...bodyTests(body), ...messageTests(body) };
  const found = Object.entries(tests).filter(([, holds]) => holds);
  return new Set(found.map(([trait]) => trait as RequestTrait));
}

type Tests = Readonly<Partial<Record<RequestTrait, boolean>>>;

function bodyTests(body: JsonObject): Tests {
  const has = (key: string): boolean => Object.hasOwn(body, key);
  const { tools, tool_choice: choice, reasoning_effort: effort } = body;
  const hasTools = has('tools') && !(isJsonArray(tools) && tools.length === 0);
  const format = ownProperty(body.response_format, 'type');
  const isSchema = format === 'json_schema';
  return {
    tools: hasTools,
    no_tools: has('tools') && !hasTools,
    tools_with_format: hasTools && (isSchema || format === 'json_object'),
    tools_with_reasoning: hasTools && effort !== 'none',
    tool_choice: has('tool_choice'),
    named_choice: isJsonObject(choice),
    forced_choice: isJsonObject(choice) || choice === 'required' || choice === 'any',
    parallel_tool_calls: has('parallel_tool_calls'),
    json_schema: isSchema,
    json_object: format === 'json_object',
    unannounced_json: format === 'json_object' && !/json/i.test(JSON.stringify(body.messages ?? '')),
    streamed_format: (isSchema || format === 'json_object') && body.stream === true,
    stream_options: has('stream_options'),
    max_tokens: has('max_tokens'),
    max_completion_tokens: has('max_completion_tokens'),
    temperature: has('temperature'),
    top_p: has('top_p'),
    temperature_beside_top_p: has('temperature') && has('top_p'),
    seed: has('seed'),
    reasoning_effort: has('reasoning_effort'),
    no_reasoning: effort === 'none',
  };
}

function messageTests(body: JsonObject): Tests {
  const messages = isJsonArray(body.messages) ? body.messages : [];
  const answers = messages.filter((message) => ownProperty(message, 'role') === 'assistant');
  const calling = answers.filter((message) => callsOf(message).length > 0);
  const lacks = (key: string): boolean => calling.some((message) => ownProperty(message, key) === undefined);
  return {
    calls_without_tools: calling.length > 0 && !Object.hasOwn(body, 'tools'),
    reasoning_sent_back: answers.some(
      (message) => holds(message, 'reasoning_content') || holds(message, 'reasoning') || hasThinking(message),
    ),
    empty_answer: answers.some((message) => callsOf(message).length === 0 && !holds(message, 'content')),
    // Several calls at once have one signature, on the first.
    lost_signature: calling.some((message) => signatureOf(callsOf(message)[0]) === undefined),
    lost_reasoning: lacks('reasoning_content'),
    lost_reasoning_details: lacks('reasoning_details'),
    foreign_call_id: calling.some((message) => callsOf(message).some((call) => !hasNineSigns(call))),
    calls_sent_back: calling.length > 0,
    calls_of_others: calling.some((message) => callsOf(message).some((call) => !hasNineSigns(call))),
  };
}

function holds(message: Json, key: string): boolean {
  const value = ownProperty(message, key) ?? '';
  return value !== '' && !(isJsonArray(value) && value.length === 0);
}

function hasThinking(message: Json): boolean {
  const parts = ownProperty(message, 'content');
  return isJsonArray(parts) && parts.some((part) => ownProperty(part, 'type') === 'thinking');
}

function callsOf(message: Json): readonly Json[] {
  const calls = ownProperty(message, 'tool_calls');
  return isJsonArray(calls) ? calls : [];
}

function signatureOf(call: Json | undefined): Json | undefined {
  return ownProperty(ownProperty(ownProperty(call, 'extra_content'), 'google'), 'thought_signature');
}

function hasNineSigns(call: Json): boolean {
  return /^[a-zA-Z0-9]{9}$/.test(String(ownProperty(call, 'id')));
}
