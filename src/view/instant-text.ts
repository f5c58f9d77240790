// Prints a point in time in UTC, equal on every machine.
import type { Duration, Instant } from '../base/quantity.ts';

const HOUR: Duration = 3_600_000;

/** `2026-03-01 12:00 UTC`; with seconds if `beside` is less than an hour away. */
export function instantText(at: Instant, beside?: Instant): string {
  const digits = beside !== undefined && Math.abs(at - beside) < HOUR ? 19 : 16;
  return `${new Date(at).toISOString().slice(0, digits).replace('T', ' ')} UTC`;
}
