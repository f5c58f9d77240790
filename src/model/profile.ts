// A model as a template declares it: which one, where it is served, within what limits, at what price.
import type { Duration } from '../base/quantity.ts';
import type { Price } from './price.ts';

export interface ModelProfile {
  /** Anything that speaks chat completions. */
  readonly provider: 'openai';
  /** The provider's name of the model. */
  readonly model: string;
  /** As written: may hold `${env.X}`; absent: what the environment says, else the provider's own. */
  readonly baseUrl?: string;
  /** As written: `${secret.X}` or `${env.X}`; absent: `${secret.OPENAI_API_KEY}`, for the server of the environment and no other. */
  readonly apiKey?: string;
  readonly temperature?: number;
  /** The most that one answer may have; what an ask sets aside for it. */
  readonly maxOutputTokens: number;
  /** An ask is not worth making for less. */
  readonly minOutputTokens: number;
  /** Of one ask. */
  readonly timeout: Duration;
  /** How often one ask is made again after 429, 5xx, a timeout or a cut connection. */
  readonly maxRetries: number;
  /** How many tokens fit, prompt and answer together; absent: not known. */
  readonly contextWindow?: number;
  /** Of the template or of the price list; absent: not known, which is never zero. */
  readonly price?: Price;
}

/** A model that makes vectors of texts, declared like one that answers. */
export type EmbeddingsProfile = Pick<ModelProfile, 'model' | 'baseUrl' | 'apiKey' | 'timeout' | 'maxRetries' | 'price'>;
