// The schema of a store: which version a file has, and how an older one is made current.
import type { DatabaseSync } from 'node:sqlite';
import { journal } from './migrations/0001-journal.ts';
import { answers } from './migrations/0002-answers.ts';
import { outcomes } from './migrations/0003-outcomes.ts';
import { snapshots } from './migrations/0004-snapshots.ts';
import { StoreRefused } from './store-refused.ts';

/** In order; a store's `user_version` is the number of those applied. */
const MIGRATIONS: readonly string[] = [journal, answers, outcomes, snapshots];

/** 'RCVG' in the file's header, at byte 68: the file is ours. */
export const APPLICATION_ID = 0x52435647;

/** @throws StoreRefused STORE_FOREIGN, STORE_NEWER */
export function refuseUnlessOurs(database: DatabaseSync, file: string): void {
  const tables = integer(database, 'SELECT count(*) FROM sqlite_schema');
  if (tables > 0 && integer(database, 'PRAGMA application_id') !== APPLICATION_ID) {
    throw new StoreRefused('STORE_FOREIGN', file);
  }
  if (integer(database, 'PRAGMA user_version') > MIGRATIONS.length) throw new StoreRefused('STORE_NEWER', file);
}

/** Before the file turns to WAL: the mark then stands in the file itself from its first moment, not in its log. */
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
  // Asked again inside: another process may have migrated while this one waited.
  for (const migration of MIGRATIONS.slice(integer(database, 'PRAGMA user_version'))) database.exec(migration);
  database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`);
  database.exec('COMMIT');
}

function integer(database: DatabaseSync, query: string): number {
  return Number(database.prepare(query).get()?.[0]);
}
