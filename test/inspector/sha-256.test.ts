// Digests mean the same in the page as everywhere.
import { hash as nodeHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hash } from '../../src/inspector/page/sha-256.ts';

it('is what Node says', () => {
  for (const length of [0, 1, 54, 55, 56, 57, 63, 64, 65, 119, 120, 1_000]) {
    const text = 'ä'.repeat(length / 2) + 'b'.repeat(length % 2);
    expect(hash('sha256', text, 'base64url')).toBe(nodeHash('sha256', text, 'base64url'));
  }
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(hash('sha256', text, 'base64url')).toBe(nodeHash('sha256', text, 'base64url'));
    }),
  );
});
