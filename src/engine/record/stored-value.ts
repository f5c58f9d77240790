// Values as the journal keeps them: small ones in the event, large ones once, by digest, in the blob table.
import { type Digest, digestOfText } from '../../base/digest.ts';
import type { Json } from '../../base/json.ts';
import type { StoredValue } from './event-parts.schema.ts';

export interface Blob {
  readonly digest: Digest;
  readonly text: string;
}

/** Values of at most this many characters of JSON stand in the event itself. */
const INLINE_LIMIT = 1_024;

/** The value to put in an event, and the blob to store beside it when it is large. `text` is its JSON. */
export function storeValue(
  value: Json,
  text: string = JSON.stringify(value),
): { readonly kept: StoredValue; readonly blob?: Blob } {
  if (text.length <= INLINE_LIMIT) return { kept: { value } };
  const digest = digestOfText(text);
  return { kept: { digest, bytes: text.length }, blob: { digest, text } };
}

/** Values that were loaded for one command, by digest. */
export type LoadedValues = ReadonlyMap<Digest, Json>;

/** The value, or undefined when it lies in a blob that was not loaded. */
export function valueIn(kept: StoredValue, values: LoadedValues): Json | undefined {
  return 'value' in kept ? kept.value : values.get(kept.digest);
}
