// The key under which a value is found in a map or set: equal values have equal keys.
import { elements, settle, textKey } from './host.ts';
import { burn, enter, leave } from './machine.ts';
import type { Key, Machine, Value } from './value.ts';

export function keyOf(m: Machine, value: Value): Key {
  if (typeof value === 'string') return textKey(value);
  if (typeof value !== 'object' || value === null) return value;
  return value.kind === 'keyword' ? value.key : `\u0000${spelled(m, value)}`;
}

/** Text that is the same for equal values and for no others. */
function spelled(m: Machine, value: Value): string {
  burn(m, 1);
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') return value === 0 ? '0' : String(value);
  if (typeof value === 'boolean') return String(value);
  if (value === null) return 'nil';
  switch (value.kind) {
    case 'keyword':
      return `:${JSON.stringify(value.name)}`;
    case 'symbol':
      return `'${JSON.stringify(value.name)}`;
    case 'vector':
      return inside(m, () => `[${elements(m, value).map((item) => spelled(m, item))}]`);
    case 'map': {
      const map = settle(m, value);
      return inside(
        m,
        () =>
          `{${sortedParts(map.size, (i) => `${spelled(m, map.keys[i] ?? null)} ${spelled(m, map.vals[i] ?? null)}`)}}`,
      );
    }
    case 'set': {
      const { map } = value;
      return inside(m, () => `#{${sortedParts(map.size, (i) => spelled(m, map.keys[i] ?? null))}}`);
    }
    default:
      return `@${identityOf(value)}`;
  }
}

function sortedParts(size: number, part: (index: number) => string): string {
  return Array.from({ length: size }, (_, i) => part(i))
    .sort()
    .join();
}

function inside<T>(m: Machine, walk: () => T): T {
  enter(m);
  const result = walk();
  leave(m);
  return result;
}

const identities = new WeakMap<object, number>();
let nextIdentity = 1;

/** Functions and regexes equal only themselves. */
function identityOf(value: object): number {
  const known = identities.get(value);
  if (known !== undefined) return known;
  identities.set(value, nextIdentity);
  nextIdentity += 1;
  return nextIdentity - 1;
}
