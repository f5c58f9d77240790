// Equality by value: numbers by amount, collections by content.
import { elementAt, elements } from './host.ts';
import { burn, enter, leave, scan } from './machine.ts';
import { lookupExact, mapKeys, mapSize, mapVals, setHas, setItems } from './map.ts';
import type { Machine, MapValue, Value, Vector } from './value.ts';

export function equal(m: Machine, a: Value, b: Value): boolean {
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length !== b.length) return false;
    scan(m, a);
    return a === b;
  }
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  switch (a.kind) {
    case 'keyword':
      if (b.kind !== 'keyword') return false;
      scan(m, a.name);
      return a.key === b.key;
    case 'symbol':
      if (b.kind !== 'symbol') return false;
      scan(m, a.name);
      return a.name === b.name;
    case 'vector':
      return b.kind === 'vector' && a.size === b.size && inside(m, a, b, equalVectors);
    case 'map':
      return b.kind === 'map' && mapSize(m, a) === mapSize(m, b) && inside(m, a, b, equalMaps);
    case 'set':
      if (b.kind !== 'set' || a.map.size !== b.map.size) return false;
      burn(m, a.map.size);
      return setItems(m, a).every((item) => setHas(m, b, item));
    default:
      return false;
  }
}

function inside<T>(m: Machine, a: T, b: T, same: (m: Machine, a: T, b: T) => boolean): boolean {
  enter(m);
  const result = same(m, a, b);
  leave(m);
  return result;
}

function equalVectors(m: Machine, a: Vector, b: Vector): boolean {
  const left = elements(m, a);
  for (let i = 0; i < a.size; i++) {
    burn(m, 1);
    if (!equal(m, left[i] ?? null, elementAt(b, i))) return false;
  }
  return true;
}

function equalMaps(m: Machine, a: MapValue, b: MapValue): boolean {
  const keys = mapKeys(m, a);
  const vals = mapVals(m, a);
  for (let i = 0; i < keys.length; i++) {
    burn(m, 1);
    const other = lookupExact(m, b, keys[i] ?? null);
    if (other === undefined || !equal(m, vals[i] ?? null, other)) return false;
  }
  return true;
}
