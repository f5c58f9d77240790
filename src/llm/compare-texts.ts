// How alike goals and texts are: the cosines between the vectors that an embedder makes of them.
import type { Failure } from '../base/failure.ts';
import type { Usage } from '../model/reply.ts';
import type { EmbeddingsRequest } from '../model/request.ts';
import type { Embedder, Vector } from './embedder.ts';

export type Compared =
  /** Of each goal with each text. */
  | { readonly ok: true; readonly alike: readonly (readonly number[])[]; readonly usage: Usage }
  /** `usage`: of what had been embedded before. */
  | { readonly ok: false; readonly failure: Failure; readonly usage: Usage };

/** Texts of one request. */
const AT_ONCE = 256;

export async function compareTexts(
  embedder: Embedder,
  { goals, texts }: EmbeddingsRequest,
  signal: AbortSignal,
): Promise<Compared> {
  const all = [...new Set([...goals, ...texts])];
  const vectors = new Map<string, Vector>();
  let usage: Usage = { input: 0, output: 0 };
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const some = all.slice(at, at + AT_ONCE);
    const embedded = await embedder.embed(some, signal);
    if (!embedded.ok) return { ...embedded, usage };
    const { input, output, estimated } = embedded.usage;
    usage = { ...usage, ...(estimated && { estimated }), input: usage.input + input, output: usage.output + output };
    some.forEach((text, index) => void vectors.set(text, embedded.vectors[index] ?? []));
  }
  return { ok: true, alike: cosinesOf({ goals, texts }, (text) => vectors.get(text) ?? []), usage };
}

/** Of each goal with each text. */
export function cosinesOf({ goals, texts }: EmbeddingsRequest, of: (text: string) => Vector): number[][] {
  return goals.map((goal) => texts.map((text) => rounded(cosine(of(goal), of(text)))));
}

/** As many places as tell anything: what is kept of it is read by people. */
function rounded(cosine: number): number {
  return Math.round(cosine * 10_000) / 10_000;
}

function cosine(one: Vector, other: Vector): number {
  const dot = (left: Vector, right: Vector): number => left.reduce((sum, each, at) => sum + each * (right[at] ?? 0), 0);
  const whole = Math.sqrt(dot(one, one) * dot(other, other));
  return whole === 0 ? 0 : dot(one, other) / whole;
}
