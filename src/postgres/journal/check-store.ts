// Checks a store in PostgreSQL: the references between its records, and texts that must be JSON or match their digest.
import { type Issue, issue } from '../../base/issue.ts';
import { isAddressedBy } from '../../store/addressed-text.ts';
import type { Query, Row } from '../link/wire.ts';
import { snapshotOf } from './rows.ts';

type Ask = (query: Query) => readonly Row[];

const RESTORE = 'restore a backup of the database';
/** The number of texts that are read at once. */
const PART = 500;

/** PostgreSQL checks its pages by itself when `data_checksums` is on. */
export function checkStore(ask: Ask): readonly Issue[] {
  return [...gaps(ask), ...entriesWithoutJson(ask), ...alteredBlobs(ask), ...alteredSnapshots(ask)];
}

function gaps(ask: Ask): readonly Issue[] {
  const broken = ask({
    name: 'check-gaps',
    text: `SELECT id FROM reconverge.streams LEFT JOIN (
        SELECT stream, count(*) AS found, max(version) AS last FROM reconverge.entries GROUP BY stream
      ) AS kept ON stream = key
      WHERE coalesce(found, 0) <> version OR coalesce(last, 0) <> version ORDER BY key`,
    values: [],
  });
  return broken.map(([id]) =>
    issue('STREAM_GAP', `the entries of stream ${id} do not run from 1 to its version`, {
      path: [String(id)],
      hint: RESTORE,
    }),
  );
}

/**
 * Calls `visit` for each row. `text` selects at most $3 rows behind the key ($1, $2), in its order; the key is in the first
 * two columns.
 */
function eachRow(ask: Ask, name: string, text: string, visit: (row: Row) => void): void {
  for (let last: readonly [string, number] = ['', 0]; ; ) {
    const rows = ask({ name, text, values: [...last, PART] });
    for (const row of rows) visit(row);
    const end = rows.at(-1);
    if (end === undefined || rows.length < PART) return;
    last = [String(end[0]), Number(end[1])];
  }
}

function entriesWithoutJson(ask: Ask): readonly Issue[] {
  const found: Issue[] = [];
  const text = `SELECT id, entries.version, payload FROM reconverge.entries JOIN reconverge.streams ON key = stream
    WHERE (id, entries.version) > ($1, $2) ORDER BY id, entries.version LIMIT $3`;
  eachRow(ask, 'check-entries', text, ([id, version, payload]) => {
    if (isJson(payload)) return;
    found.push(
      issue('ENTRY_ALTERED', `entry ${version} of stream ${id} is not JSON`, {
        path: [String(id), Number(version)],
        hint: RESTORE,
      }),
    );
  });
  return found;
}

function alteredBlobs(ask: Ask): readonly Issue[] {
  const found: Issue[] = [];
  const text = `SELECT digest, 0, text FROM reconverge.blobs
    WHERE digest > $1 AND $2 >= 0 ORDER BY digest LIMIT $3`;
  eachRow(ask, 'check-blobs', text, ([digest, , blob]) => {
    if (isAddressedBy(String(blob), String(digest))) return;
    found.push(
      issue('BLOB_ALTERED', `the text of blob ${digest} is not the one that was stored`, {
        path: [String(digest)],
        hint: RESTORE,
      }),
    );
  });
  return found;
}

function alteredSnapshots(ask: Ask): readonly Issue[] {
  const found: Issue[] = [];
  const text = `SELECT id, snapshots.version, shape, checksum, text FROM reconverge.snapshots
    JOIN reconverge.streams ON key = stream WHERE (id, snapshots.version) > ($1, $2) ORDER BY id LIMIT $3`;
  eachRow(ask, 'check-snapshots', text, ([id, ...snapshot]) => {
    if (snapshotOf(snapshot) !== undefined) return;
    found.push(
      issue('SNAPSHOT_ALTERED', `the snapshot of stream ${id} was changed`, {
        path: [String(id)],
        hint: 'change nothing: the run is read from its events, and the next snapshot replaces this one',
      }),
    );
  });
  return found;
}

function isJson(text: unknown): boolean {
  try {
    JSON.parse(String(text));
    return true;
  } catch {
    return false;
  }
}
