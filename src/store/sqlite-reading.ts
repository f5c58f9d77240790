// Opens a store that cannot be written, for reading alone: where it lies if SQLite can, else a private copy of it.
import { chmodSync, copyFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { Duration } from '../base/quantity.ts';
import { isCurrent, migrate, refuseUnlessOurs } from './sqlite-schema.ts';
import { asRefusal, refusing, StoreRefused } from './store-refused.ts';

/** Rows come as arrays; every write is refused. Throws `StoreRefused`. */
export function openForReading(file: string, patience: Duration): DatabaseSync {
  const ways = [() => inPlace(file, patience), () => immutable(file)];
  // SQLite would leave files beside one that nobody writes.
  if (isProtected(file)) ways.reverse();
  return refusing(file, () => ways[0]?.() ?? ways[1]?.() ?? copied(file));
}

/** Undefined where SQLite cannot keep its shared memory beside the file, or the schema is older. */
function inPlace(file: string, patience: Duration): DatabaseSync | undefined {
  return opened(file, () => new DatabaseSync(file, { readOnly: true, returnArrays: true, timeout: patience }));
}

/** Undefined where part of the store is still in its write-ahead log, which SQLite would not read. */
function immutable(file: string): DatabaseSync | undefined {
  if (sizeOf(`${file}-wal`) > 0) return undefined;
  const url = pathToFileURL(resolve(file));
  // Nobody can write the file, so SQLite need not keep an eye on it.
  url.search = 'mode=ro&immutable=1';
  return opened(file, () => new DatabaseSync(url, { readOnly: true, returnArrays: true }));
}

/** The copy is made current, and is gone with this process. */
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
      // Takes in the write-ahead log: the database is one file then, which stays open when its name is gone.
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
    const isInItsWay = refusal instanceof StoreRefused && WAYS_ON.includes(refusal.code);
    if (!isInItsWay) {
      database?.close();
      throw refusal;
    }
  }
  database?.close();
  return undefined;
}

/** Refusals of one way to open a file that another way may overcome. */
const WAYS_ON: readonly string[] = ['STORE_READ_ONLY', 'STORE_UNWRITABLE'];

/** All permissions to write are taken away, also its owner's. */
export function isProtected(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found?.isFile() === true && (found.mode & 0o222) === 0;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
