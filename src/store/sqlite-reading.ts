// Opens a store that cannot be written, for reading only: in place if SQLite can, or else a private copy.
import { chmodSync, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Duration } from '../base/quantity.ts';
import { isCurrent, migrate, refuseUnlessOurs } from './sqlite-schema.ts';
import { asRefusal, refusing, StoreRefused } from './store-refused.ts';

/** Rows are arrays; every write is refused. @throws StoreRefused */
export function openForReading(file: string, patience: Duration): DatabaseSync {
  const ways = [() => inPlace(file, patience), () => immutable(file)];
  // Opened in place, SQLite would leave files beside a protected store.
  if (isProtected(file)) ways.reverse();
  return refusing(file, () => ways[0]?.() ?? ways[1]?.() ?? copied(file));
}

/** Undefined when SQLite cannot create its shared memory beside the file, or the schema is older. */
function inPlace(file: string, patience: Duration): DatabaseSync | undefined {
  return opened(file, () => new DatabaseSync(file, { readOnly: true, returnArrays: true, timeout: patience }));
}

/** Undefined when part of the store is still in its write-ahead log, which SQLite does not read in this mode. */
function immutable(file: string): DatabaseSync | undefined {
  if (sizeOf(`${file}-wal`) > 0) return undefined;
  const url = pathToFileURL(resolve(file));
  // No process can write the file, so SQLite need not watch it.
  url.search = 'mode=ro&immutable=1';
  return opened(file, () => new DatabaseSync(url, { readOnly: true, returnArrays: true }));
}

/** The copy is migrated, and disappears with this process. */
function copied(file: string): DatabaseSync {
  const folder = mkdtempSync(join(tmpdir(), 'reconverge-read-'));
  try {
    const copy = join(folder, 'runs.db');
    for (const ending of ['', '-wal']) {
      if (ending !== '' && sizeOf(file + ending) === 0) continue;
      copyFileSync(file + ending, copy + ending);
      chmodSync(copy + ending, 0o600);
    }
    const database = new DatabaseSync(copy, { returnArrays: true });
    try {
      refuseUnlessOurs(database, file);
      // This merges the write-ahead log: the database is then one file, which stays open after its name is removed.
      database.exec('PRAGMA journal_mode = DELETE');
      migrate(database);
      database.exec('PRAGMA query_only = ON');
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function opened(file: string, open: () => DatabaseSync): DatabaseSync | undefined {
  let database: DatabaseSync | undefined;
  try {
    database = open();
    refuseUnlessOurs(database, file);
    if (isCurrent(database)) return database;
  } catch (error) {
    const refusal = asRefusal(error, file);
    const isRetried = refusal instanceof StoreRefused && RETRIED.includes(refusal.code);
    if (!isRetried) {
      database?.close();
      throw refusal;
    }
  }
  database?.close();
  return undefined;
}

/** Refusals after which another way to open the file may succeed. */
const RETRIED: readonly string[] = ['STORE_READ_ONLY', 'STORE_UNWRITABLE'];

/** True when nobody, not even the owner, has permission to write the file. */
export function isProtected(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && (found.mode & 0o222) === 0;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
