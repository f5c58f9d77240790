// Converts between JSON text and values.

import { typeError } from './exception.ts';
import { elements, fromHost, settle } from './host.ts';
import { allocate, burn, enter, grow, handle, leave } from './machine.ts';
import { setItems } from './map.ts';
import { numberText } from './number-text.ts';
import { aKind, isKeyword, type Machine, type MapValue, type Value } from './value.ts';

/** Fuel for the host's error message about invalid JSON. */
const FAILURE = 96;

/** Undefined when the text is not JSON. */
export function parseJson(m: Machine, input: string): Value | undefined {
  burn(m, 2 + (input.length >> 2));
  allocate(m, input.length << 1);
  try {
    const value: unknown = JSON.parse(input);
    return fromHost(value);
  } catch {
    burn(m, FAILURE);
    return undefined;
  }
}

/** Writes keywords as strings and sets as lists. @throws LispException LISP_TYPE for functions, infinities and similar values */
export function writeJson(m: Machine, value: Value): string {
  const text = written(m, value);
  grow(m, text.length);
  return text;
}

function written(m: Machine, value: Value): string {
  burn(m, 1);
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return quoted(m, value);
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return JSON.stringify(value);
    throw typeError(`JSON has no number for ${numberText(value)}`);
  }
  switch (value.kind) {
    case 'keyword':
    case 'symbol':
      return quoted(m, value.name);
    case 'vector':
      return inside(
        m,
        () =>
          `[${joined(
            m,
            elements(m, value).map((item) => written(m, item)),
          )}]`,
      );
    case 'set':
      return inside(
        m,
        () =>
          `[${joined(
            m,
            setItems(m, value).map((item) => written(m, item)),
          )}]`,
      );
    case 'map':
      return inside(m, () => `{${joined(m, members(m, value))}}`);
    default:
      throw typeError(`JSON cannot hold ${aKind(value)}`);
  }
}

function members(m: Machine, map: MapValue): string[] {
  const { keys, vals, size } = settle(m, map);
  handle(m, size * 2);
  return Array.from(
    { length: size },
    (_, i) => `${quoted(m, keyText(keys[i] ?? null))}:${written(m, vals[i] ?? null)}`,
  );
}

/** The name of a key in JSON. */
export function keyText(key: Value): string {
  if (typeof key === 'string') return key;
  if (typeof key === 'number') return numberText(key);
  if (isKeyword(key) || (typeof key === 'object' && key !== null && key.kind === 'symbol')) return key.name;
  throw typeError(`${aKind(key)} cannot be a key in JSON`);
}

function quoted(m: Machine, text: string): string {
  burn(m, text.length >> 5);
  const written = JSON.stringify(text);
  grow(m, written.length);
  return written;
}

function joined(m: Machine, parts: readonly string[]): string {
  const text = parts.join();
  grow(m, text.length);
  return text;
}

function inside(m: Machine, write: () => string): string {
  enter(m);
  const text = write();
  leave(m);
  return text;
}
