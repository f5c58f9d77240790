// Turns the attributes of a log line into small JSON: cuts what is long, and describes what is no JSON.
import { isJsonObject, type Json, type JsonObject } from '../base/json.ts';

const DEEPEST = 5;
/** Entries of one list or map. */
const MOST_ENTRIES = 50;
/** Characters of one text. */
const LONGEST_TEXT = 2_000;
/** Characters of all attributes of a line. */
const MOST_CHARACTERS = 8_000;
/** Characters of a message. */
const LONGEST_MESSAGE = 8_000;

interface Room {
  /** Characters left. */
  left: number;
  readonly above: object[];
}

/** Undefined where there are none. A value that is no map becomes the attribute `value`. */
export function plainAttributes(given: unknown): JsonObject | undefined {
  if (given === undefined || given === null) return undefined;
  try {
    const copy = copied(given, { left: MOST_CHARACTERS, above: [] });
    if (copy === undefined) return undefined;
    const data = isJsonObject(copy) ? copy : { value: copy };
    return Object.keys(data).length === 0 ? undefined : data;
  } catch (error) {
    // A getter or a proxy of the attributes may throw.
    return { unreadable: String(error instanceof Error ? error.message : typeof error).slice(0, 200) };
  }
}

/** The text of a message, which modules without types may give as any value. */
export function messageText(given: unknown): string {
  if (typeof given === 'string') return cutText(given, LONGEST_MESSAGE);
  if (given instanceof Error) return cutText(given.message, LONGEST_MESSAGE);
  const copy = plainAttributes(given);
  return cutText(copy === undefined ? String(given) : JSON.stringify(copy.value ?? copy), LONGEST_MESSAGE);
}

/** Redaction knows this ending, and takes out the beginning of a secret in front of it. */
function cutText(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most)}… (cut: ${text.length - most} characters)`;
}

/** Undefined for values that JSON leaves out. */
function copied(value: unknown, room: Room): Json | undefined {
  switch (typeof value) {
    case 'string': {
      const text = cutText(value, Math.min(LONGEST_TEXT, Math.max(0, room.left)));
      room.left -= text.length;
      return text;
    }
    case 'number':
      return Number.isFinite(value) ? value + 0 : String(value);
    case 'boolean':
      return value;
    case 'bigint':
      return String(value);
    case 'object':
      return value === null ? null : copiedParts(value, room);
    default:
      return undefined;
  }
}

function copiedParts(value: object, room: Room): Json | undefined {
  if (room.above.includes(value)) return '(contains itself)';
  if (room.above.length >= DEEPEST) return '(nested too deep)';
  const plain = plainFormOf(value);
  if (typeof plain !== 'object' || plain === null) return copied(plain, room);
  room.above.push(value);
  const parts = Array.isArray(plain) ? copiedList(plain, room) : copiedMap(plain, room);
  room.above.pop();
  return parts;
}

/** The plain form of an instance of a class: an error's texts, the JSON of a date, the entries of a map. */
function plainFormOf(value: object): unknown {
  if (value instanceof Error) {
    const { name, message, stack, cause } = value;
    return { ...value, name, message, stack, cause };
  }
  if (value instanceof Map) return Object.fromEntries(value);
  if (value instanceof Set) return [...value];
  if (ArrayBuffer.isView(value)) return `(${value.byteLength} bytes)`;
  if ('toJSON' in value && typeof value.toJSON === 'function') return value.toJSON();
  return value;
}

function copiedList(list: readonly unknown[], room: Room): Json {
  const kept: Json[] = [];
  for (const item of list) {
    if (kept.length >= MOST_ENTRIES || room.left <= 0) {
      kept.push(`… ${list.length - kept.length} more`);
      break;
    }
    room.left -= 2;
    kept.push(copied(item, room) ?? null);
  }
  return kept;
}

function copiedMap(map: object, room: Room): Json {
  const kept: [string, Json][] = [];
  const keys = Object.keys(map);
  for (const [index, key] of keys.entries()) {
    if (kept.length >= MOST_ENTRIES || room.left <= 0) {
      kept.push(['…', `${keys.length - index} more`]);
      break;
    }
    room.left -= key.length + 4;
    const item = copied(Reflect.get(map, key), room);
    if (item !== undefined) kept.push([cutText(key, 200), item]);
  }
  return Object.fromEntries(kept);
}
