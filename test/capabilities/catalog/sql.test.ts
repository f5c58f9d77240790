// sql.*: SQLite files are read within bounds, and changed all together, once; no words lead out of the file.
import { existsSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../src/base/json.ts';
import { callCapability } from '../../../src/capabilities/call.ts';
import { sqlExecute, sqlQuery } from '../../../src/capabilities/catalog/sql.ts';
import { contextIn, failureFrom, folderWith, resultFrom } from '../workbench.ts';

async function shop(): Promise<string> {
  const base = await folderWith();
  using database = new DatabaseSync(join(base, 'shop.db'));
  database.exec(`
    CREATE TABLE orders (id INTEGER PRIMARY KEY, name TEXT, total REAL, photo BLOB);
    INSERT INTO orders VALUES (1, 'plums', 2.5, x'00ff'), (2, 'pears', NULL, NULL), (9007199254740993, 'many', 1, NULL);
  `);
  return base;
}

const query = (sql: string, more: Record<string, Json> = {}): Json => ({ file: 'shop.db', sql, ...more });

describe('sql.query', () => {
  test('returns rows by column, with numbers as far as JSON holds them', async () => {
    const base = await shop();
    expect(await resultFrom(sqlQuery, query('SELECT * FROM orders ORDER BY id'), base)).toEqual({
      columns: ['id', 'name', 'total', 'photo'],
      rows: [
        { id: 1, name: 'plums', total: 2.5, photo: 'AP8=' },
        { id: 2, name: 'pears', total: null, photo: null },
        { id: '9007199254740993', name: 'many', total: 1, photo: null },
      ],
      complete: true,
    });
  });

  test('passes values separately from the SQL', async () => {
    const base = await shop();
    const evil = "x' OR '1'='1";
    const named = query('SELECT id FROM orders WHERE name = :name', { params: { name: evil } });
    expect(await resultFrom(sqlQuery, named, base)).toMatchObject({ rows: [] });
    const listed = query('SELECT id FROM orders WHERE name = ? AND ? = 1;', { params: ['plums', true] });
    expect(await resultFrom(sqlQuery, listed, base)).toMatchObject({ rows: [{ id: 1 }] });
  });

  test('renames duplicate columns', async () => {
    const base = await shop();
    expect(await resultFrom(sqlQuery, query('SELECT a.id, b.id FROM orders a, orders b LIMIT 1'), base)).toMatchObject({
      columns: ['id', 'id_2'],
    });
  });

  test('reports when there are more rows', async () => {
    const base = await shop();
    const all = (limit: number) => resultFrom(sqlQuery, query('SELECT id FROM orders', { limit }), base);
    expect(await all(2)).toMatchObject({ rows: [{ id: 1 }, { id: 2 }], complete: false });
    expect(await all(3)).toMatchObject({ complete: true });
  });

  test.each<[string, Record<string, Json>?]>([
    ['INSERT INTO orders (name) VALUES (1)'],
    ['DELETE FROM orders'],
    ["ATTACH 'other.db' AS other"],
    ["VACUUM INTO 'copy.db'"],
    ["SELECT load_extension('x')"],
    ['PRAGMA writable_schema = 1'],
    ['CREATE TEMP TABLE t (a)'],
    ['BEGIN'],
    ['SELECT 1; DELETE FROM orders'],
    ['SELECT 1; SELECT 2'],
    ['SELEKT'],
    ['-- nothing'],
    ['SELECT :a', { params: { b: 1 } }],
  ])('refuses %s', async (sql, more = {}) => {
    const base = await shop();
    expect(await failureFrom(sqlQuery, query(sql, more), base)).toMatchObject({ code: 'SQL_REFUSED', retry: 'never' });
    expect(existsSync(join(base, 'copy.db'))).toBe(false);
  });

  test('reads the schema', async () => {
    const base = await shop();
    const columns = query("SELECT name FROM pragma_table_info('orders')");
    expect(await resultFrom(sqlQuery, columns, base)).toMatchObject({ rows: [{ name: 'id' }, {}, {}, {}] });
    expect(await resultFrom(sqlQuery, query('PRAGMA table_info(orders)'), base)).toMatchObject({ complete: true });
  });

  test('is killed with its step when it does not end', async () => {
    const base = await shop();
    const endless = query('WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n');
    const stop = new AbortController();
    const called = callCapability(sqlQuery, endless, contextIn(base, { signal: stop.signal }));
    expect(await resultFrom(sqlQuery, query('SELECT 1 AS one'), base)).toMatchObject({ rows: [{ one: 1 }] });
    stop.abort();
    expect(await called).toMatchObject({ error: { code: 'CAPABILITY_ABORTED' } });
  });

  test('reaches no file outside of the roots, not even through a link', async () => {
    const base = await shop();
    const elsewhere = await shop();
    await symlink(join(elsewhere, 'shop.db'), join(base, 'link.db'));
    for (const file of ['../shop.db', join(elsewhere, 'shop.db'), 'link.db']) {
      expect((await failureFrom(sqlQuery, { file, sql: 'SELECT 1' }, base)).code).toBe('FILE_OUTSIDE_ROOTS');
    }
    expect((await failureFrom(sqlQuery, { file: 'none.db', sql: 'SELECT 1' }, base)).code).toBe('FILE_NOT_FOUND');
  });

  test('explains unsupported databases and invalid SQL', async () => {
    const base = await folderWith({ 'text.db': 'x'.repeat(5_000) });
    expect(await failureFrom(sqlQuery, { file: 'postgres://host/db', sql: 'SELECT 1' }, base)).toMatchObject({
      code: 'SQL_ENGINE_UNAVAILABLE',
    });
    expect(await failureFrom(sqlQuery, { file: 'text.db', sql: 'SELECT * FROM a' }, base)).toMatchObject({
      code: 'SQL_REFUSED',
      message: 'file is not a database',
    });
  });
});

describe('sql.execute', () => {
  const change = (...statements: Json[]): Json => ({ file: 'new.db', statements });
  const make = { sql: 'CREATE TABLE IF NOT EXISTS notes (id INTEGER PRIMARY KEY, text TEXT)' };
  const add = (text: string): Json => ({ sql: 'INSERT INTO notes (text) VALUES (?)', params: [text] });
  const texts = async (base: string): Promise<Json> =>
    resultFrom(sqlQuery, { file: 'new.db', sql: 'SELECT text FROM notes ORDER BY id' }, base);

  test('creates the file, and reports the changes', async () => {
    const base = await folderWith();
    expect(await resultFrom(sqlExecute, change(make, add('a'), add('b')), base)).toEqual({ changes: 2, last_id: 2 });
    expect(await texts(base)).toMatchObject({ rows: [{ text: 'a' }, { text: 'b' }] });
  });

  test('does a piece of work once, and returns the same result again', async () => {
    const base = await folderWith();
    const first = await resultFrom(sqlExecute, change(make, add('a')), base);
    expect(await resultFrom(sqlExecute, change(make, add('a')), base)).toEqual(first);
    const another = await callCapability(sqlExecute, change(add('b')), contextIn(base, { idempotencyKey: 'another' }));
    expect(another.ok).toBe(true);
    expect(await texts(base)).toMatchObject({ rows: [{ text: 'a' }, { text: 'b' }] });
  });

  test('does all or nothing', async () => {
    const base = await folderWith();
    await resultFrom(sqlExecute, change(make), base);
    const half = change(add('a'), { sql: 'INSERT INTO nowhere VALUES (1)' });
    const context = contextIn(base, { idempotencyKey: 'half' });
    expect(await callCapability(sqlExecute, half, context)).toMatchObject({ error: { code: 'SQL_REFUSED' } });
    expect(await texts(base)).toMatchObject({ rows: [] });
    expect(await callCapability(sqlExecute, change(add('b')), context)).toMatchObject({ ok: true });
  });

  test.each(["ATTACH 'x.db' AS x", "VACUUM INTO 'x.db'", 'COMMIT', 'ROLLBACK', 'PRAGMA journal_mode = OFF'])(
    'refuses %s',
    async (sql) => {
      const base = await folderWith();
      expect((await failureFrom(sqlExecute, change(make, { sql }), base)).code).toBe('SQL_REFUSED');
    },
  );
});
