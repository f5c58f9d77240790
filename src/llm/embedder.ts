// The embedder port: turns each text into a vector; similar texts get similar vectors.
import type { Failure } from '../base/failure.ts';
import type { Result } from '../base/result.ts';
import type { Usage } from '../model/reply.ts';
import type { AskContext } from './model.ts';

export type Vector = readonly number[];

interface Embeddings {
  /** In the order of the texts; all vectors have the same length. */
  readonly vectors: readonly Vector[];
  readonly usage: Usage;
}

export interface Embedder {
  /** Never throws and never rejects; fails as a model does. Sends one request, so callers split long lists themselves. */
  embed(
    texts: readonly string[],
    signal: AbortSignal,
    context?: Pick<AskContext, 'onServer' | 'headers'>,
  ): Promise<Result<Embeddings, Failure>>;
}
