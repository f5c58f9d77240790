// Finished work as it is known by content: what was called, with what, against which contract, and what came of it.
import { type Digest, digestOf } from '../../base/digest.ts';
import type { JsonObject } from '../../base/json.ts';

/** The same for calls that a step may take over from each other, whatever they are called. */
export function contentKey(capability: string, input: Digest, contract: JsonObject | undefined): Digest {
  return digestOf([capability, input, contract ?? null]);
}
