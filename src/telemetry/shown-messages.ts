// Messages of models in the form of the GenAI conventions: each has a role and a list of parts.
import { defined, isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';

/** The most characters of an attribute with data. */
export const LONGEST = 16_384;

/** The messages of a request, as JSON text; undefined when there are none. */
export function shownMessages(messages: Json | undefined): string | undefined {
  return isJsonArray(messages) ? fitting((most) => messages.map((each) => shownMessage(each, most))) : undefined;
}

interface Answer {
  readonly text: Json | undefined;
  readonly toolCalls: Json | undefined;
}

/** The answer of a model, as the JSON text of a list with one message. */
export function shownAnswer({ text, toolCalls }: Answer): string {
  return fitting((most) => [{ role: 'assistant', parts: [...textParts(text, most), ...callParts(toolCalls)] }]);
}

/** Shortens the texts until the whole fits, because JSON that is cut off cannot be read. */
function fitting(shown: (most: number) => readonly JsonObject[]): string {
  let most = LONGEST;
  for (;;) {
    const text = JSON.stringify(shown(most));
    if (text.length <= LONGEST || most < SHORTEST) return text;
    most = Math.floor(most / 2);
  }
}

/** A shorter text would tell nothing. */
const SHORTEST = 64;

function shownMessage(message: Json, most: number): JsonObject {
  const { role = 'user', content, toolCalls, callId = null } = isJsonObject(message) ? message : {};
  if (role === 'tool') {
    const [{ content: response = '' } = {}] = textParts(content, most);
    return { role, parts: [{ type: 'tool_call_response', id: callId, response }] };
  }
  return { role, parts: [...textParts(content, most), ...callParts(toolCalls)] };
}

function textParts(text: Json | undefined, most: number): readonly JsonObject[] {
  if (typeof text !== 'string' || text === '') return [];
  return [{ type: 'text', content: text.length > most ? `${text.slice(0, most)}…` : text }];
}

function callParts(calls: Json | undefined): readonly JsonObject[] {
  if (!isJsonArray(calls)) return [];
  return calls.map((call) => ({
    type: 'tool_call',
    ...defined({
      id: ownProperty(call, 'id'),
      name: ownProperty(call, 'name'),
      arguments: ownProperty(call, 'arguments'),
    }),
  }));
}
