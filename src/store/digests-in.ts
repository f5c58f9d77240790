// The texts that an entry names: their digests, anywhere in its payload.
import type { Digest } from '../base/digest.ts';

const QUOTED = /"([\w-]{22})"/g;

/** All digests in a payload, and perhaps other texts that look like one. */
export function digestsIn(payload: string): readonly Digest[] {
  return Array.from(payload.matchAll(QUOTED), ([, digest = '']) => digest);
}
