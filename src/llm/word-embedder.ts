// An embedder without a model: texts that share words get similar vectors, the same on every machine.
import { digestOfText } from '../base/digest.ts';
import { bad, good } from '../base/result.ts';
import { estimateTokens } from '../context/tokens.ts';
import type { Embedder, Vector } from './embedder.ts';
import { stopped } from './model-failure.ts';

const LENGTH = 256;

export const wordEmbedder: Embedder = {
  async embed(texts, signal) {
    if (signal.aborted) return bad(stopped('the embedder of words'));
    const input = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
    return good({ vectors: texts.map(wordVector), usage: { input, output: 0 } });
  },
};

/** A vector of length 1, even for a text without words. */
export function wordVector(text: string): Vector {
  const vector = Array.from({ length: LENGTH }, () => 0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['']) {
    const digest = digestOfText(word);
    const at = (digest.charCodeAt(0) * 31 + digest.charCodeAt(1)) % LENGTH;
    vector[at] = (vector[at] ?? 0) + 1;
  }
  const length = Math.hypot(...vector);
  return vector.map((each) => each / length);
}
