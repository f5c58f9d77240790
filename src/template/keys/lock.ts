// The keys `lock` and `on_unknown_outcome`: whether a person decides about changed tools and models, and about calls with an unknown outcome.
import type { Json } from '../../base/json.ts';
import { type KeyValues, readKeys } from './key.ts';
import { choice, duration, map } from './kinds.ts';

/** `off` does nothing, `warn` warns, and `ask` lets a person decide before anything is called. */
const lockModes = ['off', 'warn', 'ask'] as const;

export type LockMode = (typeof lockModes)[number];

const lockKeys = {
  tools: choice('The reaction to changed tools of MCP servers.', lockModes).or('ask'),
  models: choice('The reaction when another model answers than the locked one.', lockModes).or('warn'),
};

export type LockSetting = KeyValues<typeof lockKeys>;

/** The setting of a template without the key `lock`. */
export const defaultLock: LockSetting = readKeys(lockKeys, {});

export const lock = map(
  'The reaction to tools or models that differ from reconverge.lock: none (`off`), a warning (`warn`), or a question to a person before anything is called (`ask`). One word applies to tools and models. Without a lock file nothing is compared.',
  lockKeys,
).orShort(
  {
    type: ['string', 'object'],
    pattern: '^(off|warn|ask)$',
    'x-expects': 'off, warn or ask, or a map with tools and models',
  },
  (written): LockSetting | undefined => {
    const mode = lockModes.find((each) => each === written);
    return mode && { tools: mode, models: mode };
  },
);

/** Reads the setting from a template whose shape is not checked yet. */
export function readLockSetting(written: Json | undefined): LockSetting | undefined {
  return lock.read(written, []);
}

const askKeys = { expires_in: duration('The time for an answer; after it the step fails.') };

/** Without `expiresIn`, the question stays open until somebody answers. */
export type UnknownOutcome = { readonly mode: 'ask' | 'fail' } & KeyValues<typeof askKeys>;

export const unknownOutcome = map(
  'The reaction to a call with an unknown outcome that must not be repeated (`repeat: never`): a person is asked, or the step fails with OUTCOME_UNKNOWN.',
  askKeys,
)
  .to((read): UnknownOutcome => ({ mode: 'ask', ...read }))
  .orShort(
    {
      type: ['string', 'object'],
      pattern: '^(ask|fail)$',
      'x-expects': 'ask, fail, or { expires_in }, which asks for that long',
      default: 'ask',
    },
    (written): UnknownOutcome | undefined => (written === 'ask' || written === 'fail' ? { mode: written } : undefined),
  );
