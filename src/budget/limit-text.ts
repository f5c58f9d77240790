// Reads and prints the limits of a budget as people write them: `$5.00`, `30m`, `200k`.
import { counted } from '../base/counted.ts';
import { durationText, moneyText, readDuration, readMoney, readSize } from '../base/quantity.ts';
import type { Result } from '../base/result.ts';
import type { Exhaustible } from './limits.ts';

/**
 * `time` and `wallClock` are in milliseconds.
 * @param of a resource, a bound of a budget, or any other counted thing
 */
export function limitText(of: string, value: number): string {
  if (of === 'time' || of === 'wallClock') return durationText(value);
  return of === 'cost_usd' ? moneyText(value) : String(value);
}

/** `3 tool_calls`, `1 tool_call`, `1 tokens_in` */
export function unitText(count: number, resource: string): string {
  return counted(count, resource.replace(/s$/, ''), resource);
}

export function readLimit(of: Exhaustible, written: string | number): Result<number, string> {
  if (of === 'time') return readDuration(written);
  return of === 'cost_usd' ? readMoney(written) : readSize(written);
}
