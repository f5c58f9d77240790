// The schema of a store: identifies its version, and migrates older stores.
import type { DatabaseSync } from 'node:sqlite';
import { journal } from './migrations/0001-journal.ts';
import { answers } from './migrations/0002-answers.ts';
import { outcomes } from './migrations/0003-outcomes.ts';
import { snapshots } from './migrations/0004-snapshots.ts';
import { notes } from './migrations/0005-notes.ts';
import { logs } from './migrations/0006-logs.ts';
import { StoreRefused } from './store-refused.ts';

/** The migrations in order; the `user_version` of a store counts the applied ones. */
const MIGRATIONS: readonly string[] = [journal, answers, outcomes, snapshots, notes, logs];

/** 'RCVG' at byte 68 of the header marks a store of this program. */
export const APPLICATION_ID = 0x52435647;

/** @throws StoreRefused STORE_FOREIGN, STORE_NEWER */
export function refuseUnlessOurs(database: DatabaseSync, file: string): void {
  const tables = integer(database, 'SELECT count(*) FROM sqlite_schema');
  if (tables > 0 && integer(database, 'PRAGMA application_id') !== APPLICATION_ID) {
    throw new StoreRefused('STORE_FOREIGN', file);
  }
  if (integer(database, 'PRAGMA user_version') > MIGRATIONS.length) throw new StoreRefused('STORE_NEWER', file);
}

/** Called before the file turns to WAL, so that the mark is in the file itself and not in its log. */
export function mark(database: DatabaseSync): void {
  if (integer(database, 'PRAGMA application_id') === APPLICATION_ID) return;
  database.exec(`PRAGMA application_id = ${APPLICATION_ID}`);
}

export function isCurrent(database: DatabaseSync): boolean {
  return integer(database, 'PRAGMA user_version') === MIGRATIONS.length;
}

export function migrate(database: DatabaseSync): void {
  if (isCurrent(database)) return;
  database.exec('BEGIN IMMEDIATE');
  // The version is read again, because another process may have migrated while this one waited.
  for (const migration of MIGRATIONS.slice(integer(database, 'PRAGMA user_version'))) database.exec(migration);
  database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  database.exec('COMMIT');
}

function integer(database: DatabaseSync, query: string): number {
  return Number(database.prepare(query).get()?.[0]);
}
