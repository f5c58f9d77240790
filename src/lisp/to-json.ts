// Values leave the language: as JSON, or as EDN text.
import type { Json } from '../base/json.ts';
import { elements } from './host.ts';
import { keyText } from './json-text.ts';
import { defaultLimits } from './limits.ts';
import { enter, leave, machine } from './machine.ts';
import { mapEntries, pairOf, setItems } from './map.ts';
import { sortedEdn } from './text-of.ts';
import { isTrouble, typeTrouble } from './trouble.ts';
import { aKind, type Machine, type Value } from './value.ts';

export type JsonOutcome =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly code: string; readonly message: string };

const NO_BOUND = Number.POSITIVE_INFINITY;

/** Nothing that a run within its limits has made needs more; host data may be larger than a run may build. */
function exitMachine(): Machine {
  return machine({ ...defaultLimits, fuel: NO_BOUND, cells: NO_BOUND, text: NO_BOUND }, undefined, [], 0);
}

/** Keywords and symbols become strings, sets lists. LISP_TYPE for functions, infinities and NaN; LISP_LIMIT for data that nests without end. */
export function toJson(value: Value): JsonOutcome {
  try {
    return { ok: true, value: converted(exitMachine(), value) };
  } catch (error) {
    return isTrouble(error)
      ? { ok: false, code: error.code, message: error.message }
      : { ok: false, code: 'LISP_TYPE', message: 'the data could not be read' };
  }
}

function converted(m: Machine, value: Value): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    throw typeTrouble('JSON has no infinities and no NaN');
  }
  switch (value.kind) {
    case 'keyword':
    case 'symbol':
      return value.name;
    case 'vector':
      return list(m, elements(m, value));
    case 'set':
      return list(m, setItems(m, value));
    case 'map': {
      enter(m);
      const members = mapEntries(m, value).map((entry): [string, Json] => {
        const [key, inner] = pairOf(m, entry) ?? [null, null];
        return [keyText(key), converted(m, inner)];
      });
      leave(m);
      return Object.fromEntries(members);
    }
    default:
      throw typeTrouble(`JSON cannot hold ${aKind(value)}`);
  }
}

function list(m: Machine, items: readonly Value[]): Json {
  enter(m);
  const converted_ = items.map((item) => converted(m, item));
  leave(m);
  return converted_;
}

/** Readable EDN: equal values give equal text, maps and sets sorted. Data that cannot be read gives `#unreadable`. */
export function toEdn(value: Value): string {
  try {
    return sortedEdn(exitMachine(), value);
  } catch {
    return '#unreadable';
  }
}
