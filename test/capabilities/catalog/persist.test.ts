// persist.*: records and logs in a folder, written once per piece of work.
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { callCapability } from '../../../src/capabilities/call.ts';
import type { Capability } from '../../../src/capabilities/capability.ts';
import {
  persistAppend,
  persistDelete,
  persistEntries,
  persistGet,
  persistList,
  persistPut,
} from '../../../src/capabilities/catalog/persist.ts';
import { contextIn, failureFrom, folderWith, resultFrom } from '../workbench.ts';

/** As another piece of work. */
async function as(key: string, capability: Capability, input: Json, base: string) {
  return callCapability(capability, input, contextIn(base, { idempotencyKey: key }));
}

const put = (value: Json, more: Record<string, Json> = {}): Json => ({ store: 's', key: 'k', value, ...more });
const get = (base: string) => resultFrom(persistGet, { store: 's', key: 'k' }, base);

describe('a record', () => {
  test('is stored, read and replaced', async () => {
    const base = await folderWith();
    expect(await get(base)).toEqual({ key: 'k', found: false, value: null, revision: 0 });
    await as('1', persistPut, put({ n: 1 }), base);
    expect(await as('2', persistPut, put([2]), base)).toMatchObject({ value: { key: 'k', revision: 2 } });
    expect(await get(base)).toEqual({ key: 'k', found: true, value: [2], revision: 2 });
  });

  test('is not overwritten by a repeated delivery', async () => {
    const base = await folderWith();
    await as('1', persistPut, put('old'), base);
    expect(await as('1', persistPut, put('old'), base)).toMatchObject({ value: { revision: 1 } });
    await as('2', persistPut, put('new'), base);
    expect(await get(base)).toMatchObject({ value: 'new', revision: 2 });
  });

  test('can be written only at an expected revision', async () => {
    const base = await folderWith();
    expect(await as('1', persistPut, put('a', { if_revision: 0 }), base)).toMatchObject({ ok: true });
    expect(await as('2', persistPut, put('b', { if_revision: 0 }), base)).toMatchObject({
      error: { code: 'PERSIST_CONFLICT', message: expect.stringContaining('at revision 1, not 0') },
    });
    expect(await as('3', persistPut, put('c', { if_revision: 1 }), base)).toMatchObject({ value: { revision: 2 } });
  });

  test('is written by one writer at a time', async () => {
    const base = await folderWith();
    await Promise.all(Array.from({ length: 20 }, (_, i) => as(`${i}`, persistPut, put(i), base)));
    expect(await get(base)).toMatchObject({ revision: 20 });
  });

  test('is deleted once', async () => {
    const base = await folderWith();
    await as('1', persistPut, put('a'), base);
    const gone = { store: 's', key: 'k' };
    expect(await resultFrom(persistDelete, gone, base)).toEqual({ key: 'k', deleted: true });
    expect(await resultFrom(persistDelete, gone, base)).toEqual({ key: 'k', deleted: false });
  });

  test.each(['../k', 'a/b', '', '.hidden', '..', 'a\0b', 'a'.repeat(201)])('has no key such as %j', async (key) => {
    const base = await folderWith();
    expect((await failureFrom(persistPut, { store: 's', key, value: 1 }, base)).code).toBe('INPUT_INVALID');
  });

  test('stays within the roots', async () => {
    const base = await folderWith();
    const elsewhere = await folderWith({ 'k.json': 'theirs' });
    await symlink(elsewhere, join(base, 's'));
    for (const store of ['..', elsewhere, 's']) {
      expect((await failureFrom(persistPut, { store, key: 'k', value: 1 }, base)).code).toBe('FILE_OUTSIDE_ROOTS');
      expect((await failureFrom(persistDelete, { store, key: 'k' }, base)).code).toBe('FILE_OUTSIDE_ROOTS');
    }
    expect(await readFile(join(elsewhere, 'k.json'), 'utf8')).toBe('theirs');
  });

  test('is reported when broken, and not overwritten', async () => {
    const base = await folderWith({ 's/k.json': '{"value": 1' });
    expect((await failureFrom(persistGet, { store: 's', key: 'k' }, base)).code).toBe('PERSIST_BROKEN');
    expect((await failureFrom(persistPut, put(2), base)).code).toBe('PERSIST_BROKEN');
    await writeFile(join(base, 's/k.json'), '[]');
    expect((await failureFrom(persistGet, { store: 's', key: 'k' }, base)).code).toBe('PERSIST_BROKEN');
  });
});

describe('a log', () => {
  const entry = (value: Json): Json => ({ store: 's', log: 'l', value });
  const entries = (base: string, last?: number) =>
    resultFrom(persistEntries, { store: 's', log: 'l', ...(last === undefined ? {} : { last }) }, base);

  test('has each piece of work once, in order', async () => {
    const base = await folderWith();
    expect(await entries(base)).toEqual({ log: 'l', entries: [], count: 0 });
    for (const key of ['1', '2', '2', '1', '3']) await as(key, persistAppend, entry(key), base);
    expect(await entries(base)).toEqual({ log: 'l', entries: ['1', '2', '3'], count: 3 });
    expect(await entries(base, 1)).toEqual({ log: 'l', entries: ['3'], count: 3 });
  });

  test('loses no concurrent writes', async () => {
    const base = await folderWith();
    await Promise.all(Array.from({ length: 20 }, (_, i) => as(`${i}`, persistAppend, entry(i), base)));
    expect(await entries(base)).toMatchObject({ count: 20 });
  });

  test('continues after a truncated entry', async () => {
    const base = await folderWith({ 's/l.jsonl': '{"writer":"1","value":1}\n{"writer":"2","val' });
    expect(await as('2', persistAppend, entry(2), base)).toMatchObject({ value: { count: 2 } });
    expect(await entries(base)).toMatchObject({ entries: [1, 2] });
  });
});

test('persist.list lists the keys and logs of a store', async () => {
  const base = await folderWith();
  expect(await resultFrom(persistList, { store: 's' }, base)).toEqual({ keys: [], logs: [] });
  await as('1', persistPut, { store: 's', key: 'b.1', value: 1 }, base);
  await as('2', persistPut, { store: 's', key: 'a', value: 1 }, base);
  await as('3', persistAppend, { store: 's', log: 'l', value: 1 }, base);
  expect(await resultFrom(persistList, { store: 's' }, base)).toEqual({ keys: ['a', 'b.1'], logs: ['l'] });
  expect(await resultFrom(persistList, { store: 's', prefix: 'b' }, base)).toEqual({ keys: ['b.1'], logs: [] });
});
