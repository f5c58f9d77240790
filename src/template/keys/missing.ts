// The key `missing`: what the engine tries when no capability serves a step of a plan.
import { words } from './kinds.ts';

const missingStrategies = ['ask', 'synthesize', 'discover', 'suggest'] as const;

export type MissingStrategy = (typeof missingStrategies)[number];

/** The strategies in the written order, each once; undefined for `fail`. */
export const missing = words(
  'The ways that the engine tries, in this order, when a plan needs a capability that is not granted: `ask` a person, `synthesize` a pure capability, `discover` one on MCP servers, `suggest` where to find one. With `fail`, the planner only learns the nearest granted capability.',
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

/** The most questions to a model about missing capabilities for one proposal. */
export const MISSING_ASKS = 6;

/** Tells whether the strategies ask a model about missing capabilities, provided that one is configured. */
export function asksAboutMissing(strategies: readonly MissingStrategy[] = []): boolean {
  return strategies.some((each) => each !== 'discover');
}
