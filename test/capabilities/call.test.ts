// Calling a capability answers with JSON or a failure, whatever the capability does.
import { describe, expect, test } from 'vitest';
import type { Json } from '../../src/base/json.ts';
import { callCapability } from '../../src/capabilities/call.ts';
import { type Capability, defineCapability } from '../../src/capabilities/capability.ts';
import { CapabilityError } from '../../src/capabilities/capability-error.ts';
import { contextIn } from './workbench.ts';

function returning(make: () => unknown): Capability {
  return defineCapability({ name: 'test.it', description: 'A test.', effects: ['pure'], run: () => make() as Json });
}

const call = (capability: Capability, input: Json = {}) => callCapability(capability, input, contextIn('.'));

const greet = defineCapability({
  name: 'test.greet',
  description: 'A greeting.',
  input: '{name :string, times :int?}',
  output: '{text :string}',
  effects: ['pure'],
  run: ({ name, times = 1 }) => ({ text: `hello ${name}`.repeat(times) }),
});

describe('input', () => {
  test('is checked before anything runs', async () => {
    expect(await call(greet, { nam: 'x' })).toMatchObject({
      ok: false,
      error: {
        code: 'INPUT_INVALID',
        retry: 'never',
        issues: [{ path: ['name'] }],
        message: expect.stringContaining('test.greet'),
      },
    });
  });

  test('is coerced by its contract', async () => {
    expect(await call(greet, { name: 'x', times: '2' })).toEqual({
      ok: true,
      value: { text: 'hello xhello x' },
      warnings: [],
    });
  });
});

describe('a result that is not JSON', () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = { cycle };
  test.each([
    ['nothing at all', () => undefined, 'the result is undefined, which is not JSON; return null'],
    ['a key without value', () => ({ a: [{ b: undefined }] }), '"a[0].b" of the result is undefined'],
    ['a hole in a list', () => new Array(1), '"[0]" of the result is undefined'],
    ['a function', () => ({ f: () => 1 }), '"f" of the result is a function'],
    ['a BigInt', () => ({ n: 1n }), 'is a BigInt, which is not JSON; use a number, or a string'],
    ['a symbol', () => Symbol('x'), 'is a symbol'],
    ['NaN', () => [Number.NaN], 'is NaN, which is not JSON; use null'],
    ['Infinity', () => Number.POSITIVE_INFINITY, 'is Infinity'],
    ['a date', () => ({ at: new Date(0) }), 'is an instance of Date, which is not JSON; use .toISOString()'],
    ['a Map', () => new Map(), 'use Object.fromEntries(map)'],
    [
      'a class of their own',
      () => new (class Order {})(),
      'is an instance of Order, which is not JSON; return a plain map',
    ],
    ['a promise within', () => ({ p: Promise.resolve(1) }), 'is an instance of Promise, which is not JSON; await it'],
    ['a cycle', () => cycle, '"self.cycle" of the result contains itself'],
    ['endless nesting', () => Array.from({ length: 5000 }).reduce((inner) => [inner], null), 'nested deeper'],
  ])('is refused: %s', async (_, make, problem) => {
    expect(await call(returning(make))).toMatchObject({
      ok: false,
      error: { code: 'RESULT_NOT_JSON', retry: 'never', message: expect.stringContaining(problem) },
    });
  });
});

describe('a result with shared parts', () => {
  const nested = (depth: number) => {
    let value: unknown = [1];
    for (let i = 0; i < depth; i++) value = [value, value];
    return value;
  };

  test.each([24, 60, 190])('is refused at the size limit before it is serialized: %i levels', async (depth) => {
    expect(await call(returning(() => nested(depth)))).toMatchObject({
      ok: false,
      error: { code: 'RESULT_TOO_LARGE', retry: 'never', message: expect.stringContaining('limits.result_bytes') },
    });
  });

  test('is refused at the limit of its template', async () => {
    const capability = returning(() => nested(4));
    const most = JSON.stringify(nested(4)).length;
    expect(await callCapability(capability, {}, contextIn('.'), most)).toEqual({
      ok: true,
      value: nested(4),
      warnings: [],
    });
    expect(await callCapability(capability, {}, contextIn('.'), most - 1)).toMatchObject({
      error: { code: 'RESULT_TOO_LARGE' },
    });
  });

  test('counts a shared text each time', async () => {
    const text = 'x'.repeat(100_000);
    expect(await call(returning(() => new Array(200).fill(text)))).toMatchObject({
      error: { code: 'RESULT_TOO_LARGE' },
    });
  });

  test('has the depth of its JSON', async () => {
    const links = [[0] as unknown[]];
    for (let i = 1; i < 300; i++) links.push([links[i - 1]]);
    expect(await call(returning(() => links))).toMatchObject({
      error: { code: 'RESULT_NOT_JSON', message: expect.stringContaining('nested deeper') },
    });
  });
});

test('a result may share values between places, and may have any keys', async () => {
  const shared = { n: 1 };
  const result = JSON.parse('{"__proto__": {"a": 1}, "constructor": 2}');
  expect(await call(returning(() => [shared, shared]))).toEqual({
    ok: true,
    value: [{ n: 1 }, { n: 1 }],
    warnings: [],
  });
  expect(JSON.stringify(await call(returning(() => result)))).toContain('{"__proto__":{"a":1},"constructor":2}');
});

test('a result is independent of the capability that returned it', async () => {
  const kept = { list: [1] };
  const called = await call(returning(() => kept));
  kept.list.push(2);
  expect(called).toEqual({ ok: true, value: { list: [1] }, warnings: [] });
});

describe('a thrown error', () => {
  const throwing = (thrown: unknown) =>
    returning(() => {
      throw thrown;
    });

  test('keeps its code, its causes and its retry advice', async () => {
    const cause = new Error('connection refused');
    const error = new CapabilityError('SHOP_CLOSED', 'come back later', { retry: 'may', retryAfter: 5_000, cause });
    expect(await call(throwing(error))).toEqual({
      ok: false,
      error: {
        code: 'SHOP_CLOSED',
        message: 'come back later',
        retry: 'may',
        retryAfter: 5_000,
        cause: { code: 'CAPABILITY_THREW', message: 'connection refused', retry: 'may' },
      },
    });
  });

  test('is shortened when its message is too long, and tells the original length', async () => {
    for (const error of [new Error('x'.repeat(3_000_000)), new CapabilityError('SHOP_CLOSED', 'x'.repeat(3_000_000))]) {
      const called = await call(throwing(error));
      const message = called.ok ? '' : called.error.message;
      expect(message).toMatch(/x… \(cut: 3000000 characters\)$/);
      expect(message.length).toBeLessThan(2_100);
    }
  });

  test.each([
    [new TypeError('x is not a function'), 'x is not a function'],
    ['a text', 'a text'],
    [undefined, 'threw undefined instead of an Error'],
    [{ secret: 1 }, 'threw a value of type object instead of an Error'],
  ])('otherwise becomes CAPABILITY_THREW without its stack', async (thrown, message) => {
    const called = await call(throwing(thrown));
    expect(called).toEqual({ ok: false, error: { code: 'CAPABILITY_THREW', message, retry: 'may' } });
  });

  test('may also come from a getter of the result', async () => {
    const result = {
      get price() {
        throw new Error('no price');
      },
    };
    expect(await call(returning(() => result))).toMatchObject({ ok: false, error: { code: 'CAPABILITY_THREW' } });
  });
});

describe('an aborted signal', () => {
  test('keeps the capability from running', async () => {
    let ran = false;
    const capability = returning(() => {
      ran = true;
      return null;
    });
    const called = await callCapability(capability, {}, contextIn('.', { signal: AbortSignal.abort() }));
    expect(called).toMatchObject({ ok: false, error: { code: 'CAPABILITY_ABORTED' } });
    expect(ran).toBe(false);
  });

  test('ends a running call even if the capability ignores the signal', async () => {
    const controller = new AbortController();
    const never = returning(() => new Promise(() => controller.abort()));
    const called = await callCapability(never, {}, contextIn('.', { signal: controller.signal }));
    expect(called).toMatchObject({ ok: false, error: { code: 'CAPABILITY_ABORTED' } });
  });
});
