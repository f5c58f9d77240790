// The guess at tokens, held against counts that real encoders give.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundedCount, bytesOf, estimateTokens } from '../../src/context/tokens.ts';

/** Encoding cl100k_base, as published in OpenAI's cookbook, "How to count tokens with tiktoken", and its translations. */
const published: readonly (readonly [string, number])[] = [
  ['tiktoken is great!', 6],
  ['antidisestablishmentarianism', 6],
  ['2 + 2 = 4', 7],
  ['お誕生日おめでとう', 9],
  ['Hello, how are you doing today?', 8],
  ['The quick brown fox jumps over the lazy dog.', 10],
];

/** What encoders take long over; digits they take three at a time. */
const pathological = ['a', '7', '😀', ' ', '-', '漢'];

describe('the estimate of tokens', () => {
  for (const [text, tokens] of published) {
    it(`is no less than the ${tokens} of "${text}", and at most three times as much`, () => {
      expect(estimateTokens(text)).toBeGreaterThanOrEqual(tokens);
      expect(estimateTokens(text)).toBeLessThanOrEqual(3 * tokens);
    });
  }

  it('is nothing for no text, and otherwise between an eighth of the characters and all the bytes', () => {
    expect(estimateTokens('')).toBe(0);
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'binary' }), (text) => {
        expect(estimateTokens(text)).toBeGreaterThanOrEqual(text.length / 8);
        expect(estimateTokens(text)).toBeLessThanOrEqual(bytesOf(text));
      }),
    );
  });

  it('is dearer where letters and digits touch, as in digests, and where letters make no word', () => {
    const words = 'the step that reads all files of a folder';
    const perCharacter = (text: string) => estimateTokens(text) / text.length;
    expect(perCharacter('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b')).toBeGreaterThan(1.5 * perCharacter(words));
    expect(perCharacter('donaudampfschifffahrtselektrizitaeten')).toBeGreaterThan(perCharacter(words));
  });

  it.each(pathological)('of a megabyte of %j is between an eighth of it and its bytes', (unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(text.length / 8);
    expect(estimateTokens(text)).toBeLessThanOrEqual(bytesOf(text));
  });
});

describe('an exact count', () => {
  const perWord = (text: string) => (text.match(/\S+/g) ?? []).length;

  it('is the encoder’s own of text with words in it', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 100 }), (text) => {
        expect(boundedCount(perWord)(text)).toBe(perWord(text));
      }),
    );
  });

  it.each(pathological)('of a text that runs on with %j is made in pieces, none of them long', (unit) => {
    const pieces: string[] = [];
    const count = boundedCount((text) => {
      pieces.push(text);
      return text.length;
    });
    const text = `before ${unit.repeat(100_000 / unit.length)} after`;
    expect(count(text)).toBe(text.length);
    expect(pieces.join('')).toBe(text);
    if (unit !== '7') expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThanOrEqual(200);
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
