// One request to a model, as plain JSON that can be stored, compared and replayed.
import type { Json, JsonObject } from '../base/json.ts';

export interface ModelRequest {
  /** The name of a profile under `models:`. */
  readonly model: string;
  readonly messages: readonly Message[];
  /** Tools that the model may call instead of answering. */
  readonly tools?: readonly ToolOffer[];
  /** `none`: the tools explain earlier calls, and the model must answer without another. Absent: the model chooses. */
  readonly toolChoice?: 'none';
  /** Requires JSON that fits a schema; absent: text. */
  readonly answer?: AnswerShape;
  /** Passed to the provider as the most tokens to generate. */
  readonly maxOutputTokens?: number;
  readonly temperature?: number;
}

/** One request to an embeddings model. Only the comparison is stored, not the vectors. */
export interface EmbeddingsRequest {
  readonly goals: readonly string[];
  /** The texts to compare each goal with. */
  readonly texts: readonly string[];
}

export type Message =
  | { readonly role: 'system' | 'user'; readonly content: string }
  | {
      readonly role: 'assistant';
      readonly content: string;
      readonly toolCalls?: readonly ToolCall[];
      /** From the reply that this message repeats. */
      readonly extra?: ProviderData;
    }
  /** The result of a tool call in the previous message. */
  | { readonly role: 'tool'; readonly callId: string; readonly content: string };

export interface ToolOffer {
  /** Letters, digits, `_` and `-`, as providers allow. */
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments, an object. */
  readonly input: JsonObject;
}

export interface AnswerShape {
  /** Letters, digits, `_` and `-`; some providers show it to the model. */
  readonly name: string;
  readonly schema: JsonObject;
  /**
   * A narrower schema for servers that generate under a grammar. It helps small models, but lacks rare forms that the
   * answer may have as well, so that an answer is only ever judged by `schema` and by its reader.
   */
  readonly narrow?: JsonObject;
}

export interface ToolCall {
  readonly id: string;
  readonly name: string;
  /** Parsed JSON, or the text itself when it is not JSON. */
  readonly arguments: Json;
}

/** Data of a provider that only the same server and model may read again, such as a thought signature. */
export interface ProviderData {
  /** The server and the provider's name of the model that sent it. */
  readonly from: { readonly baseUrl: string; readonly model: string };
  /** In the provider's own form. */
  readonly data: Json;
}
