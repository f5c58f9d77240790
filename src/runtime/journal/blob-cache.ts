// Loads large values for the core from the journal, and keeps the last ones read.

import type { Digest } from '../../base/digest.ts';
import { Fault } from '../../base/fault.ts';
import type { Json } from '../../base/json.ts';

/** The most characters of JSON to keep. */
const MOST_CHARACTERS = 16_000_000;

const NONE: ReadonlyMap<Digest, Json> = new Map();

export interface BlobCache {
  /** Adds a value that is about to be written, so that it need not be read back. */
  put(digest: Digest, text: string): void;
  load(digests: readonly Digest[]): ReadonlyMap<Digest, Json>;
}

export function blobCache(read: (digest: Digest) => string | undefined): BlobCache {
  const texts = new Map<Digest, string>();
  let size = 0;

  function put(digest: Digest, text: string): void {
    if (texts.has(digest)) return;
    texts.set(digest, text);
    size += text.length;
    for (const [oldest, old] of texts) {
      if (size <= MOST_CHARACTERS || oldest === digest) break;
      texts.delete(oldest);
      size -= old.length;
    }
  }

  function textOf(digest: Digest): string {
    const known = texts.get(digest) ?? read(digest);
    if (known === undefined) throw new Fault(`the journal has lost the value ${digest}`);
    put(digest, known);
    return known;
  }

  return {
    put,
    load: (digests) =>
      digests.length === 0 ? NONE : new Map(digests.map((digest) => [digest, JSON.parse(textOf(digest)) as Json])),
  };
}
