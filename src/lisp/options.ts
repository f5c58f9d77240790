// Keyword arguments: the remaining arguments of a call as a map.

import { arityError } from './exception.ts';
import { mapBuilder } from './map.ts';
import { seq } from './seq.ts';
import { isMap, type Machine, type Value } from './value.ts';

/** `[:a 1 :b 2]` or `[{:a 1}]` as a map; a map stays as it is. */
export function keywordArguments(m: Machine, rest: Value): Value {
  if (rest === null || isMap(rest)) return rest;
  const items = seq(m, rest, 'a map pattern after &');
  const [only] = items;
  if (items.length === 1 && only !== undefined && isMap(only)) return only;
  if (items.length % 2 === 1) throw arityError('keyword arguments need a value for each key');
  const map = mapBuilder(m);
  for (let i = 0; i < items.length; i += 2) map.add(items[i] ?? null, items[i + 1] ?? null);
  return map.done();
}
