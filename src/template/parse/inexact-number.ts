// Explains numbers that a program cannot keep as they are written.
import { shortened } from './mistakes/mistake.ts';

export const NUMBER_HINT = `write a number up to ${Number.MAX_SAFE_INTEGER}, or put it in quotes to keep it as text`;

export function inexactNumber(source: string): string {
  const written = shortened(source, 30);
  return Number.isFinite(Number(source))
    ? `${written} is too large to be exact`
    : `${written} is too large for a number`;
}
