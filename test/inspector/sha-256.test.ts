// Compares the page's hash function with that of Node.
import { hash as nodeHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { hash } from '../../src/inspector/page/sha-256.ts';

it('the page computes the digests that Node computes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => {
      expect(hash('sha256', text, 'base64url')).toBe(nodeHash('sha256', text, 'base64url'));
    }),
  );
});
