// Assembles a streamed response of the Responses API into the same shape as a whole one.
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import { textOrNothing } from './chat-text.ts';
import type { StreamedReply } from './wire-api.ts';

/** Events that end a response. Without one of them, the stream was cut off. */
const ends = ['response.completed', 'response.incomplete', 'response.failed'];

/** Events with a piece of what the model writes, all of which it is paid for. */
const PIECE =
  /^response\.(?:output_text|refusal|function_call_arguments|reasoning_text|reasoning_summary_text)\.delta$/;

/** @param onText receives each piece of the answer's text as it arrives */
export function streamedResponse(onText: (text: string) => void): StreamedReply {
  let heard = '';
  let end: JsonObject | undefined;
  const items = new Map<number, Json>();

  return {
    take(event) {
      if (!isJsonObject(event)) return;
      // The response of a server that does not stream.
      if (event.object === 'response') end = event;
      if (typeof event.type !== 'string') return;
      const { type, delta, item, output_index: at, response } = event;
      if (PIECE.test(type) && typeof delta === 'string') {
        heard += delta;
        if (type === 'response.output_text.delta' && delta !== '') onText(delta);
      }
      if (type === 'response.output_item.added' && isJsonObject(item)) heard += textOrNothing(item.name);
      // Only the last event of an item holds its whole encrypted content.
      if (type === 'response.output_item.done' && isJsonObject(item) && typeof at === 'number') items.set(at, item);
      if (ends.includes(type) && isJsonObject(response)) end = response;
    },
    heard: () => heard,
    whole() {
      if (end === undefined) return undefined;
      const output = ownProperty(end, 'output');
      if (isJsonArray(output) && output.length > 0) return end;
      // Some servers end with a response without its items.
      const order = [...items.keys()].sort((one, other) => one - other);
      return { ...end, output: order.map((at) => items.get(at) ?? null) };
    },
  };
}
