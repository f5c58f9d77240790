// Opens the SQLite file of a store: looks before it touches, then makes it ready and current.
import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Duration } from '../base/quantity.ts';
import { journal } from './migrations/0001-journal.ts';
import { answers } from './migrations/0002-answers.ts';
import { outcomes } from './migrations/0003-outcomes.ts';
import { snapshots } from './migrations/0004-snapshots.ts';
import { asRefusal, StoreRefused } from './store-refused.ts';

/** `strict`: what is committed survives power loss; `relaxed`: it survives the death of the process. */
export type Durability = 'strict' | 'relaxed';

/** In order; a store's `user_version` is the number of those applied. */
const MIGRATIONS: readonly string[] = [journal, answers, outcomes, snapshots];

/** 'RCVG' in the file's header: the file is ours. */
const APPLICATION_ID = 0x52435647;

/** Between two tries to open a store that another process is opening, in milliseconds. */
const PAUSE = 10;

/** Rows come as arrays. Waits for locks up to `patience`. Throws `StoreRefused`, and has altered nothing then. */
export function openDatabase(file: string, durability: Durability, patience: Duration): DatabaseSync {
  const deadline = performance.now() + patience;
  for (;;) {
    try {
      refuseUnlessOurs(file);
      return ready(file, durability, patience);
    } catch (error) {
      const refusal = asRefusal(error, file);
      // SQLite does not wait for a lock when it turns a new file to WAL: it says so at once.
      if (!isLocked(refusal) || performance.now() >= deadline) throw refusal;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    }
  }
}

function isLocked(refusal: unknown): boolean {
  return refusal instanceof StoreRefused && refusal.code === 'STORE_LOCKED';
}

/** Read only: the last writable connection to leave a file writes to it, and a file that we refuse is not ours to write. */
function refuseUnlessOurs(file: string): void {
  const found = onDisk(file, () => statSync(file, { throwIfNoEntry: false }));
  if (found === undefined || found.size === 0) return;
  const database = new DatabaseSync(file, { readOnly: true, returnArrays: true });
  try {
    const tables = integer(database, 'SELECT count(*) FROM sqlite_schema');
    if (tables > 0 && integer(database, 'PRAGMA application_id') !== APPLICATION_ID) {
      throw new StoreRefused('STORE_FOREIGN', file);
    }
    if (integer(database, 'PRAGMA user_version') > MIGRATIONS.length) throw new StoreRefused('STORE_NEWER', file);
  } finally {
    database.close();
  }
}

function ready(file: string, durability: Durability, patience: Duration): DatabaseSync {
  // What is kept is for whoever runs it: inputs, prompts and results stand there as they are.
  onDisk(file, () => mkdirSync(dirname(file), { recursive: true, mode: 0o700 }));
  const database = new DatabaseSync(file, { returnArrays: true, timeout: patience });
  try {
    database.exec('PRAGMA journal_mode = WAL');
    database.exec(`PRAGMA synchronous = ${durability === 'strict' ? 'FULL' : 'NORMAL'}`);
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** What the file system refuses, as a refusal of the store. */
function onDisk<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new StoreRefused('STORE_UNWRITABLE', file, error);
  }
}

function migrate(database: DatabaseSync): void {
  if (integer(database, 'PRAGMA user_version') === MIGRATIONS.length) return;
  database.exec('BEGIN IMMEDIATE');
  // Asked again inside: another process may have migrated while this one waited.
  for (const migration of MIGRATIONS.slice(integer(database, 'PRAGMA user_version'))) database.exec(migration);
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
  database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  database.exec('COMMIT');
}

function integer(database: DatabaseSync, query: string): number {
  return Number(database.prepare(query).get()?.[0]);
}
