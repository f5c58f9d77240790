// The settings of calls to a model of the AI SDK.
import type { JsonObject } from '../base/json.ts';
import type { Duration } from '../base/quantity.ts';
import type { ReasoningEffort } from '../model/profile.ts';

export interface AiSdkSettings {
  readonly temperature?: number;
  readonly topP?: number;
  readonly seed?: number;
  /** The reasoning effort before an answer. Providers with version 3 or 2 of the SDK's models have no such setting. */
  readonly reasoning?: ReasoningEffort;
  /** `false` for a model without tool calls. Agents then name their calls in their answers. */
  readonly tools?: boolean;
  readonly maxOutputTokens?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Options of providers, by the name of the provider, as the SDK documents them. */
  readonly providerOptions?: Readonly<Record<string, JsonObject>>;
  /** Replies are streamed: always, never, or absent: when somebody watches. */
  readonly stream?: boolean;
  /** The time limit of one request in milliseconds; two minutes when absent. */
  readonly timeout?: Duration;
  /** The longest pause between two pieces of a stream in milliseconds; one minute when absent. */
  readonly stallTimeout?: Duration;
  /** The longest wait in milliseconds that the server may ask for; a longer one ends the retries. One minute when absent. */
  readonly maxRetryAfter?: Duration;
}
