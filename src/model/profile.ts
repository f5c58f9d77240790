// Model profiles: the model, its server, its limits and its price, as a template declares them.
import type { JsonObject } from '../base/json.ts';
import type { Duration } from '../base/quantity.ts';
import type { Price } from './price.ts';

export interface ModelProfile {
  /** `openai`: any server with an API of OpenAI. `ai-sdk`: a provider of the AI SDK, from `module`. */
  readonly provider: 'openai' | 'ai-sdk';
  /** The path of the module with the AI SDK's provider, relative to the template. */
  readonly module?: string;
  /** The provider's name of the model. */
  readonly model: string;
  /** `auto`: Responses for OpenAI and Azure, chat completions elsewhere. */
  readonly api: 'auto' | 'chat' | 'responses';
  /** As written, with `${env.X}` unresolved; absent: OPENAI_BASE_URL, else the provider's own server. */
  readonly baseUrl?: string;
  /** As written, with `${secret.X}` or `${env.X}` unresolved; absent: `${secret.OPENAI_API_KEY}`, but only for the server of the environment. */
  readonly apiKey?: string;
  readonly temperature?: number;
  readonly topP?: number;
  readonly seed?: number;
  /** How much the model reasons before it answers; absent: the provider's own default. */
  readonly reasoning?: ReasoningEffort;
  /** False: the server takes no tools; agents call theirs by data. */
  readonly tools: boolean;
  /** Values as written, with `${secret.X}` or `${env.X}` unresolved. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Merged into the body of each request. */
  readonly extraBody?: JsonObject;
  /** Replies are streamed: always, never, or absent: when somebody watches. */
  readonly stream?: boolean;
  /** The longest silence between two pieces of a stream. */
  readonly stallTimeout: Duration;
  /** Profiles to ask in order when this one cannot be reached or refuses. */
  readonly fallback: readonly string[];
  /** The most tokens of one answer; each request reserves that much. */
  readonly maxOutputTokens: number;
  /** Requests with fewer tokens left are not worth sending. */
  readonly minOutputTokens: number;
  /** For one request. */
  readonly timeout: Duration;
  /** The number of retries after 429, 5xx, a timeout or a cut connection. */
  readonly maxRetries: number;
  /** The longest wait that a server may ask for; a longer one ends the tries. */
  readonly maxRetryAfter: Duration;
  /** The tokens that fit, prompt and answer together; absent: unknown. */
  readonly contextWindow?: number;
  /** From the template or the price list; absent: unknown, which is not zero. */
  readonly price?: Price;
}

export type ReasoningEffort = 'none' | 'minimal' | 'low' | 'medium' | 'high' | 'xhigh' | 'max';

/** An embeddings model, declared like a chat model. */
export type EmbeddingsProfile = Pick<ModelProfile, 'model' | 'baseUrl' | 'apiKey' | 'timeout' | 'maxRetries' | 'price'>;
