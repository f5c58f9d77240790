// Both embedders pass the embedder suite, and the OpenAI embedder validates the server's response.
import { describe, expect, it } from 'vitest';
import { openaiEmbedder } from '../../src/llm/openai-embedder.ts';
import { wordEmbedder } from '../../src/llm/word-embedder.ts';
import { boundary } from '../../src/runtime/ports/boundary.ts';
import { embedderSuite } from '../../src/testing/embedder-suite.ts';
import { openModelServer } from '../../src/testing/model-server.ts';
import { profileOf } from '../profile-of.ts';
import { answering, rawJson } from './raw-server.ts';

embedderSuite({ describe, it }, 'words', async () => ({ embedder: wordEmbedder, remove: async () => {} }));

embedderSuite({ describe, it }, 'openai', async () => {
  const server = await openModelServer();
  const embedder = openaiEmbedder('near', profileOf({ baseUrl: server.url }), boundary({}));
  return { embedder, remove: server.close };
});

describe('the embedder of OpenAI', () => {
  const { signal } = new AbortController();

  it.each([
    ['fewer vectors than texts', [{ embedding: [1, 2] }]],
    ['vectors of different lengths', [{ embedding: [1, 2] }, { embedding: [1] }]],
    ['a repeated index', [0, 0].map((index) => ({ index, embedding: [1, 2] }))],
    ['an index out of range', [0, 9].map((index) => ({ index, embedding: [1, 2] }))],
    ['vectors of text', [{ embedding: 'AAAA' }, { embedding: 'AAAA' }]],
    ['no data', null],
  ])('refuses a response with %s', async (_, data) => {
    await answering(rawJson({ data }), async (_model, url) => {
      const embedded = await openaiEmbedder('near', profileOf({ baseUrl: url }), boundary({})).embed(
        ['a', 'b'],
        signal,
      );
      expect(embedded).toMatchObject({ ok: false, error: { code: 'MODEL_REPLY_INVALID' } });
    });
  });

  it('returns the vectors in the order of the texts', async () => {
    const data = [1, 0].map((index) => ({ index, embedding: [index, 1] }));
    await answering(rawJson({ data }), async (_model, url) => {
      const embedded = await openaiEmbedder('near', profileOf({ baseUrl: url }), boundary({})).embed(
        ['a', 'b'],
        signal,
      );
      expect(embedded).toMatchObject({
        ok: true,
        value: {
          vectors: [
            [0, 1],
            [1, 1],
          ],
          usage: { input: 2, output: 0, estimated: true },
        },
      });
    });
  });

  it('fails with the same codes as a model', async () => {
    const lost = await openaiEmbedder('near', profileOf(), boundary({})).embed(['a'], signal);
    expect(lost).toMatchObject({ ok: false, error: { code: 'MODEL_NOT_CONFIGURED' } });
    const server = await openModelServer({ key: 'sk-test' });
    const refused = await openaiEmbedder('near', profileOf({ baseUrl: server.url }), boundary({})).embed(['a'], signal);
    expect(refused).toMatchObject({ ok: false, error: { code: 'MODEL_ACCESS_REFUSED', retry: 'never' } });
    await server.close();
  });
});
