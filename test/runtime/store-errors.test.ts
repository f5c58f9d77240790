// Errors of the store reach callers of an engine as issues: a store that is write-protected, locked or damaged.
import { chmod, truncate } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import type { Engine } from '../../src/runtime/api/engine.ts';
import { openSqliteJournal } from '../../src/store/sqlite-journal.ts';
import { StoreRefused } from '../../src/store/store-refused.ts';
import type { Template } from '../../src/template/template.ts';
import { engineOf, gated, good, pathTo } from './set-up.ts';

const document: JsonObject = {
  reconverge: 1,
  name: 'short',
  steps: [{ name: 'a', type: 'task', capability: 'work', input: {} }],
};

async function templateOf(engine: Engine): Promise<Template> {
  return good(await engine.load(document));
}

/** The path of a closed store with one ended run. */
async function storeWithRun(): Promise<string> {
  const store = pathTo('runs.db');
  const engine = engineOf({ store });
  await good(await engine.start(await templateOf(engine))).done;
  await engine.close();
  return store;
}

/** Changes a closed store behind the program's back. */
function alter(store: string, statement: string): void {
  const database = new DatabaseSync(store);
  database.exec(statement);
  database.close();
}

/** Locks a store like another process, and returns the function that unlocks it. */
function lock(store: string): () => void {
  const other = new DatabaseSync(store);
  other.exec('BEGIN IMMEDIATE');
  return () => other.close();
}

function impatient(store: string) {
  return openSqliteJournal(store, { patience: 30 });
}

describe('an error of the store', () => {
  it('is an issue of a start and of a fork in a write-protected store, and runs can still be read', async () => {
    const store = await storeWithRun();
    await chmod(store, 0o444);
    const engine = engineOf({ store, access: 'any' });
    const refused = { ok: false, error: [{ code: 'STORE_READ_ONLY', hint: expect.stringContaining('writable') }] };
    expect(await engine.start(await templateOf(engine))).toMatchObject(refused);
    expect(await engine.fork('latest', { event: 1 })).toMatchObject(refused);
    expect(good(engine.read('latest')).state.status).toBe('ended');
  });

  it('is an issue of a start while another process has locked the store', async () => {
    const store = await storeWithRun();
    const engine = engineOf({ journal: impatient(store) });
    const template = await templateOf(engine);
    const unlock = lock(store);
    expect(await engine.start(template)).toMatchObject({
      ok: false,
      error: [{ code: 'STORE_LOCKED', message: `the store ${store} is locked by another process` }],
    });
    unlock();
    const handle = good(await engine.start(template));
    expect((await handle.done).status).toBe('completed');
  });

  it('is an issue of each reader of a truncated store', async () => {
    const store = await storeWithRun();
    const engine = engineOf({ journal: impatient(store) });
    await truncate(store, 8_192);
    const damaged = { ok: false, error: [{ code: 'STORE_DAMAGED' }] };
    expect(engine.read('latest')).toMatchObject(damaged);
    expect(engine.graph('latest')).toMatchObject(damaged);
    expect(await engine.resume('latest')).toMatchObject(damaged);
    expect(() => engine.runs()).toThrow(StoreRefused);
  });

  it('is an issue of each reader of a stream whose summary was altered', async () => {
    const store = await storeWithRun();
    alter(store, "UPDATE streams SET summary = '{'");
    const engine = engineOf({ store });
    const damaged = {
      ok: false,
      error: [{ code: 'STORE_DAMAGED', message: `the store ${store} is damaged: it keeps a text that is not JSON` }],
    };
    expect(engine.read('latest')).toMatchObject(damaged);
    expect(engine.graph('latest')).toMatchObject(damaged);
    expect(await engine.resume('latest')).toMatchObject(damaged);
    expect(() => engine.runs()).toThrow(StoreRefused);
  });

  it('is thrown when lessons were altered', async () => {
    const store = await storeWithRun();
    alter(store, "INSERT INTO outcomes (id, text) VALUES ('run', '{')");
    const engine = engineOf({ store });
    expect(() => engine.lessons()).toThrow(StoreRefused);
  });

  it('rejects the promise of a run whose events cannot be written', async () => {
    const { capability, begun, open } = gated();
    const store = pathTo('runs.db');
    const engine = engineOf({ journal: impatient(store), capabilities: [capability] });
    const handle = good(await engine.start(await templateOf(engine)));
    await begun;
    const unlock = lock(store);
    open();
    await expect(handle.done).rejects.toMatchObject({ name: 'StoreRefused', code: 'STORE_LOCKED' });
    unlock();
    expect(good(engine.read(handle.id)).state.steps.get('a')?.status).toBe('running');
  });
});

describe('a damaged order in the inbox', () => {
  it('does not stop the run, and later orders are followed', async () => {
    const { capability, begun, open } = gated();
    const journal = impatient(pathTo('runs.db'));
    const engine = engineOf({ journal, capabilities: [capability] });
    const handle = good(await engine.start(await templateOf(engine)));
    await begun;
    const other = impatient(pathTo('runs.db'));
    other.post(handle.id, { id: 'o1', command: '{"type":', by: 'ada', why: '', at: Date.now() });
    other.post(handle.id, { id: 'o2', command: '{"type":"pause"}', by: 'ada', why: '', at: Date.now() });
    await expect.poll(() => other.answer(handle.id, 'o2')).toBe('');
    await other.close();
    open();
    expect((await handle.done).status).toBe('completed');
  });
});
