// The builtin nth: an element by index, or a default.

import { typeError } from './exception.ts';
import { elementAt } from './host.ts';
import { characterAt } from './invoke.ts';
import { aKind, type Machine, type Value } from './value.ts';

/** Without a default, an index out of range is an error; nil gives nil at any index. */
export function nth(m: Machine, from: Value, index: number, otherwise: Value | undefined): Value {
  if (from === null) return otherwise ?? null;
  const at = Math.trunc(index);
  if (typeof from === 'string') {
    const found = characterAt(m, from, at);
    if (found !== undefined) return found;
  } else if (typeof from === 'object' && from.kind === 'vector') {
    if (at >= 0 && at < from.size) return elementAt(from, at);
  } else {
    throw typeError(
      `${aKind(from)} has no order to take an element from`,
      'use (seq m) for the entries of a map or the elements of a set',
    );
  }
  if (otherwise !== undefined) return otherwise;
  throw typeError(`index ${at} is outside`, 'give nth a default: (nth xs i nil)');
}
