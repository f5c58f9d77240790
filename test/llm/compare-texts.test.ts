// Embeddings compare goals with texts: similar words score higher, and failures are reported.
import { expect, it } from 'vitest';
import { compareTexts } from '../../src/llm/compare-texts.ts';
import type { Embedder } from '../../src/llm/embedder.ts';
import { wordEmbedder } from '../../src/llm/word-embedder.ts';

const { signal } = new AbortController();

it('returns the similarity of each goal and each text, and the usage', async () => {
  const request = {
    goals: ['read a table', 'send a letter'],
    texts: ['read the table', 'send the letter', 'a letter'],
  };
  const compared = await compareTexts(wordEmbedder, request, signal);
  if (!compared.ok) throw new Error(compared.error.failure.message);
  const [reading = [], sending = []] = compared.value.alike;
  expect([reading.length, sending.length]).toEqual([3, 3]);
  expect(reading[0]).toBeGreaterThan(reading[1] ?? 1);
  expect(sending[1]).toBeGreaterThan(sending[0] ?? 1);
  expect(compared.value.usage.input).toBeGreaterThan(0);
});

it('embeds each text once, in requests of limited size', async () => {
  const asked: (readonly string[])[] = [];
  const counting: Embedder = {
    embed: (texts, until) => {
      asked.push(texts);
      return wordEmbedder.embed(texts, until);
    },
  };
  const texts = Array.from({ length: 300 }, (_, at) => `text ${at % 299}`);
  const compared = await compareTexts(counting, { goals: ['text 1'], texts }, signal);
  expect(asked.map(({ length }) => length)).toEqual([256, 43]);
  expect(compared.ok && compared.value.alike[0]?.[1]).toBe(1);
});

it('returns the failure, and the usage before it', async () => {
  const compared = await compareTexts(wordEmbedder, { goals: ['a'], texts: ['b'] }, AbortSignal.abort());
  expect(compared).toMatchObject({ ok: false, error: { failure: { code: 'MODEL_ABORTED' }, usage: { input: 0 } } });
});
