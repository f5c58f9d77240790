// One ask of a model, in the words of the field; plain JSON, so that it can be kept, compared and replayed.
import type { Json, JsonObject } from '../base/json.ts';

export interface ModelRequest {
  /** Name of a profile under `models:`. */
  readonly model: string;
  readonly messages: readonly Message[];
  /** What the model may ask for instead of answering. */
  readonly tools?: readonly ToolOffer[];
  /** The answer must be JSON that fits; absent: text. */
  readonly answer?: AnswerShape;
  /** Passed to the provider: no more is paid for. */
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
}

/** One ask of an embeddings model; what comes of it is compared, and not kept. */
export interface EmbeddingsRequest {
  readonly goals: readonly string[];
  /** What each goal is compared with. */
  readonly texts: readonly string[];
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | { readonly role: 'assistant'; readonly content: string; readonly toolCalls?: readonly ToolCall[] }
  /** What came of a tool call of the message before. */
  | { readonly role: 'tool'; readonly callId: string; readonly content: string };

export interface ToolOffer {
  /** As providers allow it: letters, digits, `_` and `-`. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, an object. */
  readonly input: JsonObject;
}

export interface AnswerShape {
  /** Letters, digits, `_` and `-`: some providers show it to the model. */
  readonly name: string;
  readonly schema: JsonObject;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Parsed; the text itself when it is not JSON. */
  readonly arguments: Json;
}
