// The token estimate, compared with the counts of real encoders.
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

/** Text that encoders are slow on, and digits, which encoders take in threes. */
const pathological = ['a', '7', '😀', ' ', '-', '漢'];

describe('the estimate of tokens', () => {
  for (const [text, tokens] of published) {
    it(`is no less than the ${tokens} of "${text}", and at most three times as much`, () => {
      expect(estimateTokens(text)).toBeGreaterThanOrEqual(tokens);
      expect(estimateTokens(text)).toBeLessThanOrEqual(3 * tokens);
    });
  }

  it('is 0 for empty text, and otherwise between an eighth of the characters and all bytes', () => {
    expect(estimateTokens('')).toBe(0);
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'binary' }), (text) => {
        expect(estimateTokens(text)).toBeGreaterThanOrEqual(text.length / 8);
        expect(estimateTokens(text)).toBeLessThanOrEqual(bytesOf(text));
      }),
    );
  });

  it('is higher where letters and digits touch, and where letters form no word', () => {
    const words = 'the step that reads all files of a folder';
    const perCharacter = (text: string) => estimateTokens(text) / text.length;
    expect(perCharacter('9f86d081884c7d659a2feaa0c55ad015a3bf4f1b')).toBeGreaterThan(1.5 * perCharacter(words));
    expect(perCharacter('donaudampfschifffahrtselektrizitaeten')).toBeGreaterThan(perCharacter(words));
  });

  it.each(pathological)('for a megabyte of %j lies between an eighth of it and its bytes', (unit) => {
    const text = unit.repeat(1_000_000 / unit.length);
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(text.length / 8);
    expect(estimateTokens(text)).toBeLessThanOrEqual(bytesOf(text));
  });
});

describe('an exact count', () => {
  const perWord = (text: string) => (text.match(/\S+/g) ?? []).length;

  it('equals the encoder’s own count for text with words', () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 100 }), (text) => {
        expect(boundedCount(perWord)(text)).toBe(perWord(text));
      }),
    );
  });

  it.each(pathological)('splits a run of %j into short pieces', (unit) => {
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
