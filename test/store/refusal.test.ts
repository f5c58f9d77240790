// Stores that cannot be used are refused with a code and a hint, and stay unchanged.
import { mkdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { digestOfText } from '../../src/base/digest.ts';
import type { Append } from '../../src/store/journal.ts';
import { openSqliteJournal } from '../../src/store/sqlite-journal.ts';
import { asRefusal, StoreRefused } from '../../src/store/store-refused.ts';
import { inFolder } from './store-folder.ts';

const HOLDER = { host: 'one', pid: 11, nonce: 'a' };
const IMPATIENT = { patience: 30 };

/** A closed store with one stream of `count` entries. */
async function storeIn(folder: string, count = 1): Promise<string> {
  const file = join(folder, 'runs.db');
  const journal = openSqliteJournal(file);
  await Promise.all([
    journal.create({ id: 'r1', title: 'one', createdAt: 0 }, HOLDER, 1_000),
    journal.append(entries(0, count)),
  ]);
  await journal.close();
  return file;
}

function entries(expected: number, count: number): Append {
  const made = Array.from({ length: count }, (_, index) => ({
    version: expected + index + 1,
    type: 1,
    at: 0,
    cause: 0,
    payload: JSON.stringify('x'.repeat(100)),
  }));
  return { stream: 'r1', expected, epoch: 1, entries: made, blobs: [] };
}

function refusalOf(open: () => unknown): unknown {
  try {
    open();
    return 'opened';
  } catch (error) {
    return error instanceof StoreRefused ? error.code : error;
  }
}

it('the refusal of a store names its file and says what to do', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'runs.db');
    await writeFile(file, 'not a database, but text of some length, so that nobody takes it for an empty file');
    expect(() => openSqliteJournal(file)).toThrow(
      expect.objectContaining({ message: expect.stringContaining(file), hint: expect.stringMatching(/copy/) }),
    );
  }));

it('an empty file becomes a new store', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'runs.db');
    await writeFile(file, '');
    const journal = openSqliteJournal(file);
    expect(journal.streams()).toEqual([]);
    await journal.close();
  }));

it('a file that is no database is refused, and stays unchanged', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'runs.db');
    const text = 'a,b\n'.repeat(2_000);
    await writeFile(file, text);
    expect(refusalOf(() => openSqliteJournal(file))).toBe('STORE_NOT_DATABASE');
    expect(await readFile(file, 'utf8')).toBe(text);
  }));

it('a truncated store is refused, and stays unchanged', () =>
  inFolder(async (folder) => {
    const file = await storeIn(folder);
    await truncate(file, 5_000);
    const before = await readFile(file);
    expect(refusalOf(() => openSqliteJournal(file))).toBe('STORE_DAMAGED');
    expect(await readFile(file)).toEqual(before);
  }));

it('damage in the middle of a store is found when it is read and when it is checked', () =>
  inFolder(async (folder) => {
    const file = await storeIn(folder, 2_000);
    const bytes = await readFile(file);
    bytes.fill(0xee, bytes.length / 2, bytes.length / 2 + 8_192);
    await writeFile(file, bytes);
    const journal = openSqliteJournal(file);
    expect(refusalOf(() => journal.read('r1'))).toBe('STORE_DAMAGED');
    expect(journal.check().map((finding) => finding.code)).toContain('STORE_DAMAGED');
    await journal.close();
  }));

it('a store of a newer version is refused, and stays unchanged', () =>
  inFolder(async (folder) => {
    const file = await storeIn(folder);
    raw(file, 'PRAGMA user_version = 1000');
    const before = await readFile(file);
    expect(refusalOf(() => openSqliteJournal(file))).toBe('STORE_NEWER');
    expect(await readFile(file)).toEqual(before);
  }));

it('the folder of a new store is accessible to its owner alone', () =>
  inFolder(async (folder) => {
    await openSqliteJournal(join(folder, 'kept', 'runs.db')).close();
    expect((await stat(join(folder, 'kept'))).mode & 0o777).toBe(0o700);
  }));

it('the database of another program is refused, and stays unchanged', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'other.db');
    raw(file, 'CREATE TABLE recipes (name TEXT)');
    const before = await readFile(file);
    expect(refusalOf(() => openSqliteJournal(file))).toBe('STORE_FOREIGN');
    expect(await readFile(file)).toEqual(before);
  }));

it('a path at which no file can be created is refused', () =>
  inFolder(async (folder) => {
    await writeFile(join(folder, 'file'), 'x');
    await mkdir(join(folder, 'runs.db'));
    expect(refusalOf(() => openSqliteJournal(join(folder, 'file', 'runs.db')))).toBe('STORE_UNWRITABLE');
    expect(refusalOf(() => openSqliteJournal(join(folder, 'runs.db')))).toBe('STORE_UNWRITABLE');
    expect(refusalOf(() => openSqliteJournal(join(folder, 'x'.repeat(300))))).toBe('STORE_UNWRITABLE');
  }));

it('a store that another process has locked is refused, and opens once the lock is gone', () =>
  inFolder(async (folder) => {
    const file = await storeIn(folder);
    const other = new DatabaseSync(file);
    other.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    expect(refusalOf(() => openSqliteJournal(file, IMPATIENT))).toBe('STORE_LOCKED');
    other.close();
    const journal = openSqliteJournal(file, IMPATIENT);
    expect(journal.read('r1').length).toBe(1);
    await journal.close();
  }));

it('an append is refused while another process writes, and accepted afterwards', () =>
  inFolder(async (folder) => {
    const file = await storeIn(folder);
    const journal = openSqliteJournal(file, IMPATIENT);
    const other = new DatabaseSync(file);
    other.exec('BEGIN IMMEDIATE');
    await expect(journal.append(entries(1, 1))).rejects.toMatchObject({ code: 'STORE_LOCKED' });
    expect(refusalOf(() => journal.release({ stream: 'r1', epoch: 1, holder: HOLDER }))).toBe('STORE_LOCKED');
    other.exec('ROLLBACK');
    other.close();
    await journal.append(entries(1, 1));
    expect(journal.read('r1').length).toBe(2);
    await journal.close();
  }));

it('an append that the database refuses halfway is undone in full, and the other append of its tick is kept', () =>
  inFolder(async (folder) => {
    const file = await storeIn(folder);
    const journal = openSqliteJournal(file);
    const halfway = entries(1, 2).entries.map((entry) => ({ ...entry, type: entry.version / 2 }));
    const [refused, accepted] = await Promise.allSettled([
      journal.append({ ...entries(1, 0), entries: halfway, status: 'halfway' }),
      journal.append(entries(1, 3)),
    ]);
    expect([refused.status, accepted.status]).toEqual(['rejected', 'fulfilled']);
    expect(journal.header('r1')).toMatchObject({ version: 4, status: '' });
    expect(journal.read('r1').map((entry) => entry.type)).toEqual([1, 1, 1, 1]);
    await journal.close();
  }));

it('a full disk is reported as STORE_FULL', () =>
  inFolder(async (folder) => {
    const database = new DatabaseSync(join(folder, 'small.db'));
    database.exec('PRAGMA max_page_count = 2; CREATE TABLE t (x)');
    let thrown: unknown;
    try {
      database.exec('INSERT INTO t VALUES (zeroblob(100000))');
    } catch (error) {
      thrown = error;
    }
    database.close();
    expect(asRefusal(thrown, 'small.db')).toMatchObject({ code: 'STORE_FULL' });
  }));

it.each([
  ['STREAM_GAP', 'a missing entry', 'DELETE FROM entries WHERE version = 2'],
  ['STREAM_GAP', 'an entry after the last version of its stream', 'UPDATE streams SET version = 2'],
  ['STREAM_MISSING', 'entries without a stream', 'PRAGMA foreign_keys = OFF; DELETE FROM leases; DELETE FROM streams'],
  ['STREAM_MISSING', 'a lease without a stream', 'PRAGMA foreign_keys = OFF; UPDATE leases SET stream = 9'],
  ['ENTRY_ALTERED', 'a payload that is not JSON', "UPDATE entries SET payload = '{' WHERE version = 3"],
  ['ENTRY_ALTERED', 'a payload that cannot be inflated', "UPDATE entries SET payload = x'07' WHERE version = 3"],
  ['BLOB_ALTERED', 'a text that does not match its digest', "INSERT INTO blobs VALUES ('digest', '1')"],
  ['BLOB_ALTERED', 'a text that cannot be inflated', "INSERT INTO blobs VALUES ('digest', x'07')"],
  ['SNAPSHOT_ALTERED', 'an altered snapshot', "INSERT INTO snapshots VALUES (1, 3, 'a', 7, '{}')"],
  ['SNAPSHOT_ALTERED', 'a snapshot that cannot be inflated', "INSERT INTO snapshots VALUES (1, 3, 'a', 7, x'07')"],
])('the check reports %s for %s', (code, _what, change) =>
  inFolder(async (folder) => {
    const file = await storeIn(folder, 3);
    raw(file, change);
    const journal = openSqliteJournal(file);
    expect(journal.check().map((finding) => finding.code)).toEqual([code]);
    await journal.close();
  }),
);

it('long texts are compressed, and the check finds nothing wrong with them', () =>
  inFolder(async (folder) => {
    const file = await storeIn(folder);
    const text = JSON.stringify('grüß '.repeat(100_000));
    const journal = openSqliteJournal(file);
    const entry = { version: 2, type: 1, at: 0, cause: 0, payload: text };
    const blob = { digest: digestOfText(text), text };
    await journal.append({ ...entries(1, 0), entries: [entry], blobs: [blob] });
    expect(journal.check()).toEqual([]);
    expect(journal.read('r1', 1)).toEqual([entry]);
    expect(journal.blob(blob.digest)).toBe(text);
    await journal.close();
    expect((await stat(file)).size).toBeLessThan(text.length / 2);
  }));

it('an entry with an altered payload is refused as damaged when it is read', () =>
  inFolder(async (folder) => {
    const file = await storeIn(folder);
    raw(file, "UPDATE entries SET payload = x'07'");
    const journal = openSqliteJournal(file);
    expect(refusalOf(() => journal.read('r1'))).toBe('STORE_DAMAGED');
    await journal.close();
  }));

it('an altered snapshot is ignored', () =>
  inFolder(async (folder) => {
    const file = await storeIn(folder, 3);
    raw(file, "INSERT INTO snapshots VALUES (1, 3, 'a', 7, '{}')");
    const journal = openSqliteJournal(file);
    expect(journal.snapshot('r1')).toBeUndefined();
    await journal.close();
  }));

function raw(file: string, statements: string): void {
  const database = new DatabaseSync(file);
  database.exec(statements);
  database.close();
}
