// The embedder port over any server that speaks embeddings, by the client of OpenAI.
import { isJsonArray, isJsonObject, type Json, ownProperty } from '../base/json.ts';
import { type CountTokens, estimateTokens } from '../context/tokens.ts';
import { attempt } from './attempt.ts';
import { readUsage } from './chat-reply.ts';
import { connect, type ModelSurroundings, type Served } from './connection.ts';
import type { Embedder, Vector } from './embedder.ts';
import { noReply } from './model-failure.ts';

export interface OpenaiEmbedderOptions {
  /** For servers that do not say what was used. */
  readonly count?: CountTokens;
  /** Bytes of an answer that are read at most. */
  readonly mostBytes?: number;
}

const MOST_BYTES = 64_000_000;

/** `name`: what messages call it. */
export function openaiEmbedder(
  name: string,
  served: Served,
  surroundings: ModelSurroundings,
  { count = estimateTokens, mostBytes = MOST_BYTES }: OpenaiEmbedderOptions = {},
): Embedder {
  return {
    async embed(texts, signal) {
      if (texts.length === 0) return { ok: true, vectors: [], usage: { input: 0, output: 0 } };
      const connected = connect(name, served, surroundings);
      if (!connected.ok) return connected;
      const { connection } = connected;
      const tried = await attempt(
        { connection, surroundings, signal, timeout: served.timeout, mostBytes },
        async (client, until): Promise<unknown> => {
          const body = { model: served.model, input: [...texts], encoding_format: 'float' as const };
          return client.embeddings.create(body, { signal: until });
        },
      );
      if (!tried.ok) return { ok: false, failure: tried.failure };
      const answered = isJsonObject(tried.value) ? tried.value : {};
      const vectors = readVectors(answered.data, texts.length);
      if (vectors === undefined)
        return { ok: false, failure: noReply(connection.who, 'no vectors of one length, one for each text') };
      const counted = texts.reduce((sum, text) => sum + count(text), 0);
      const usage = readUsage(answered.usage);
      return { ok: true, vectors, usage: usage ?? { input: counted, output: 0, estimated: true } };
    },
  };
}

/** Servers may answer in another order, and then number what they answer. */
function readVectors(data: Json | undefined, expected: number): readonly Vector[] | undefined {
  if (!isJsonArray(data) || data.length !== expected) return undefined;
  const vectors: Vector[] = [];
  data.forEach((each, at) => {
    const index = ownProperty(each, 'index');
    const embedding = ownProperty(each, 'embedding');
    if (isVector(embedding)) vectors[typeof index === 'number' ? index : at] = embedding;
  });
  const [first] = vectors;
  const whole = vectors.length === expected && first !== undefined;
  return whole && Array.from(vectors).every((each) => each?.length === first.length) ? vectors : undefined;
}

function isVector(value: Json | undefined): value is readonly number[] {
  return isJsonArray(value) && value.length > 0 && value.every((each) => typeof each === 'number');
}
