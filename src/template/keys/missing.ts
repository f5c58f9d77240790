// The key `missing`: what is tried when nothing serves a step of a plan.
import { words } from './kinds.ts';

const missingStrategies = ['ask', 'synthesize', 'discover', 'suggest'] as const;

export type MissingStrategy = (typeof missingStrategies)[number];

/** Read in the written order, each strategy once; undefined for `fail`. */
export const missing = words(
  'What is tried, in this order, where nothing serves what a plan wants: `ask` a person, `synthesize` a pure one, `discover` one on servers, `suggest` where there is one. With `fail` the planner is only told what comes nearest.',
  ['discover', 'ask'],
)
  .with({
    items: { type: 'string', enum: missingStrategies },
    pattern: `^(fail|${missingStrategies.join('|')})$`,
    'x-expects': `fail, or one or several of ${missingStrategies.join(', ')}`,
  })
  .to((named): readonly MissingStrategy[] | undefined => {
    const read = [...new Set(named)].flatMap((word) => missingStrategies.filter((each) => each === word));
    return read.length === 0 ? undefined : read;
  });

/** A model is asked about missing capabilities at most this often for one proposal. */
export const MISSING_ASKS = 6;

/** Whether a model is asked about missing capabilities, where a model is configured. */
export function asksAboutMissing(strategies: readonly MissingStrategy[] = []): boolean {
  return strategies.some((each) => each !== 'discover');
}
