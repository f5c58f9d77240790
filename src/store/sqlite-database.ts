// Opens the SQLite file of a store: checks it before changing it, then prepares and migrates it.
import { chmodSync, closeSync, mkdirSync, openSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Duration } from '../base/quantity.ts';
import { isProtected } from './sqlite-reading.ts';
import { mark, migrate, refuseUnlessOurs } from './sqlite-schema.ts';
import { asRefusal, refusalOfFile, StoreRefused } from './store-refused.ts';

/** `strict`: what is committed survives power loss; `relaxed`: it survives the death of the process. */
export type Durability = 'strict' | 'relaxed';

/** The pause between two tries to open a store that another process is opening. */
const PAUSE: Duration = 10;

/** Rows are arrays. Waits for locks up to `patience`. @throws StoreRefused, and has then changed nothing */
export function openDatabase(file: string, durability: Durability, patience: Duration): DatabaseSync {
  const deadline = performance.now() + patience;
  for (;;) {
    try {
      look(file);
      return ready(file, durability, patience);
    } catch (error) {
      const refusal = asRefusal(error, file);
      // SQLite does not wait for a lock when it turns a new file to WAL, but fails at once.
      if (!isLocked(refusal) || performance.now() >= deadline) throw refusal;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE);
    }
  }
}

function isLocked(refusal: unknown): boolean {
  return refusal instanceof StoreRefused && refusal.code === 'STORE_LOCKED';
}

/** Opens the file for reading only: closing a writable connection may write to a file that belongs to another program. */
function look(file: string): void {
  const found = onDisk(file, () => statSync(file, { throwIfNoEntry: false }));
  if (found === undefined) return;
  // Permissions do not bind root, but a user who removed all of them wants the store unchanged.
  if (isProtected(file)) {
    throw new StoreRefused('STORE_READ_ONLY', file, undefined, 'the file is write-protected');
  }
  if (found.size === 0) return;
  const database = new DatabaseSync(file, { readOnly: true, returnArrays: true });
  try {
    refuseUnlessOurs(database, file);
  } finally {
    database.close();
  }
}

function ready(file: string, durability: Durability, patience: Duration): DatabaseSync {
  onDisk(file, () => {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    keepToOwner(file);
  });
  const database = new DatabaseSync(file, { returnArrays: true, timeout: patience });
  try {
    mark(database);
    database.exec('PRAGMA journal_mode = WAL');
    database.exec(`PRAGMA synchronous = ${durability === 'strict' ? 'FULL' : 'NORMAL'}`);
    migrate(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * A store holds inputs, prompts and results in plain text, so only its owner may read it. SQLite gives the files beside a
 * database the permissions of the database.
 */
function keepToOwner(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  for (const each of [file, `${file}-wal`, `${file}-shm`]) {
    const found = statSync(each, { throwIfNoEntry: false });
    if (found === undefined || (found.mode & 0o077) === 0) continue;
    try {
      chmodSync(each, 0o600);
    } catch {
      // The file belongs to another user, who has granted access.
    }
  }
}

/** Turns an error of the file system into a refusal of the store. */
function onDisk<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw refusalOfFile(error, file);
  }
}
