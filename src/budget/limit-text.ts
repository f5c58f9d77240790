// Prints limits and figures of a budget as people write them: `$5.00`, `30m`, `100`.
import { counted } from '../base/counted.ts';
import { durationText, moneyText } from '../base/quantity.ts';

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
