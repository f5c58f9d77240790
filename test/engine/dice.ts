// A random number generator whose numbers depend on the seed and the subject, not on the order of calls.

/** A number from 0 to 1, always the same for the same subject. */
export function dice(seed: number, ...about: readonly (string | number)[]): number {
  let h = seed ^ 0x9e3779b9;
  for (const char of about.join('|')) h = Math.imul(h ^ char.charCodeAt(0), 0x01000193) >>> 0;
  h ^= h >>> 15;
  return ((Math.imul(h, 0x2c1b3c6d) >>> 0) % 10_000) / 10_000;
}
