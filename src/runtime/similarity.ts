// How alike a goal is to what capabilities say of themselves, by the vectors of an embeddings endpoint.
import type { Failure } from '../base/failure.ts';
import type { Declaration } from '../contract/declaration.ts';
import type { Embedder, Vector } from '../llm/embedder.ts';
import { openaiEmbedder } from '../llm/openai-embedder.ts';
import { likenessText } from '../planning/resolve/rank.ts';
import { boundary, type Surroundings } from './boundary.ts';

type Similarity = (goal: string, text: string) => number;

export type Compared =
  | { readonly ok: true; readonly similarity: Similarity }
  | { readonly ok: false; readonly failure: Failure };

const TIMEOUT = 30_000;
/** Texts of one request. */
const AT_ONCE = 256;

/** Where OPENAI_BASE_URL and OPENAI_API_KEY say. */
export function embedderOf(model: string, surroundings: Surroundings): Embedder {
  return openaiEmbedder(model, { model, timeout: TIMEOUT }, boundary(surroundings));
}

/** Of pairs that were not asked about it says 0. */
export async function similarityOf(
  embedder: Embedder,
  goal: string,
  declarations: readonly Declaration[],
): Promise<Compared> {
  const texts = [...new Set([goal, ...declarations.map(likenessText)])];
  const vectors = new Map<string, Vector>();
  for (let at = 0; at < texts.length; at += AT_ONCE) {
    const some = texts.slice(at, at + AT_ONCE);
    const embedded = await embedder.embed(some, AbortSignal.timeout(TIMEOUT));
    if (!embedded.ok) return embedded;
    some.forEach((text, index) => void vectors.set(text, embedded.vectors[index] ?? []));
  }
  return { ok: true, similarity: (one, other) => cosine(vectors.get(one) ?? [], vectors.get(other) ?? []) };
}

function cosine(one: Vector, other: Vector): number {
  const dot = (left: Vector, right: Vector): number => left.reduce((sum, each, at) => sum + each * (right[at] ?? 0), 0);
  const whole = Math.sqrt(dot(one, one) * dot(other, other));
  return whole === 0 ? 0 : dot(one, other) / whole;
}
