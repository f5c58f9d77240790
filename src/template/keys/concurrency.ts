// The key `concurrency`: limits on parallel work, per run, per concurrency key and per capability.
import { type Duration, readDuration } from '../../base/quantity.ts';
import { type KeyValues, readKeys } from './key.ts';
import { count, map, mapByName, textLike } from './kinds.ts';

const rateLimitKeys = {
  max: count('The most attempts or calls at the same time.', 1),
  rate: textLike(
    '^ *[1-9][0-9]* */ *([1-9][0-9]*)?(ms|s|m|h|d) *$',
    'a rate such as 10/s, 100/m or 5/10s',
    'The most attempts or calls that may begin in any period of this length.',
    '10/s',
    '100/5m',
  ).to(rateOf),
};

/** The limits of a concurrency key, or of the calls of a capability. */
export type RateLimit = KeyValues<typeof rateLimitKeys>;

const rateLimit = map('One limit.', rateLimitKeys);

const concurrencyKeys = {
  max: count('The most attempts of one run at the same time.', 1).or(10),
  keys: mapByName(
    'Limits by `concurrency_key`. All runs of a process share a limit; if runs set different limits, the lowest applies.',
    rateLimit,
  ).orElse({}),
  capabilities: mapByName(
    'Limits by capability, for all calls of steps, agents and planners; shared like `keys`. `github.*` is one limit for all capabilities of that name prefix.',
    rateLimit,
    { 'github.*': { max: 4, rate: '30/m' } },
  ),
};

export const concurrency = map('Limits on parallel work.', concurrencyKeys).orElse(readKeys(concurrencyKeys, {}));

/** Reads `10/s` or `100 / 5m`. */
function rateOf(written: string): { readonly count: number; readonly per: Duration } | undefined {
  const [, times, time = ''] = /^(\d+)\s*\/\s*(\S+)$/.exec(written.trim()) ?? [];
  const per = readDuration(/^\d/.test(time) ? time : `1${time}`);
  return times === undefined || !per.ok ? undefined : { count: Number(times), per: per.value };
}
