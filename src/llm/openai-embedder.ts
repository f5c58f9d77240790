// An embedder on any server with the embeddings API, reached with OpenAI's client.
import { isJsonArray, isJsonObject, type Json, ownProperty } from '../base/json.ts';
import { bad, good } from '../base/result.ts';
import { type CountTokens, estimateTokens } from '../context/tokens.ts';
import { serverAt } from '../model/model-server.ts';
import { readUsage } from './chat-usage.ts';
import { connect, type ModelSurroundings, type ServedModel } from './connection.ts';
import type { Embedder, Vector } from './embedder.ts';
import { noReply } from './model-failure.ts';
import { sendRequest } from './send-request.ts';

export interface OpenaiEmbedderOptions {
  /** Counts tokens for servers that report no usage. */
  readonly count?: CountTokens;
  /** The most bytes to read of a response. */
  readonly mostBytes?: number;
}

const MOST_BYTES = 64_000_000;

/** @param name the name for messages */
export function openaiEmbedder(
  name: string,
  served: ServedModel,
  surroundings: ModelSurroundings,
  { count = estimateTokens, mostBytes = MOST_BYTES }: OpenaiEmbedderOptions = {},
): Embedder {
  return {
    async embed(texts, signal, { onServer, headers } = {}) {
      if (texts.length === 0) return good({ vectors: [], usage: { input: 0, output: 0 } });
      const connected = connect(name, served, surroundings);
      if (!connected.ok) return connected;
      const connection = connected.value;
      onServer?.(serverAt(connection.baseUrl) ?? {});
      const tried = await sendRequest(
        { connection, surroundings, signal, headers, timeout: served.timeout, mostBytes },
        async (client, until): Promise<unknown> => {
          const body = { model: served.model, input: [...texts], encoding_format: 'float' as const };
          return client.embeddings.create(body, { signal: until });
        },
      );
      if (!tried.ok) return bad(tried.error.failure);
      const answered = isJsonObject(tried.value) ? tried.value : {};
      const vectors = readVectors(answered.data, texts.length);
      if (vectors === undefined) return bad(noReply(connection.who, 'no vectors of one length, one for each text'));
      const counted = texts.reduce((sum, text) => sum + count(text), 0);
      const usage = readUsage(answered.usage);
      return good({ vectors, usage: usage ?? { input: counted, output: 0, estimated: true } });
    },
  };
}

/** Servers may return vectors in another order, with an index for each. */
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
