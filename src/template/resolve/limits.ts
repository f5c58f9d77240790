// The limits of one evaluation of Lisp, as written; those not written are the language's own.
import type { JsonObject } from '../../base/json.ts';
import { readSize } from '../../base/quantity.ts';
import { durationAt, quantityAt } from '../keys/readers.ts';

const counted = ['fuel', 'cells', 'depth', 'text', 'output', 'nesting', 'source'];

export function resolveLispLimits(raw: JsonObject): Readonly<Record<string, number>> {
  const limits: Record<string, number> = {};
  for (const key of counted) {
    const value = quantityAt(raw, key, readSize);
    if (value !== undefined) limits[key] = value;
  }
  const deadline = durationAt(raw, 'deadline');
  if (deadline !== undefined) limits.deadline = deadline;
  return limits;
}
