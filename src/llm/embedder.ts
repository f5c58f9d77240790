// The embedder port: texts in, one vector for each out, of which near ones mean near things.
import type { Failure } from '../base/failure.ts';
import type { Usage } from '../model/reply.ts';

export type Vector = readonly number[];

type Embedded =
  /** In the order of the texts, all of one length. */
  | { readonly ok: true; readonly vectors: readonly Vector[]; readonly usage: Usage }
  | { readonly ok: false; readonly failure: Failure };

export interface Embedder {
  /** Never throws and never rejects; fails as a model does. One request: who has more texts than a server takes asks more often. */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embedded>;
}
