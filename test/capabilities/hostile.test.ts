// Handlers that throw or return the worst that JavaScript has: their step fails, and nothing else happens.
import { describe, expect, it, test } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { callCapability } from '../../src/capabilities/call.ts';
import { type Capability, defineCapability } from '../../src/capabilities/capability.ts';
import { CapabilityError, failureOf } from '../../src/capabilities/capability-error.ts';
import { contextIn } from './workbench.ts';

const never = (): never => {
  throw new Error('a trap');
};

/** Every question that one can ask of it throws. */
function hostile(of: object = {}): object {
  const traps = [
    ...['get', 'set', 'has', 'ownKeys', 'getPrototypeOf', 'getOwnPropertyDescriptor'],
    ...['isExtensible', 'defineProperty', 'deleteProperty', 'apply', 'construct'],
  ];
  return new Proxy(of, Object.fromEntries(traps.map((trap) => [trap, never])));
}

function revoked(of: object = {}): object {
  const { proxy, revoke } = Proxy.revocable(of, {});
  revoke();
  return proxy;
}

function errorWith(parts: PropertyDescriptorMap, error: Error = new Error('plain')): Error {
  return Object.defineProperties(error, parts);
}

function cyclic(): Error {
  const error = new Error('round');
  error.cause = error;
  return error;
}

let reads = 0;
const thrown: readonly (readonly [string, () => unknown, RegExp])[] = [
  ['an error whose message is a Symbol', () => errorWith({ message: { value: Symbol('x') } }), /^Error$/],
  ['an error whose message is an object', () => errorWith({ message: { value: { toString: never } } }), /^Error$/],
  [
    'an error whose message throws',
    () => errorWith({ message: { get: never }, name: { get: never } }),
    /without a message/,
  ],
  [
    'an error whose message changes',
    () => errorWith({ message: { get: () => (reads++ % 2 === 0 ? 'once' : Symbol('twice')) } }),
    /^(once|Error)$/,
  ],
  ['an error whose cause throws', () => errorWith({ cause: { get: never } }), /^plain$/],
  ['an error whose cause is hostile', () => new Error('plain', { cause: hostile() }), /^plain$/],
  ['an error that is its own cause', cyclic, /^round$/],
  ['an error without a prototype', () => Object.setPrototypeOf(new Error('plain'), null), /of type object/],
  ['an error of nothing but a proxy', () => hostile(new Error('plain')), /cannot be read/],
  ['a revoked proxy', () => revoked(), /cannot be read/],
  ['a revoked proxy of an error', () => revoked(new Error('plain')), /cannot be read/],
  ['a Symbol', () => Symbol('x'), /of type symbol/],
  ['a BigInt', () => 1n, /of type bigint/],
  ['an object without a prototype', () => Object.create(null), /of type object/],
  ['a function', () => never, /of type function/],
  ['nothing', () => undefined, /threw undefined/],
  ['a message of 50 million characters', () => new Error('x'.repeat(50_000_000)), /cut: 50000000 characters/],
  [
    'a CapabilityError whose code is no text',
    () => Object.assign(new CapabilityError('A_CODE', 'plain'), { code: Symbol('x') }),
    /^plain$/,
  ],
  [
    'a CapabilityError whose code throws',
    () => errorWith({ code: { get: never } }, new CapabilityError('A_CODE', 'plain')),
    /^plain$/,
  ],
];

const running = (run: () => unknown): Capability =>
  defineCapability({ name: 'test.it', description: 'A test.', effects: ['pure'], run: () => run() as Json });

describe('a hostile error from a handler', () => {
  test.each(thrown)('%s is a failure of its step', async (_, make, message) => {
    const capability = running(() => {
      throw make();
    });
    const called = await callCapability(capability, {}, contextIn('.'));
    expect(called).toMatchObject({ ok: false, error: { code: 'CAPABILITY_THREW', retry: 'may' } });
    expect(called.ok ? '' : called.error.message).toMatch(message);
    // It is kept as JSON.
    expect(JSON.parse(JSON.stringify(called))).toEqual(called);
  });

  it.each([
    [Number.NaN, undefined],
    [-1, undefined],
    ['soon', undefined],
    [1.5, 2],
    [Number.POSITIVE_INFINITY, 31_536_000_000],
    [1e300, 31_536_000_000],
  ])('a wait of %s is read as %s', (given, read) => {
    const error = Object.assign(new CapabilityError('A_CODE', 'later'), { retryAfter: given });
    expect(failureOf(error).retryAfter).toBe(read);
  });
});

describe('a hostile result from a handler', () => {
  const growing = (): object =>
    new Proxy(
      {},
      {
        ownKeys: () => ['a'],
        get: growing,
        getOwnPropertyDescriptor: () => ({ value: growing(), enumerable: true, configurable: true }),
      },
    );
  test.each<[string, () => unknown, string]>([
    [
      'a getter that throws',
      () => Object.defineProperty({}, 'a', { get: never, enumerable: true }),
      'CAPABILITY_THREW',
    ],
    ['a hostile proxy', () => hostile(), 'CAPABILITY_THREW'],
    ['a hostile proxy within', () => ({ a: hostile() }), 'CAPABILITY_THREW'],
    ['a hostile list', () => hostile([]), 'CAPABILITY_THREW'],
    ['a revoked proxy', () => ({ a: [revoked([])] }), 'CAPABILITY_THREW'],
    ['a proxy that goes on for ever', growing, 'RESULT_NOT_JSON'],
    ['a then that throws', () => Object.defineProperty({}, 'then', { get: never }), 'CAPABILITY_THREW'],
    [
      'a then that rejects with a proxy',
      () => Object.defineProperty({}, 'then', { value: (_: unknown, no: (why: unknown) => void) => no(revoked()) }),
      'CAPABILITY_THREW',
    ],
    ['an instance without a constructor', () => Object.create(Object.create(null)), 'RESULT_NOT_JSON'],
    [
      'an instance of a class called like a member of every object',
      () => Object.create({ constructor: { name: 'toString' } }),
      'RESULT_NOT_JSON',
    ],
    [
      'an instance whose class has no text as its name',
      () => Object.create({ constructor: Object.defineProperty(() => 1, 'name', { value: 1 }) }),
      'RESULT_NOT_JSON',
    ],
    ['a BigInt', () => [1n], 'RESULT_NOT_JSON'],
  ])('%s is a failure of its step', async (_, make, code) => {
    const called = await callCapability(running(make), {}, contextIn('.'));
    expect(called).toMatchObject({ ok: false, error: { code } });
  });
});
