// The content key of finished work: its capability, its input and its contract.
import { type Digest, digestOf } from '../../base/digest.ts';
import type { JsonObject } from '../../base/json.ts';

/** Two calls with the same key may share a result. */
export function contentKey(capability: string, input: Digest, contract: JsonObject | undefined): Digest {
  return digestOf([capability, input, contract ?? null]);
}
