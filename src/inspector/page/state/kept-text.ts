// A kept value as a text that is the same for the same value.
import { canonicalJson } from '../../../base/json.ts';
import type { Kept } from '../../../engine/kept.ts';

export function keptText(kept: Kept | undefined): string {
  if (kept === undefined) return '';
  return 'value' in kept ? canonicalJson(kept.value) : kept.digest;
}
