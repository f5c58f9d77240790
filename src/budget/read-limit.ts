// Reads the value of a limit from a template or an order: `$5.00`, `30m`, `200k`.

import { readDuration, readMoney, readSize } from '../base/quantity.ts';
import type { Result } from '../base/result.ts';
import type { Exhaustible } from './limits.ts';

export function readLimit(of: Exhaustible, written: string | number): Result<number, string> {
  if (of === 'time') return readDuration(written);
  return of === 'cost_usd' ? readMoney(written) : readSize(written);
}
