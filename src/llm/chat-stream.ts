// Assembles a streamed chat completion into the same shape as a whole one.
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import { textOf, textOrNothing } from './chat-text.ts';
import { streamedData } from './streamed-data.ts';
import type { StreamedReply } from './wire-api.ts';

interface CallPieces {
  readonly index: Json | undefined;
  readonly id: string;
  name: string;
  arguments: string;
  extra: Json;
  fields: Json;
}

/** @param onText receives each piece of text as it arrives */
export function streamedReply(onText: (text: string) => void): StreamedReply {
  let content = '';
  let refusal = '';
  let finish: Json = null;
  let usage: Json = null;
  let named: JsonObject = {};
  /** The response of a server that does not stream. */
  let complete: JsonObject | undefined;
  const calls: CallPieces[] = [];
  const data = streamedData();

  /** Servers number the calls, or start each with its id, or do both but give all calls the same number. */
  function callOf(piece: Json): CallPieces {
    const index = ownProperty(piece, 'index');
    const id = textOrNothing(ownProperty(piece, 'id'));
    const known = calls.findLast(
      (call) => (index === undefined || call.index === index) && (id === '' || call.id === id),
    );
    if (known !== undefined) return known;
    const fresh = { index, id, name: '', arguments: '', extra: null, fields: null };
    calls.push(fresh);
    return fresh;
  }

  function takeCall(piece: Json): void {
    const call = callOf(piece);
    const called = ownProperty(piece, 'function');
    call.name ||= textOrNothing(ownProperty(called, 'name'));
    const given = ownProperty(called, 'arguments');
    call.arguments += isJsonObject(given) ? JSON.stringify(given) : textOrNothing(given);
    call.extra = ownProperty(piece, 'extra_content') ?? call.extra;
    call.fields = ownProperty(piece, 'provider_specific_fields') ?? call.fields;
  }

  return {
    take(chunk) {
      if (!isJsonObject(chunk)) return;
      const whole = wholeText(chunk);
      if (whole !== undefined) {
        complete = chunk;
        content = whole;
        if (content !== '') onText(content);
        return;
      }
      named = { ...named, ...only(chunk, 'id'), ...only(chunk, 'model') };
      usage = ownProperty(chunk, 'usage') ?? usage;
      const choices = ownProperty(chunk, 'choices');
      const choice = isJsonArray(choices) ? choices[0] : undefined;
      finish = ownProperty(choice, 'finish_reason') ?? finish;
      const delta = ownProperty(choice, 'delta');
      const said = textOf(ownProperty(delta, 'content'));
      data.take(delta);
      content += said;
      refusal += textOrNothing(ownProperty(delta, 'refusal'));
      const pieces = ownProperty(delta, 'tool_calls');
      if (isJsonArray(pieces)) pieces.forEach(takeCall);
      if (said !== '') onText(said);
    },
    heard: () => [data.heard(), content, refusal, ...calls.map((call) => call.name + call.arguments)].join(''),
    whole: () =>
      complete ??
      (finish === null ? undefined : { ...named, choices: [{ message: message(), finish_reason: finish }], usage }),
  };

  function message(): JsonObject {
    const toolCalls = calls.map(({ id, name, arguments: given, extra, fields }) => ({
      id,
      function: { name, arguments: given },
      extra_content: extra,
      provider_specific_fields: fields,
    }));
    return { content, refusal, tool_calls: toolCalls, ...data.whole(content) };
  }
}

/** The text of a response that is no piece; undefined for a piece. */
function wholeText(chunk: JsonObject): string | undefined {
  const choices = ownProperty(chunk, 'choices');
  const choice = isJsonArray(choices) ? choices[0] : undefined;
  const message = ownProperty(choice, 'message');
  return isJsonObject(message) && !isJsonObject(ownProperty(choice, 'delta')) ? textOf(message.content) : undefined;
}

function only(chunk: JsonObject, key: 'id' | 'model'): JsonObject {
  const value = ownProperty(chunk, key);
  return typeof value === 'string' && value !== '' ? { [key]: value } : {};
}
