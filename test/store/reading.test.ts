// Stores without write permission can be read in full, and refuse every write.
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

/** Creates a store whose second stream is only in the write-ahead log, as if its writer had been killed. */
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

/** Reads the ids of the streams in a process that is not root, because root ignores permissions. */
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

it('a write-protected store can be read, and refuses every write', () =>
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

it('a store in a write-protected folder can be read, and no other file is left there', () =>
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

it('a write-protected store is read with its write-ahead log', () =>
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

it('a write-protected store of an older version can be read, and stays unchanged', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'kept', 'runs.db');
    await begin(file, 'r1');
    const database = new DatabaseSync(file);
    database.exec(
      'DROP TABLE snapshots; DROP TABLE notes; DROP TABLE logs; DROP TABLE log_origins; PRAGMA user_version = 3',
    );
    database.close();
    chmodSync(file, 0o444);
    const before = readFileSync(file);
    const journal = openSqliteJournal(file, { access: 'any' });
    expect(journal.snapshot('r1')).toBeUndefined();
    expect(codeOf(() => journal.keepOutcomes('r1', '[]'))).toBe('STORE_READ_ONLY');
    await journal.close();
    expect(readFileSync(file)).toEqual(before);
  }));

it('a writable store that is opened with `access: any` can be written', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'runs.db');
    await begin(file, 'r1');
    const journal = openSqliteJournal(file, { access: 'any' });
    expect(journal.readOnly).toBeUndefined();
    journal.keepOutcomes('r1', '[]');
    await journal.close();
  }));

it('opening a store makes its file and the other files of SQLite accessible to their owner alone', () =>
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

it('a store with a missing table is refused as damaged', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'runs.db');
    await begin(file, 'r1');
    const database = new DatabaseSync(file);
    database.exec('PRAGMA foreign_keys = OFF; DROP TABLE entries');
    database.close();
    expect(codeOf(() => openSqliteJournal(file))).toBe('STORE_DAMAGED');
  }));

it('a file that is no database is refused as such, not as damaged', () =>
  inFolder(async (folder) => {
    const file = join(folder, 'runs.db');
    writeFileSync(file, 'a,b\n'.repeat(2_000));
    expect(codeOf(() => openSqliteJournal(file, { access: 'any' }))).toBe('STORE_NOT_DATABASE');
  }));
