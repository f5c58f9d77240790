// The chunks of a streamed chat completion.
import type { ServerResponse } from 'node:http';
import { defined, isJsonArray, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import { piecesOf } from '../llm/script.ts';

export function sendChunk(response: ServerResponse, chunk: JsonObject): void {
  response.write(`data: ${JSON.stringify(chunk)}\n\n`);
}

export function chunksOf(completion: JsonObject, tellsUsage: boolean): readonly JsonObject[] {
  const { choices, usage, ...named } = completion;
  const about = { ...named, object: 'chat.completion.chunk' };
  const choice = isJsonArray(choices) ? choices[0] : undefined;
  const message = ownProperty(choice, 'message');
  const calls = ownProperty(message, 'tool_calls');
  const deltas: JsonObject[] = [
    { role: 'assistant' },
    ...thoughtDeltas(message),
    ...textDeltas(message, 'content'),
    ...textDeltas(message, 'refusal'),
    ...(isJsonArray(calls) ? calls.flatMap(callDeltas) : []),
  ];
  const last = chunkOf(about, {}, ownProperty(choice, 'finish_reason') ?? null);
  const told = tellsUsage && usage !== undefined ? [{ ...about, choices: [], usage }] : [];
  return [...deltas.map((delta) => chunkOf(about, delta)), last, ...told];
}

type TextKey = 'content' | 'refusal' | 'reasoning' | 'reasoning_content';

function textDeltas(message: Json | undefined, key: TextKey): readonly JsonObject[] {
  const value = ownProperty(message, key);
  const text = isJsonArray(value) ? ownProperty(value.at(-1), 'text') : value;
  return typeof text === 'string' ? piecesOf(text).map((piece) => ({ [key]: piece })) : [];
}

/** Reasoning is streamed before the answer. */
function thoughtDeltas(message: Json | undefined): readonly JsonObject[] {
  const content = ownProperty(message, 'content');
  const details = ownProperty(message, 'reasoning_details');
  const thinking = isJsonArray(content) ? content.filter((part) => ownProperty(part, 'type') === 'thinking') : [];
  return [
    ...textDeltas(message, 'reasoning_content'),
    ...textDeltas(message, 'reasoning'),
    ...(isJsonArray(details) ? details.map((detail) => ({ reasoning_details: [detail] })) : []),
    ...thinking.map((part) => ({ content: [part] })),
  ];
}

/** Streams a tool call: its name first, then its arguments in pieces. */
function callDeltas(call: Json, index: number): readonly JsonObject[] {
  const called = ownProperty(call, 'function');
  const name = ownProperty(called, 'name') ?? '';
  const head = {
    index,
    id: ownProperty(call, 'id') ?? '',
    type: 'function',
    function: { name, arguments: '' },
    ...defined({ extra_content: ownProperty(call, 'extra_content') }),
  };
  const given = String(ownProperty(called, 'arguments'));
  const half = given.length >> 1;
  const pieces = [given.slice(0, half), given.slice(half)];
  return [head, ...pieces.map((piece) => ({ index, function: { arguments: piece } }))].map((each) => ({
    tool_calls: [each],
  }));
}

export function chunkOf(about: JsonObject, delta: JsonObject, finish: Json = null): JsonObject {
  return { ...about, choices: [{ index: 0, delta, finish_reason: finish }] };
}
