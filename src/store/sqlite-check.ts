// Checks a SQLite store from end to end: its pages first, then the references between its records.
import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { type Issue, issue } from '../base/issue.ts';
import { isAddressedBy } from './addressed-text.ts';
import { LONGEST_STREAM } from './append-refused.ts';
import { unpack } from './packed-text.ts';
import { snapshotFrom } from './sqlite-snapshots.ts';
import { asRefusal, StoreRefused } from './store-refused.ts';

type Check = (database: DatabaseSync) => readonly Issue[];

const RESTORE = 'restore a copy of the store';

/** Lists the problems of a store. A store that is open only for reading need not be writable. */
export function checkDatabase(database: DatabaseSync, file: string, readOnly: boolean): readonly Issue[] {
  try {
    if (!readOnly) refuseUnlessWritable(database);
    const damage = pages(database);
    // The other checks need sound pages.
    return damage.length > 0 ? damage : CHECKS.flatMap((check) => check(database));
  } catch (error) {
    const refusal = asRefusal(error, file);
    if (refusal instanceof StoreRefused && refusal.code === 'STORE_DAMAGED') return [damaged(String(error))];
    throw refusal;
  }
}

/** Reading works while another process holds the lock, but runs would not. Throws the error of SQLite. */
function refuseUnlessWritable(database: DatabaseSync): void {
  database.exec('BEGIN IMMEDIATE');
  database.exec('ROLLBACK');
}

const pages: Check = (database) => {
  const findings = database
    .prepare('PRAGMA integrity_check')
    .all()
    .map((row) => String(row[0]));
  return findings.filter((finding) => finding !== 'ok').map(damaged);
};

function damaged(finding: string): Issue {
  return issue('STORE_DAMAGED', `the database is damaged: ${finding}`, { hint: RESTORE });
}

const references: Check = (database) => {
  const broken = database.prepare('SELECT DISTINCT "table" FROM pragma_foreign_key_check').all();
  return broken.map((row) => orphan(String(row[0])));
};

const strays: Check = (database) => {
  const stray = database.prepare('SELECT 1 FROM entries WHERE stream NOT IN (SELECT key FROM streams) LIMIT 1').get();
  return stray === undefined ? [] : [orphan('entries')];
};

function orphan(table: string): Issue {
  return issue('STREAM_MISSING', `the table ${table} has rows of a missing stream`, {
    hint: RESTORE,
  });
}

const lostLogs: Check = (database) => {
  const span = LONGEST_STREAM + 1;
  const lost = database
    .prepare(
      `SELECT 1 FROM logs JOIN log_origins ON log_origins.key = origin WHERE position / ${span} <> stream LIMIT 1`,
    )
    .get();
  return lost === undefined ? [] : [orphan('logs')];
};

const versions: Check = (database) => {
  const first = `key * ${LONGEST_STREAM + 1} + 1`;
  const broken = database.prepare(`
    SELECT id FROM (
      SELECT id, version, key, (
        SELECT count(*) FROM entries WHERE position BETWEEN ${first} AND ${first} + version - 1
      ) AS found, (
        SELECT count(*) FROM entries WHERE position BETWEEN ${first} + version AND ${first} + ${LONGEST_STREAM - 1}
      ) AS beyond FROM streams
    ) WHERE found <> version OR beyond > 0`);
  return broken.all().map((row) =>
    issue('STREAM_GAP', `the entries of stream ${row[0]} do not run from 1 to its version`, {
      path: [String(row[0])],
      hint: RESTORE,
    }),
  );
};

const payloads: Check = (database) => {
  const doubtful = database.prepare(`
    SELECT id, entries.version, payload FROM entries JOIN streams ON key = stream
    WHERE typeof(payload) <> 'text' OR NOT json_valid(payload) ORDER BY position`);
  const broken = doubtful.all().filter((row) => !isJson(row[2]));
  return broken.map((row) =>
    issue('ENTRY_ALTERED', `entry ${row[1]} of stream ${row[0]} is not JSON`, {
      path: [String(row[0]), Number(row[1])],
      hint: RESTORE,
    }),
  );
};

function isJson(column: SQLOutputValue | undefined): boolean {
  try {
    JSON.parse(unpack(column));
    return true;
  } catch {
    return false;
  }
}

const summaries: Check = (database) => {
  const broken = database.prepare('SELECT id FROM streams WHERE NOT json_valid(summary) ORDER BY key').all();
  return broken.map((row) => damaged(`the summary of stream ${row[0]} is not JSON`));
};

const outcomes: Check = (database) => {
  const broken = database
    .prepare('SELECT id, text FROM outcomes ORDER BY position')
    .all()
    .filter((row) => !isJson(row[1]));
  return broken.map((row) => damaged(`the outcomes of stream ${row[0]} are not JSON`));
};

const blobs: Check = (database) => {
  const altered: Issue[] = [];
  for (const row of database.prepare('SELECT digest, text FROM blobs').iterate()) {
    const digest = String(row[0]);
    if (!addresses(digest, row[1])) {
      altered.push(
        issue('BLOB_ALTERED', `the text of blob ${digest} is not the one that was stored`, {
          path: [digest],
          hint: RESTORE,
        }),
      );
    }
  }
  return altered;
};

function addresses(digest: string, column: SQLOutputValue | undefined): boolean {
  try {
    return isAddressedBy(unpack(column), digest);
  } catch {
    return false;
  }
}

const snapshots: Check = (database) => {
  const kept = database.prepare(
    'SELECT snapshots.version, shape, checksum, text, id FROM snapshots JOIN streams ON key = stream',
  );
  return kept.all().flatMap((row) =>
    snapshotFrom(row) !== undefined
      ? []
      : issue('SNAPSHOT_ALTERED', `the snapshot of stream ${row[4]} was changed`, {
          path: [String(row[4])],
          hint: 'change nothing: the run is read from its events, and the next snapshot replaces this one',
        }),
  );
};

const CHECKS: readonly Check[] = [
  references,
  strays,
  lostLogs,
  versions,
  payloads,
  summaries,
  outcomes,
  blobs,
  snapshots,
];
