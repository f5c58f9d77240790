// The Responses endpoint of the test server: scripted replies, whole or streamed, and scripted failures.
import type { ServerResponse } from 'node:http';
import type OpenAI from 'openai';
import { isJsonArray, isJsonObject, type Json, type JsonObject, ownProperty } from '../base/json.ts';
import type { CountTokens } from '../context/tokens.ts';
import type { Feature } from '../llm/features.ts';
import { type ScriptPlayer, unscripted } from '../llm/script.ts';
import { lostItem, readResponsesAsk } from './responses-ask.ts';
import { eventsOf } from './responses-events.ts';
import { beginStream, sendFailure } from './scripted-failure.ts';
import { responseOf } from './scripted-response.ts';
import { sendError, sendJson } from './send-json.ts';
import type { ServerError } from './servers/error-body.ts';

export interface ResponsesContext {
  readonly player: ScriptPlayer;
  readonly refuses: readonly Feature[];
  /** The number of the request, from 1. */
  readonly turn: number;
  readonly count: CountTokens;
}

export function answerResponses(
  response: ServerResponse,
  body: Json,
  { player, refuses, turn, count }: ResponsesContext,
): void {
  const ask = readResponsesAsk(body);
  if (!isJsonObject(body) || ask === undefined) {
    return refuse(response, {
      status: 400,
      message: 'the body is no request of this API: it needs `model` and `input`',
    });
  }
  if (refuses.includes('responses')) return refuse(response, { status: 404, message: 'Not Found' });
  const refused = refusals.find(({ feature, isIn }) => refuses.includes(feature) && isIn(body));
  if (refused !== undefined) return refuse(response, { status: 400, ...refused.refusal });
  const lost = lostItem(body);
  if (lost !== undefined) return refuse(response, { status: 400, message: lost, param: 'input' });
  const reply = player.next(ask);
  if (reply === undefined) {
    return refuse(response, { status: 400, message: unscripted(ask), code: 'script_exhausted' });
  }
  const streams = body.stream === true;
  if ('fail' in reply) {
    return sendFailure(response, reply.fail, {
      errors: 'openai',
      beginning: '{"output":[{"type":"message","content":',
      sendPiece: streams ? (text, at) => sendPiece(response, text, at) : undefined,
    });
  }
  const answered = responseOf(reply, ask, { body, turn, count });
  if (!streams) return sendJson(response, 200, plain(answered));
  beginStream(response);
  for (const event of eventsOf(answered)) sendEvent(response, event);
  response.end();
}

interface FeatureRefusal {
  readonly feature: Feature;
  readonly isIn: (body: JsonObject) => boolean;
  /** As OpenAI words it. */
  readonly refusal: { readonly message: string; readonly param: string };
}

function unsupported(feature: Feature, param: string = feature): FeatureRefusal {
  const message = `Unsupported parameter: '${param}' is not supported with this model.`;
  const [key = param, ...path] = param.split('.');
  return {
    feature,
    isIn: (body) => path.reduce<Json | undefined>(ownProperty, body[key]) !== undefined,
    refusal: { message, param },
  };
}

const refusals: readonly FeatureRefusal[] = [
  unsupported('temperature'),
  unsupported('top_p'),
  unsupported('tools'),
  unsupported('tool_choice'),
  unsupported('prompt_cache_key'),
  unsupported('reasoning_effort', 'reasoning.effort'),
  {
    feature: 'encrypted_reasoning',
    isIn: ({ include }) => isJsonArray(include) && include.includes('reasoning.encrypted_content'),
    refusal: { message: 'Encrypted content is not supported with this model.', param: 'include' },
  },
  {
    feature: 'json_schema',
    isIn: ({ text }) => ownProperty(ownProperty(text, 'format'), 'type') === 'json_schema',
    refusal: {
      message: "Invalid parameter: 'text.format' of type 'json_schema' is not supported with this model.",
      param: 'text.format',
    },
  },
];

function refuse(response: ServerResponse, error: ServerError): void {
  sendError(response, 'openai', error);
}

function sendPiece(response: ServerResponse, delta: string, at: number): void {
  sendEvent(response, {
    type: 'response.output_text.delta',
    ...{ item_id: 'msg_1', output_index: 0, content_index: 0, delta, logprobs: [], sequence_number: at },
  });
}

function sendEvent(response: ServerResponse, event: OpenAI.Responses.ResponseStreamEvent): void {
  response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
}

function plain(value: object): JsonObject {
  return JSON.parse(JSON.stringify(value));
}
