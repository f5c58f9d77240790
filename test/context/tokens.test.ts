// The guess at tokens, held against counts that real encoders give.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, estimateTokens } from '../../src/context/tokens.ts';

/** Encoding cl100k_base, as published in OpenAI's cookbook, "How to count tokens with tiktoken", and its translations. */
const published: readonly (readonly [string, number])[] = [
  ['tiktoken is great!', 6],
  ['antidisestablishmentarianism', 6],
  ['2 + 2 = 4', 7],
  ['お誕生日おめでとう', 9],
  ['Hello, how are you doing today?', 8],
  ['The quick brown fox jumps over the lazy dog.', 10],
];

describe('the estimate of tokens', () => {
  for (const [text, tokens] of published) {
    it(`is no less than the ${tokens} of "${text}", and at most three times as much`, () => {
      expect(estimateTokens(text)).toBeGreaterThanOrEqual(tokens);
      expect(estimateTokens(text)).toBeLessThanOrEqual(3 * tokens);
    });
  }

  it('is nothing for no text, and otherwise between an eighth of the characters and two tokens for each', () => {
    expect(estimateTokens('')).toBe(0);
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'binary' }), (text) => {
        expect(estimateTokens(text)).toBeGreaterThanOrEqual(text.length / 8);
        expect(estimateTokens(text)).toBeLessThanOrEqual(2 * text.length);
      }),
    );
  });
});

describe('the bytes of a text', () => {
  it('are those of UTF-8', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        expect(bytesOf(text)).toBe(Buffer.byteLength(text));
      }),
    );
  });
});
