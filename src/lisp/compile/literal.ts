// Vectors, maps and sets in the source.
import type { Node } from '../analyze/node.ts';
import { allocate, burn } from '../machine.ts';
import { mapBuilder } from '../map.ts';
import { typeTrouble } from '../trouble.ts';
import { type Value, vector } from '../value.ts';
import type { Code, Compile } from './code.ts';

export function compileLiteral(node: Node & { kind: 'vector' | 'set' | 'map' }, compile: Compile): Code {
  if (node.kind === 'vector') return compileVector(node.items, compile);
  const keys = (node.kind === 'map' ? node.keys : node.items).map(compile);
  const vals = node.kind === 'map' ? node.vals.map(compile) : undefined;
  const { at } = node;
  return (frame, m) => {
    const map = mapBuilder(m);
    for (let i = 0; i < keys.length; i++) {
      const key = keys[i]?.(frame, m) ?? null;
      const value = vals === undefined ? key : (vals[i]?.(frame, m) ?? null);
      m.at = at;
      if (map.get(key) !== undefined)
        throw typeTrouble(vals === undefined ? 'the set has the same element twice' : 'the map has the same key twice');
      map.add(key, value);
    }
    return vals === undefined ? { kind: 'set', map: map.done() } : map.done();
  };
}

function compileVector(parts: readonly Node[], compile: Compile): Code {
  const constants = parts.flatMap((item) => (item.kind === 'const' ? [item.value] : []));
  if (constants.length === parts.length) {
    return () => vector(constants);
  }
  const items = parts.map(compile);
  return (frame, m) => {
    const size = items.length;
    burn(m, 1);
    allocate(m, size);
    const own = new Array<Value>(size);
    for (let i = 0; i < size; i++) own[i] = items[i]?.(frame, m) ?? null;
    return vector(own);
  };
}
