// Secrets are removed from a text that arrives in pieces, wherever it is cut.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactedPieces } from '../../src/runtime/ports/redact-pieces.ts';
import { redactionOf } from '../../src/runtime/ports/redaction.ts';

function redacted(pieces: readonly string[], secrets: readonly string[]): readonly string[] {
  const redaction = redactionOf(secrets);
  const stream = redactedPieces(() => redaction);
  return [...pieces.map((piece) => stream.take(piece)), stream.end()];
}

function cutAt(text: string, cuts: readonly number[]): readonly string[] {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((one, other) => one - other);
  return [...places, text.length].map((place, index) => text.slice(places[index - 1] ?? 0, place));
}

const secret = fc.oneof(
  fc.string({ minLength: 4, maxLength: 60, unit: fc.constantFrom('a', 'b', ' ', '+', '/', '"', 'é', '7') }),
  fc.string({ minLength: 4, maxLength: 30 }),
);
const lines = (digits: string): string => digits.replace(/.{44}/g, '$&\n');

describe('the redacted pieces of a text', () => {
  it('are together the redaction of the whole, for secrets in any form and any cut', () => {
    fc.assert(
      fc.property(
        fc.array(secret, { minLength: 1, maxLength: 3 }),
        fc.array(fc.oneof(fc.nat(20), fc.constantFrom(' and ', 'ab', '\n', 'a', 'word')), { maxLength: 10 }),
        fc.array(fc.nat(10_000), { maxLength: 30 }),
        (secrets, parts, cuts) => {
          const text = parts
            .map((part) => {
              if (typeof part === 'string') return part;
              const hidden = secrets[part % secrets.length] ?? '';
              const bytes = Buffer.from(`padding of some length ${hidden} and more of it`);
              const forms = [hidden, JSON.stringify(hidden), encodeURIComponent(hidden.toWellFormed())];
              return [...forms, lines(bytes.toString('base64')), lines(bytes.toString('hex'))][part % 5];
            })
            .join('');
          const whole = redactionOf(secrets).text(text);
          expect(redacted(cutAt(text, cuts), secrets).join('')).toBe(whole);
          expect(redacted([...text], secrets).join('')).toBe(whole);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('come with each word, and hold no part of a secret that is cut', () => {
    const pieces = redacted([...'The key is sk-live-0815 4711, keep it. '], ['sk-live-0815 4711']);
    expect(pieces.filter((piece) => piece !== '')).toEqual(['The ', 'key ', 'is ', '***,', ' ', 'keep ', 'it.', ' ']);
  });

  it('take no time that grows with the square of the length', () => {
    const bytes = Buffer.alloc(600_000, 'harbor').toString('base64');
    expect(redacted(bytes.match(/.{1,4}/g) ?? [], ['sk-live-0815 4711']).join('')).toBe(bytes);
  });

  it('come as they are when no secret is known', () => {
    expect(redacted(['The ke', 'y i', 's '], [])).toEqual(['The ke', 'y i', 's ', '']);
  });
});
