// A suite that holds for every embedder, for any test runner with `describe` and `it`.
import assert from 'node:assert/strict';
import { good } from '../base/result.ts';
import type { Embedder, Vector } from '../llm/embedder.ts';
import type { TestRunner } from './journal-samples.ts';

export interface EmbedderUnderTest {
  readonly embedder: Embedder;
  remove(): Promise<void>;
}

export function embedderSuite(
  { describe, it }: TestRunner,
  name: string,
  open: () => Promise<EmbedderUnderTest>,
): void {
  function test(sentence: string, body: (embedder: Embedder) => Promise<void>): void {
    it(sentence, async () => {
      const { embedder, remove } = await open();
      try {
        await body(embedder);
      } finally {
        await remove();
      }
    });
  }

  describe(`${name}: vectors`, () => {
    test('each text gets one vector, in order and of one length, and the usage is reported', async (embedder) => {
      const texts = ['read a file', 'grüß 🌍', 'read a file'];
      const embedded = await embedder.embed(texts, new AbortController().signal);
      if (!embedded.ok) assert.fail(embedded.error.message);
      const [first, second, third] = embedded.value.vectors;
      assert.equal(embedded.value.vectors.length, 3);
      assert.deepEqual(first, third);
      assert.notDeepEqual(first, second);
      assert.equal(first?.length, second?.length);
      assert.ok(embedded.value.usage.input > 0);
      assert.equal(embedded.value.usage.output, 0);
    });

    test('texts with nearly the same meaning get similar vectors', async (embedder) => {
      const texts = ['read the rows of a table', 'read rows from a table', 'send a letter home'];
      const embedded = await embedder.embed(texts, new AbortController().signal);
      if (!embedded.ok) assert.fail(embedded.error.message);
      const [one, near, far] = embedded.value.vectors;
      assert.ok(one !== undefined && near !== undefined && far !== undefined);
      assert.ok(likeness(one, near) > likeness(one, far));
    });

    test('an empty list gets no vectors and uses no tokens', async (embedder) => {
      const embedded = await embedder.embed([], new AbortController().signal);
      assert.deepEqual(embedded, good({ vectors: [], usage: { input: 0, output: 0 } }));
    });

    test('a request that is already aborted fails with MODEL_ABORTED', async (embedder) => {
      const embedded = await embedder.embed(['a text'], AbortSignal.abort());
      assert.equal(embedded.ok ? 'it answered' : embedded.error.code, 'MODEL_ABORTED');
    });
  });
}

/** The cosine of two vectors. */
function likeness(left: Vector, right: Vector): number {
  const product = left.reduce((sum, each, at) => sum + each * (right[at] ?? 0), 0);
  return product / (Math.hypot(...left) * Math.hypot(...right));
}
