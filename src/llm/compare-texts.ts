// Compares goals with texts: the cosines between the vectors of an embedder.
import type { Failure } from '../base/failure.ts';
import { bad, good, type Result } from '../base/result.ts';
import type { Usage } from '../model/reply.ts';
import type { EmbeddingsRequest } from '../model/request.ts';
import type { Embedder, Vector } from './embedder.ts';
import type { AskContext } from './model.ts';

export interface Similarities {
  /** One list for each goal, with one number for each text. */
  readonly alike: readonly (readonly number[])[];
  readonly usage: Usage;
}

export interface FailedComparison {
  readonly failure: Failure;
  /** The usage of the requests before the failure. */
  readonly usage: Usage;
}

/** Texts in one request. */
const AT_ONCE = 256;

export async function compareTexts(
  embedder: Embedder,
  { goals, texts }: EmbeddingsRequest,
  signal: AbortSignal,
  context: Pick<AskContext, 'onServer' | 'headers'> = {},
): Promise<Result<Similarities, FailedComparison>> {
  const all = [...new Set([...goals, ...texts])];
  const vectors = new Map<string, Vector>();
  let usage: Usage = { input: 0, output: 0 };
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const some = all.slice(at, at + AT_ONCE);
    const embedded = await embedder.embed(some, signal, context);
    if (!embedded.ok) return bad({ failure: embedded.error, usage });
    const { input, output, estimated } = embedded.value.usage;
    usage = { ...usage, ...(estimated && { estimated }), input: usage.input + input, output: usage.output + output };
    some.forEach((text, index) => void vectors.set(text, embedded.value.vectors[index] ?? []));
  }
  return good({ alike: cosinesOf({ goals, texts }, (text) => vectors.get(text) ?? []), usage });
}

/** One list for each goal, with one number for each text. */
export function cosinesOf({ goals, texts }: EmbeddingsRequest, of: (text: string) => Vector): number[][] {
  return goals.map((goal) => texts.map((text) => rounded(cosine(of(goal), of(text)))));
}

/** Four digits: more would say nothing to the people who read the record. */
function rounded(cosine: number): number {
  return Math.round(cosine * 10_000) / 10_000;
}

function cosine(one: Vector, other: Vector): number {
  const dot = (left: Vector, right: Vector): number => left.reduce((sum, each, at) => sum + each * (right[at] ?? 0), 0);
  const whole = Math.sqrt(dot(one, one) * dot(other, other));
  return whole === 0 ? 0 : dot(one, other) / whole;
}
