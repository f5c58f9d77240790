// Stores that can be read, but not written: they are shown whole, and every write is refused.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { openSqliteJournal } from '../../src/store/sqlite-journal.ts';
import { StoreRefused } from '../../src/store/store-refused.ts';
import { root } from '../sources.ts';
import { inFolder } from './store-folder.ts';

const HOLDER = { host: 'one', pid: 11, nonce: 'a' };

/** A store whose second stream stands in the write-ahead log alone, as when its writer was killed. */
async function copyInMidRun(folder: string): Promise<string> {
  const from = join(folder, 'from.db');
  const to = join(folder, 'kept', 'runs.db');
  mkdirSync(join(folder, 'kept'));
  await begin(from, 'r1');
  const journal = openSqliteJournal(from);
  await journal.create({ id: 'r2', title: 'later', createdAt: 0 }, HOLDER, 1_000);
  for (const ending of ['', '-wal']) copyFileSync(from + ending, to + ending);
  await journal.close();
  return to;
}

async function begin(file: string, id: string): Promise<void> {
  const journal = openSqliteJournal(file);
  await journal.create({ id, title: 'one', createdAt: 0 }, HOLDER, 1_000);
  await journal.close();
}

function protect(file: string): void {
  const folder = join(file, '..');
  for (const name of readdirSync(folder)) chmodSync(join(folder, name), 0o444);
  chmodSync(folder, 0o555);
}

function unprotect(file: string): void {
  chmodSync(join(file, '..'), 0o755);
}

function codeOf(work: () => unknown): unknown {
  try {
    work();
    return 'done';
  } catch (error) {
    return error instanceof StoreRefused ? error.code : error;
  }
}

/** The ids of the streams, read in a process that is not root: permissions do not bind root. */
function streamsReadByNobody(file: string): string {
  const module = join(root, 'src/store/sqlite-journal.ts');
  const program = `import { openSqliteJournal } from ${JSON.stringify(module)};
    const journal = openSqliteJournal(${JSON.stringify(file)}, { access: 'any' });
    console.log(journal.readOnly, journal.streams().map(({ id }) => id).join());
    try { journal.post('r1', { id: 'i', command: '{}', by: 'ann', why: '', at: 0 }); } catch (error) { console.log(error.code); }`;
  const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    ...nobody,
  });
  return stdout + stderr;
}

it('reads a write-protected store, and refuses every write', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'kept', 'runs.db');
    await begin(file, 'r1');
    const before = readFileSync(file);
    chmodSync(file, 0o444);
    expect(codeOf(() => openSqliteJournal(file))).toBe('STORE_READ_ONLY');
    const journal = openSqliteJournal(file, { access: 'any' });
    expect(journal.readOnly).toBe(true);
    expect(journal.streams().map(({ id }) => id)).toEqual(['r1']);
    expect(journal.check()).toEqual([]);
    expect(journal.changed()).toBe(false);
    const item = { id: 'i', command: '{}', by: 'ann', why: '', at: 0 };
    expect(codeOf(() => journal.post('r1', item))).toBe('STORE_READ_ONLY');
    expect(codeOf(() => journal.acquire('r1', HOLDER, 5_000, 1_000))).toBe('STORE_READ_ONLY');
    expect(codeOf(() => journal.keepOutcomes('r1', '[]'))).toBe('STORE_READ_ONLY');
    await expect(journal.create({ id: 'r9', title: '', createdAt: 0 }, HOLDER, 1)).rejects.toMatchObject({
      code: 'STORE_READ_ONLY',
    });
    await journal.close();
    expect(readFileSync(file)).toEqual(before);
  }));

it('reads a store in a folder that cannot be written, and leaves nothing there', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'kept', 'runs.db');
    await begin(file, 'r1');
    protect(file);
    chmodSync(folder, 0o755);
    try {
      expect(streamsReadByNobody(file)).toBe('true r1\nSTORE_READ_ONLY\n');
      expect(readdirSync(join(folder, 'kept'))).toEqual(['runs.db']);
    } finally {
      unprotect(file);
    }
  }));

it('reads what stands in the write-ahead log of a store that cannot be written', () =>
  inFolder(async (folder) => {
    const file = await copyInMidRun(folder);
    protect(file);
    chmodSync(folder, 0o755);
    try {
      expect(streamsReadByNobody(file)).toBe('true r2,r1\nSTORE_READ_ONLY\n');
    } finally {
      unprotect(file);
    }
  }));

it('reads a store of an older version that cannot be written', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'kept', 'runs.db');
    await begin(file, 'r1');
    const database = new DatabaseSync(file);
    database.exec('DROP TABLE snapshots; DROP TABLE notes; PRAGMA user_version = 3');
    database.close();
    chmodSync(file, 0o444);
    const before = readFileSync(file);
    const journal = openSqliteJournal(file, { access: 'any' });
    expect(journal.snapshot('r1')).toBeUndefined();
    expect(codeOf(() => journal.keepOutcomes('r1', '[]'))).toBe('STORE_READ_ONLY');
    await journal.close();
    expect(readFileSync(file)).toEqual(before);
  }));

it('writes a store that can be written, whatever the access', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'runs.db');
    await begin(file, 'r1');
    const journal = openSqliteJournal(file, { access: 'any' });
    expect(journal.readOnly).toBeUndefined();
    journal.keepOutcomes('r1', '[]');
    await journal.close();
  }));

it('keeps a store and what SQLite keeps beside it to its owner, also one that others could read', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'kept', 'runs.db');
    await begin(file, 'r1');
    chmodSync(file, 0o644);
    const journal = openSqliteJournal(file);
    journal.keepOutcomes('r1', '[]');
    const modes = readdirSync(join(folder, 'kept')).map((name) => statSync(join(folder, 'kept', name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
    await journal.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
  }));

it('says that a table is missing as damage, not in the words of the driver', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'runs.db');
    await begin(file, 'r1');
    const database = new DatabaseSync(file);
    database.exec('PRAGMA foreign_keys = OFF; DROP TABLE entries');
    database.close();
    expect(codeOf(() => openSqliteJournal(file))).toBe('STORE_DAMAGED');
  }));

it('tells a file that is no database from a damaged one', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'runs.db');
    writeFileSync(file, 'a,b\n'.repeat(2_000));
    expect(codeOf(() => openSqliteJournal(file, { access: 'any' }))).toBe('STORE_NOT_DATABASE');
  }));
