// The further calls of an approval in words.
import type { Grant } from '../engine/record/gate-events.schema.ts';

export function grantText(grant: Grant | undefined): string {
  if (grant === undefined) return '';
  return grant === 'step' ? 'for the whole step' : 'for every call of it in this run';
}
