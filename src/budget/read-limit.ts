// How the value of a limit is written, in a template or by whoever raises it: `$5.00`, `30m`, `200k`.
import { type Reading, readDuration, readMoney, readSize } from '../base/quantity.ts';
import type { Exhaustible } from './limits.ts';

export function readLimit(of: Exhaustible, written: string | number): Reading {
  if (of === 'time') return readDuration(written);
  return of === 'cost_usd' ? readMoney(written) : readSize(written);
}
