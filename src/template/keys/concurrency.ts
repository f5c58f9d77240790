// Keys of `concurrency`: the limits on what runs at once, of a run, of a concurrency key and of a capability.
import { readDuration } from '../../base/quantity.ts';
import { type KeyValues, readKeys } from './key.ts';
import { count, map, mapByName, textLike } from './kinds.ts';

const rateLimitKeys = {
  max: count('The most attempts or calls at once.', 1),
  rate: textLike(
    '^ *[1-9][0-9]* */ *([1-9][0-9]*)?(ms|s|m|h|d) *$',
    'a rate such as 10/s, 100/m or 5/10s',
    'The most attempts or calls that begin in any such span of time.',
    '10/s',
    '100/5m',
  ).to(rateOf),
};

/** The limits of a concurrency key, or of the calls of a capability; the span of a rate is in milliseconds. */
export type RateLimit = KeyValues<typeof rateLimitKeys>;

const rateLimit = map('One limit.', rateLimitKeys);

const concurrencyKeys = {
  max: count('The most attempts of one run at once.', 1).or(10),
  keys: mapByName(
    'Limits by `concurrency_key`. All runs of a process share a limit; where runs set different limits, the lowest holds.',
    rateLimit,
  ).orElse({}),
  capabilities: mapByName(
    'Limits by capability, for every call of steps, agents and planners, shared like `keys`. `github.*` is one limit for all capabilities whose names begin so.',
    rateLimit,
    { 'github.*': { max: 4, rate: '30/m' } },
  ),
};

export const concurrency = map('Limits how much runs at once.', concurrencyKeys).orElse(readKeys(concurrencyKeys, {}));

/** `10/s`, `100 / 5m`; `per` is in milliseconds. */
function rateOf(written: string): { readonly count: number; readonly per: number } | undefined {
  const [, times, time = ''] = /^(\d+)\s*\/\s*(\S+)$/.exec(written.trim()) ?? [];
  const per = readDuration(/^\d/.test(time) ? time : `1${time}`);
  return times === undefined || !per.ok ? undefined : { count: Number(times), per: per.value };
}
