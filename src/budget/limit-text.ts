// How much of something a budget counts is said, as people would write it: `$5.00`, `30m`, `100`.
import { counted } from '../base/counted.ts';
import { durationText, moneyText } from '../base/quantity.ts';

/** `of`: a resource, a bound of a budget, or anything else that is counted; `time` and `wallClock` are in milliseconds. */
export function limitText(of: string, value: number): string {
  if (of === 'time' || of === 'wallClock') return durationText(value);
  return of === 'cost_usd' ? moneyText(value) : String(value);
}

/** `3 tool_calls`, `1 tool_call`, `1 tokens_in` */
export function unitText(count: number, resource: string): string {
  return counted(count, resource.replace(/s$/, ''), resource);
}
