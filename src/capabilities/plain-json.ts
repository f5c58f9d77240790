// Copies the return value of a capability as JSON, or says where and why it is no JSON.

import { type PathPart, pathText } from '../base/issue.ts';
import type { Json } from '../base/json.ts';
import { CapabilityError } from './capability-error.ts';

const DEEPEST = 200;
/** Characters of JSON; the default of `limits.result_bytes`. */
const RESULT_BYTES = 10_000_000;

/**
 * A deep copy, so that the capability cannot change its result later. Shared parts are counted each time, because a small
 * value with shared parts can be huge as JSON.
 * @throws CapabilityError RESULT_NOT_JSON, RESULT_TOO_LARGE beyond `most` characters of JSON
 */
export function plainJson(returned: unknown, most: number = RESULT_BYTES): Json {
  return copied(returned, [], { above: [], known: undefined, most, left: most, deepest: 0 });
}

interface Walk {
  readonly above: object[];
  /** Copies by original: a shared part is walked once, and counted each time. Undefined before the first part. */
  known: Map<object, JsonCopy> | undefined;
  readonly most: number;
  /** Characters left. */
  left: number;
  /** The deepest level seen so far. */
  deepest: number;
}

interface JsonCopy {
  readonly copy: Json;
  /** Characters of JSON. */
  readonly length: number;
  /** Levels below the value. */
  readonly height: number;
}

function spend(walk: Walk, characters: number): void {
  walk.left -= characters;
  if (walk.left >= 0) return;
  const message = `the result comes to more than ${walk.most} characters of JSON; limits.result_bytes allows no more`;
  throw new CapabilityError('RESULT_TOO_LARGE', message, { retry: 'never' });
}

function copied(value: unknown, path: PathPart[], walk: Walk): Json {
  spend(walk, typeof value === 'string' ? value.length + 2 : 1);
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  // Turns -0 into 0: JSON has no negative zero, and the stored value must equal the result.
  if (typeof value === 'number') return Number.isFinite(value) ? value + 0 : refuse(path, `is ${value}`, 'use null');
  if (typeof value === 'object') return copiedParts(value, path, walk);
  return refuse(path, ...(REFUSED[typeof value] ?? NOTHING));
}

function copiedParts(value: object, path: PathPart[], walk: Walk): Json {
  const { above } = walk;
  const before = walk.known?.get(value);
  if (before !== undefined) {
    spend(walk, before.length);
    if (above.length + before.height >= DEEPEST) return refuse(path, ...TOO_DEEP);
    walk.deepest = Math.max(walk.deepest, above.length + 1 + before.height);
    return before.copy;
  }
  if (above.includes(value)) return refuse(path, 'contains itself', 'return a copy without the cycle');
  if (above.length >= DEEPEST) return refuse(path, ...TOO_DEEP);
  above.push(value);
  const { left, deepest } = walk;
  const level = above.length;
  walk.deepest = level;
  const part = (item: unknown, key: PathPart): Json => {
    path.push(key);
    // Counts the comma, and a key with its quotes and colon.
    spend(walk, typeof key === 'string' ? key.length + 4 : 1);
    const copy = copied(item, path, walk);
    path.pop();
    return copy;
  };
  const parts = Array.isArray(value)
    ? Array.from(value, part)
    : Object.fromEntries(entriesOf(value, path).map(([key, item]) => [key, part(item, key)]));
  above.pop();
  if (level > 1) {
    walk.known ??= new Map();
    walk.known.set(value, { copy: parts, length: left - walk.left, height: walk.deepest - level });
  }
  walk.deepest = Math.max(deepest, walk.deepest);
  return parts;
}

function entriesOf(value: object, path: readonly PathPart[]): readonly (readonly [string, unknown])[] {
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype === null || prototype === Object.prototype) return Object.entries(value);
  const kind = classOf(prototype);
  return refuse(
    path,
    `is an instance of ${kind}`,
    (Object.hasOwn(INSTANCE_HINTS, kind) && INSTANCE_HINTS[kind]) || 'return a plain map',
  );
}

/** The constructor's name, which the value itself may have forged. */
function classOf(prototype: unknown): string {
  const made: unknown = Reflect.get(Object(prototype), 'constructor');
  const name: unknown = typeof made === 'function' ? made.name : '';
  return typeof name === 'string' && name !== '' ? name.slice(0, 100) : 'a class without a name';
}

type Refusal = readonly [what: string, hint: string];

const TOO_DEEP: Refusal = [`is nested deeper than ${DEEPEST} levels`, 'flatten it'];
const NOTHING: Refusal = ['is undefined', 'return null, or leave the key out'];
const REFUSED: Readonly<Record<string, Refusal>> = {
  function: ['is a function', 'return what it computes'],
  symbol: ['is a symbol', 'use a string'],
  bigint: ['is a BigInt', 'use a number, or a string when it is beyond 2^53'],
};

const INSTANCE_HINTS: Readonly<Record<string, string>> = {
  Date: 'use .toISOString()',
  Map: 'use Object.fromEntries(map)',
  Set: 'use [...set]',
  Buffer: "use .toString('base64')",
  Uint8Array: "use Buffer.from(bytes).toString('base64')",
  Promise: 'await it',
  URL: 'use .href',
};

function refuse(path: readonly PathPart[], what: string, hint: string): never {
  const where = path.length === 0 ? 'the result' : `"${pathText(path)}" of the result`;
  throw new CapabilityError('RESULT_NOT_JSON', `${where} ${what}, which is not JSON; ${hint}`, { retry: 'never' });
}
