// The key of a value in a map or set: equal values have equal keys.
import { elements, settle, textKey } from './host.ts';
import { allocate, burn, enter, leave, scan } from './machine.ts';
import type { Key, Machine, Value } from './value.ts';

/** Numbers become text: hostile data could make the host's hashes of numbers collide, but its hashes of text are seeded with a secret. */
export function keyOf(m: Machine, value: Value): Key {
  if (typeof value === 'string') {
    scan(m, value);
    return textKey(value);
  }
  if (typeof value === 'number') return `\u0000#${value === 0 ? 0 : value}`;
  if (typeof value !== 'object' || value === null) return value;
  if (value.kind !== 'keyword') return `\u0000${spelled(m, value)}`;
  scan(m, value.name);
  return value.key;
}

/** Text that is equal exactly for equal values. Fuel is burned for the written text, even for shared parts. */
function spelled(m: Machine, value: Value): string {
  burn(m, 1);
  if (typeof value === 'string') return written(m, JSON.stringify(value));
  if (typeof value === 'number') return value === 0 ? '0' : String(value);
  if (typeof value === 'boolean') return String(value);
  if (value === null) return 'nil';
  switch (value.kind) {
    case 'keyword':
      return written(m, `:${JSON.stringify(value.name)}`);
    case 'symbol':
      return written(m, `'${JSON.stringify(value.name)}`);
    case 'vector':
      return inside(m, () => `[${elements(m, value).map((item) => spelled(m, item))}]`);
    case 'map': {
      const map = settle(m, value);
      return inside(
        m,
        () =>
          `{${sortedParts(m, map.size, (i) => `${spelled(m, map.keys[i] ?? null)} ${spelled(m, map.vals[i] ?? null)}`)}}`,
      );
    }
    case 'set': {
      const { map } = value;
      return inside(m, () => `#{${sortedParts(m, map.size, (i) => spelled(m, map.keys[i] ?? null))}}`);
    }
    default:
      return `@${identityOf(value)}`;
  }
}

function written(m: Machine, text: string): string {
  burn(m, text.length >> 5);
  allocate(m, text.length >> 3);
  return text;
}

function sortedParts(m: Machine, size: number, part: (index: number) => string): string {
  burn(m, 4);
  const parts = Array.from({ length: size }, (_, i) => part(i));
  const length = parts.reduce((sum, each) => sum + each.length, 0);
  // Sorting compares each part with about log2(n) others.
  burn(m, ((size * 8 + length) * Math.ceil(Math.log2(size + 1))) >> 5);
  return parts.sort().join();
}

function inside(m: Machine, walk: () => string): string {
  enter(m);
  const text = written(m, walk());
  leave(m);
  return text;
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
