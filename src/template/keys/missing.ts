// What may be done where nothing serves what a plan wants.
import type { JsonObject } from '../../base/json.ts';
import { wordsAt } from './readers.ts';

export const missingStrategies = ['ask', 'synthesize', 'discover', 'suggest'] as const;

export type MissingStrategy = (typeof missingStrategies)[number];

/** In their order, each once; undefined for `fail`, as where nothing is said. */
export function readMissing(raw: JsonObject): readonly MissingStrategy[] | undefined {
  const words = new Set(wordsAt(raw, 'missing'));
  const read = [...words].flatMap((word) => missingStrategies.filter((each) => each === word));
  return read.length === 0 ? undefined : read;
}

/** So often a model is asked for one proposal about what is missing, at most. */
export const MISSING_ASKS = 6;

/** Whether a model is asked about what is missing, where there is one. */
export function asksAboutMissing(strategies: readonly MissingStrategy[] = []): boolean {
  return strategies.some((each) => each !== 'discover');
}
