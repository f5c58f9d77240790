// A small generator of numbers, so that a world depends on its seed alone and not on the order of its questions.

/** From 0 to 1, always the same about the same. */
export function dice(seed: number, ...about: readonly (string | number)[]): number {
  let h = seed ^ 0x9e3779b9;
  for (const char of about.join('|')) h = Math.imul(h ^ char.charCodeAt(0), 0x01000193) >>> 0;
  h ^= h >>> 15;
  return ((Math.imul(h, 0x2c1b3c6d) >>> 0) % 10_000) / 10_000;
}
