// A brief for rules and capabilities: referenced values load lazily, once each.
import type { Digest } from '../base/digest.ts';
import type { Json } from '../base/json.ts';
import type { Reference } from '../base/references.ts';
import { valueAt } from '../context/needs/result-path.ts';
import type { Brief } from '../planning/brief.ts';

export interface ValueReader {
  /** Loads a value that is stored with the run. */
  read(digest: Digest): Json;
  /** Makes the error to throw when a brief reads more than `MOST_READ`. */
  refuse(message: string, hint: string): unknown;
}

/** The most characters of JSON that a planner may read from references, each value counted once. */
export const MOST_READ = 16_000_000;

/** Unread values cost nothing. Reading a property may throw the error from `refuse`. */
export function readInFull({ references = [], shown: _, ...brief }: Brief, reader: ValueReader): Brief {
  if (references.length === 0) return brief;
  const load = loading(reader);
  // A copy, so that the brief itself keeps its placeholders.
  const copy = JSON.parse(JSON.stringify(brief));
  for (const reference of references) place(copy, reference, load);
  return copy;
}

type Load = (reference: Reference) => Json;

function loading({ read, refuse }: ValueReader): Load {
  const loaded = new Map<Digest, Json>();
  let total = 0;
  return ({ digest, bytes, path = [] }) => {
    let value = loaded.get(digest);
    if (value === undefined) {
      total += bytes;
      if (total > MOST_READ) {
        const message = `the planner reads more than ${MOST_READ / 1_000_000} MB of results`;
        throw refuse(message, 'let a step before it take out of the results what the planner has to know');
      }
      value = read(digest);
      loaded.set(digest, value);
    }
    return valueAt(value, path) ?? null;
  };
}

function place(root: object, reference: Reference, load: Load): void {
  const key = reference.at.at(-1) ?? '';
  let holder: object = root;
  for (const part of reference.at.slice(0, -1)) {
    const inside: unknown = Object.getOwnPropertyDescriptor(holder, part)?.value;
    if (typeof inside !== 'object' || inside === null) return;
    holder = inside;
  }
  let known: Json | undefined;
  Object.defineProperty(holder, key, {
    enumerable: true,
    configurable: true,
    get: () => (known ??= load(reference)),
  });
}

/** The input of a capability planner, with its brief readable in full. */
export function briefInFull(input: Json, reader: ValueReader): Json {
  // A planner's call always holds its brief.
  const { brief } = input as unknown as { readonly brief: Brief };
  return { brief: readInFull(brief, reader) } as unknown as Json;
}
