// Keys for calls and tools that a person may be asked about: calls with an unknown outcome, and what differs from the lock file.
import type { Json } from '../../base/json.ts';
import { type KeyValues, readKeys } from './key.ts';
import { choice, duration, map } from './kinds.ts';

/** `off` does nothing; `warn` warns and the run goes on; `ask` lets a person decide before anything is called. */
const lockModes = ['off', 'warn', 'ask'] as const;

export type LockMode = (typeof lockModes)[number];

const lockKeys = {
  tools: choice('Of MCP servers.', lockModes).or('ask'),
  models: choice('That answer.', lockModes).or('warn'),
};

export type LockSetting = KeyValues<typeof lockKeys>;

/** The setting of a template without `lock`. */
export const defaultLock: LockSetting = readKeys(lockKeys, {});

export const lock = map(
  'What happens where tools or models are not as reconverge.lock has them: nothing, a warning, or a question to a person before anything is called. One word is for both. Without a lock file nothing is compared.',
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

/** Reads the setting before the shape of the template has been checked. */
export function readLockSetting(written: Json | undefined): LockSetting | undefined {
  return lock.read(written, []);
}

const askKeys = { expires_in: duration('How long a person has; the step fails then.') };

/** Without `expiresIn`, a person has as long as it takes. */
export type UnknownOutcome = { readonly mode: 'ask' | 'fail' } & KeyValues<typeof askKeys>;

export const unknownOutcome = map(
  'What happens when nobody knows whether a call was carried out that may be made only once (`repeat: never`): a person is asked, or the step fails with OUTCOME_UNKNOWN.',
  askKeys,
)
  .to((read): UnknownOutcome => ({ mode: 'ask', ...read }))
  .orShort(
    {
      type: ['string', 'object'],
      pattern: '^(ask|fail)$',
      'x-expects': 'ask, fail, or { expires_in }, which asks for as long as that',
      default: 'ask',
    },
    (written): UnknownOutcome | undefined => (written === 'ask' || written === 'fail' ? { mode: written } : undefined),
  );
