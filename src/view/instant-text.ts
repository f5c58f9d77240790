// A point in time for people, the same wherever it is read.
import type { Instant } from '../base/quantity.ts';

/** `2026-03-01 12:00 UTC` */
export function instantText(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
