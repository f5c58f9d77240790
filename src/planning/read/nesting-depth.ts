// Measures nesting without recursion, because a reply may nest deeper than the stack.
import type { Json } from '../../base/json.ts';

export function isDeeperThan(value: Json, limit: number): boolean {
  let level: Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
  return false;
}
