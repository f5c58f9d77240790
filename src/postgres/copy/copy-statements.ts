// The statements that copy the rows of another store. A run is marked while it is copied, so that an interrupted copy begins anew.
import type { Query } from '../link/wire.ts';

const STREAM = '(SELECT key FROM reconverge.streams WHERE id = $1)';

/** The columns of each table with their types, in the order of the insertion. */
const TABLES = {
  entries: 'version integer, type smallint, at bigint, cause integer, payload text',
  blobs: 'digest text, text text',
  inbox: 'id text, command text, by text, why text, at bigint, taken integer, answer text',
  snapshots: 'version integer, shape text, checksum bigint, text text',
  logs: 'number integer, at bigint, severity smallint, step text, attempt integer, delivery integer, call integer, source text, trace text, message text, data text',
  outcomes: 'id text, text text',
  notes: 'id text, text text',
} as const;

export type CopyTable = keyof typeof TABLES;

function insertion(table: CopyTable): string {
  const columns = TABLES[table].replaceAll(/ (integer|smallint|bigint|text)(?=,|$)/g, '');
  const rows = `json_to_recordset($2::json) AS r (${TABLES[table]})`;
  switch (table) {
    case 'blobs':
      return `WITH kept AS (INSERT INTO reconverge.blobs SELECT digest, text FROM ${rows} ON CONFLICT DO NOTHING)
        INSERT INTO reconverge.blob_uses (stream, digest) SELECT ${STREAM}, digest FROM ${rows}`;
    case 'inbox':
      return `INSERT INTO reconverge.inbox (stream, ${columns}, write) SELECT ${STREAM}, ${columns}, '' FROM ${rows}`;
    case 'outcomes':
    case 'notes':
      return `INSERT INTO reconverge.${table} (${columns}) SELECT ${columns} FROM ${rows} WHERE $1 = '' ON CONFLICT DO NOTHING`;
    default:
      return `INSERT INTO reconverge.${table} (stream, ${columns}) SELECT ${STREAM}, ${columns} FROM ${rows}`;
  }
}

export const copyStatements = {
  /** Answers false if the run is there already. */
  begin: (row: string): Query => ({
    name: 'copy-begin',
    text: `WITH old AS (DELETE FROM reconverge.streams WHERE id = $1::json->>'id' AND last_write = 'copying' RETURNING id)
      SELECT NOT EXISTS (SELECT 1 FROM reconverge.streams WHERE id = $1::json->>'id' AND last_write <> 'copying')
        AND (SELECT count(*) FROM old) >= 0`,
    values: [row],
  }),
  make: (row: string): Query => ({
    name: 'copy-make',
    text: `INSERT INTO reconverge.streams (id, title, created_at, version, epoch, status, summary, last_write)
      SELECT r.*, 'copying' FROM json_to_record($1::json)
        AS r (id text, title text, created_at bigint, version integer, epoch integer, status text, summary text)`,
    values: [row],
  }),
  rows: (table: CopyTable, id: string, rows: string): Query => ({
    name: `copy-${table}`,
    text: insertion(table),
    values: [id, rows],
  }),
  end: (id: string): Query => ({
    name: 'copy-end',
    text: "UPDATE reconverge.streams SET last_write = 'copied' WHERE id = $1 AND last_write = 'copying'",
    values: [id],
    tells: true,
  }),
};
