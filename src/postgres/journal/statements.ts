// The statements of the journal in PostgreSQL, each one transaction.
import { MOST_NOTES, MOST_OUTCOMES } from '../../store/journal.ts';
import type { Query, QueryValue } from '../link/wire.ts';

const LEASE = 'host, pid, nonce, started_at, held_until';
const HEADER = `id, title, created_at, version, status, summary, ${LEASE}`;
const LOG = 'number, at, severity, message, data, step, attempt, delivery, call, source, trace';

/** The lines that a query of logs chooses; $1 is the stream. */
const CHOSEN_LOGS = `
  SELECT ${LOG} FROM reconverge.logs
  WHERE stream = (SELECT key FROM reconverge.streams WHERE id = $1)
    AND number > $2 AND ($3::integer IS NULL OR number < $3) AND severity >= $4
    AND ($5::text[] IS NULL OR step = ANY($5)) AND ($6::integer IS NULL OR attempt = $6)
    AND ($7::bigint IS NULL OR at <= $7)`;

/** The stream of a lease that is still held. */
const HELD = 'SELECT key FROM reconverge.streams WHERE id = $1 AND epoch = $2';

const TEXTS = {
  read: `SELECT version, type, at, cause, payload FROM reconverge.entries
    WHERE stream = (SELECT key FROM reconverge.streams WHERE id = $1) AND version > $2 ORDER BY version LIMIT $3`,
  blob: 'SELECT text FROM reconverge.blobs WHERE digest = $1',
  headers: `SELECT ${HEADER} FROM reconverge.streams ORDER BY key DESC LIMIT $1`,
  header: `SELECT ${HEADER} FROM reconverge.streams WHERE id = $1`,
  tenure: `SELECT epoch, ${LEASE} FROM reconverge.streams WHERE id = $1`,
  acquire: `UPDATE reconverge.streams
    SET epoch = $2 + 1, host = $3, pid = $4, nonce = $5, started_at = $6, held_until = $7, last_write = $8
    WHERE id = $1 AND (epoch = $2 OR last_write = $8) RETURNING epoch`,
  renew: 'UPDATE reconverge.streams SET held_until = $3 WHERE id = $1 AND epoch = $2 RETURNING key',
  release: `UPDATE reconverge.streams
    SET epoch = epoch + 1, host = NULL, pid = NULL, nonce = NULL, started_at = NULL, held_until = NULL
    WHERE id = $1 AND epoch = $2`,
  'keep-summary': `UPDATE reconverge.streams SET summary = s.summary
    FROM json_to_recordset($1::json) AS s (stream text, version integer, summary text)
    WHERE streams.id = s.stream AND streams.version = s.version`,
  'keep-snapshot': `INSERT INTO reconverge.snapshots (stream, version, shape, checksum, text)
    SELECT key, $3, $4, $5, $6 FROM (${HELD}) AS held
    ON CONFLICT (stream) DO UPDATE SET version = $3, shape = $4, checksum = $5, text = $6 RETURNING stream`,
  snapshot: `SELECT version, shape, checksum, text FROM reconverge.snapshots
    WHERE stream = (SELECT key FROM reconverge.streams WHERE id = $1)`,
  // A repeated post finds the item that its first try has written.
  post: `WITH owner AS (SELECT key FROM reconverge.streams WHERE id = $1), posted AS (
      INSERT INTO reconverge.inbox (stream, id, command, by, why, at, write)
      SELECT key, $2, $3, $4, $5, $6, $7 FROM owner ON CONFLICT (stream, id) DO NOTHING RETURNING id
    )
    SELECT (SELECT count(*) FROM owner), (SELECT count(*) FROM posted),
      (SELECT count(*) FROM reconverge.inbox JOIN owner ON stream = key WHERE id = $2 AND write = $7)`,
  inbox: `SELECT id, command, by, why, at FROM reconverge.inbox
    WHERE stream = (SELECT key FROM reconverge.streams WHERE id = $1) AND taken IS NULL ORDER BY position`,
  answer: `SELECT coalesce(answer, '') FROM reconverge.inbox
    WHERE stream = (SELECT key FROM reconverge.streams WHERE id = $1) AND id = $2 AND taken IS NOT NULL`,
  'keep-outcomes': `WITH trimmed AS (
      DELETE FROM reconverge.outcomes WHERE id <> $1 AND position <= (
        SELECT position FROM reconverge.outcomes WHERE id <> $1 ORDER BY position DESC OFFSET ${MOST_OUTCOMES - 1} LIMIT 1)
    )
    INSERT INTO reconverge.outcomes (id, text) VALUES ($1, $2)
    ON CONFLICT (id) DO UPDATE SET text = $2, position = DEFAULT`,
  outcomes: 'SELECT text FROM reconverge.outcomes ORDER BY position DESC',
  'keep-note': `WITH trimmed AS (
      DELETE FROM reconverge.notes WHERE id <> $1 AND position <= (
        SELECT position FROM reconverge.notes WHERE id <> $1 ORDER BY position DESC OFFSET ${MOST_NOTES - 1} LIMIT 1)
    )
    INSERT INTO reconverge.notes (id, text) VALUES ($1, $2)
    ON CONFLICT (id) DO UPDATE SET text = $2, position = DEFAULT`,
  note: 'SELECT text FROM reconverge.notes WHERE id = $1',
  'logs-first': `${CHOSEN_LOGS} ORDER BY number LIMIT $8`,
  'logs-last': `${CHOSEN_LOGS} ORDER BY number DESC LIMIT $8`,
  // The lease is checked before; a lease that was taken since then has raised the epoch.
  remove: 'DELETE FROM reconverge.streams WHERE id = $1 AND epoch = $2 RETURNING id',
  sweep: `WITH locked AS MATERIALIZED (SELECT pg_advisory_xact_lock(hashtext('reconverge.blobs'))),
    unused AS (
      SELECT digest FROM reconverge.blobs, locked
      WHERE NOT EXISTS (SELECT 1 FROM reconverge.blob_uses WHERE blob_uses.digest = blobs.digest)
      LIMIT $1
    ), gone AS (DELETE FROM reconverge.blobs USING unused WHERE blobs.digest = unused.digest RETURNING 1)
    SELECT count(*) FROM gone`,
  'log-totals': `SELECT coalesce(max(number), 0), coalesce(sum(length(message) + length(data)), 0) FROM reconverge.logs
    WHERE stream = (SELECT key FROM reconverge.streams WHERE id = $1)`,
} satisfies Readonly<Record<string, string>>;

/** The statements after which other connections hear that something has changed. */
const TELLING: ReadonlySet<string> = new Set([
  'acquire',
  'renew',
  'release',
  'keep-summary',
  'keep-snapshot',
  'post',
  'remove',
]);

export function statement(name: keyof typeof TEXTS, ...values: readonly QueryValue[]): Query {
  return { name, text: TEXTS[name], values, ...(TELLING.has(name) ? { tells: true } : {}) };
}
