// Copies a SQLite store into a PostgreSQL store: every run with its events, values, orders, snapshot and log lines.
import type { DatabaseSync } from 'node:sqlite';
import { bad, good, type Result } from '../../base/result.ts';
import { LONGEST_STREAM } from '../../store/append-refused.ts';
import { digestsIn } from '../../store/digests-in.ts';
import { fateOf } from '../../store/holder.ts';
import { unpack } from '../../store/packed-text.ts';
import { openForReading } from '../../store/sqlite-reading.ts';
import { tenureOf } from '../../store/sqlite-row.ts';
import { refusing } from '../../store/store-refused.ts';
import { plainText } from '../journal/plain-text.ts';
import type { Link } from '../link/link.ts';
import { type CopyTable, copyStatements } from './copy-statements.ts';

export interface CopiedStore {
  /** The runs that were copied now. */
  readonly runs: number;
  readonly events: number;
  /** The runs that were there already. */
  readonly known: number;
}

/** A run that a process drives at this moment. */
export interface DrivenRun {
  readonly run: string;
  readonly pid: number;
}

type SourceRow = Record<string, string | number | null>;

/** The most characters of rows in one statement. */
const PART = 4_000_000;
/** The longest wait for the lock of another process, in milliseconds. */
const PATIENCE = 5_000;

/**
 * A copy that was interrupted is completed by the next one. `onRun` is called after each run.
 * @throws StoreRefused, QueryFailed
 */
export function copyStore(file: string, link: Link, onRun: () => void): Result<CopiedStore, DrivenRun> {
  const database = openForReading(file, PATIENCE);
  try {
    return refusing(file, () => copyAll(database, link, onRun));
  } finally {
    database.close();
  }
}

function copyAll(database: DatabaseSync, link: Link, onRun: () => void): Result<CopiedStore, DrivenRun> {
  const driven = drivenRun(database);
  if (driven !== undefined) return bad(driven);
  const copied = { runs: 0, events: 0, known: 0 };
  for (const { stream, row } of streamsOf(database)) {
    const [begun] = link.wait(copyStatements.begin(JSON.stringify(row)));
    if (begun?.[0] !== true) {
      copied.known += 1;
      continue;
    }
    link.wait(copyStatements.make(JSON.stringify(row)));
    copied.events += copyRun(database, link, stream, String(row.id));
    copied.runs += 1;
    onRun();
  }
  copyTable(link, '', 'outcomes', texts(database, 'outcomes'));
  copyTable(link, '', 'notes', texts(database, 'notes'));
  return good(copied);
}

function drivenRun(database: DatabaseSync): DrivenRun | undefined {
  const leases = database.prepare(
    'SELECT host, pid, nonce, started_at, until, id FROM leases JOIN streams ON key = stream',
  );
  for (const row of leases.all()) {
    const holder = tenureOf(row, 0)?.holder;
    if (holder !== undefined && fateOf(holder) === 'alive') return { run: String(row[5]), pid: holder.pid };
  }
  return undefined;
}

interface SourceStream {
  readonly stream: SourceKey;
  readonly row: SourceRow;
}

interface SourceKey {
  readonly key: number;
  readonly createdAt: number;
}

function* streamsOf(database: DatabaseSync): Iterable<SourceStream> {
  const streams = database.prepare(
    'SELECT key, created_at, id, title, version, epoch, status, summary FROM streams ORDER BY key',
  );
  for (const [
    key,
    createdAt,
    id,
    title,
    version,
    epoch,
    status,
    summary,
  ] of streams.all() as unknown as SourceValue[][]) {
    const row = { id, title: plainText(String(title)), created_at: createdAt, version, epoch, status, summary };
    yield { stream: { key: Number(key), createdAt: Number(createdAt) }, row: row as SourceRow };
  }
}

type SourceValue = string | number | null;

function copyRun(database: DatabaseSync, link: Link, stream: SourceKey, id: string): number {
  const digests = new Set<string>();
  const events = copyTable(link, id, 'entries', entries(database, stream, digests));
  copyTable(link, id, 'blobs', blobs(database, digests));
  copyTable(link, id, 'inbox', inbox(database, stream));
  copyTable(link, id, 'snapshots', snapshots(database, stream));
  copyTable(link, id, 'logs', logs(database, stream));
  link.wait(copyStatements.end(id));
  return events;
}

/** Copies rows in statements of a bounded size, and returns their number. */
function copyTable(link: Link, id: string, table: CopyTable, rows: Iterable<SourceRow>): number {
  let part: string[] = [];
  let size = 0;
  let count = 0;
  const send = (): void => {
    if (part.length > 0) link.wait(copyStatements.rows(table, id, `[${part.join(',')}]`));
    part = [];
    size = 0;
  };
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (size + text.length > PART) send();
    part.push(text);
    size += text.length;
    count += 1;
  }
  send();
  return count;
}

function* entries(database: DatabaseSync, { key, createdAt }: SourceKey, digests: Set<string>): Iterable<SourceRow> {
  const start = key * (LONGEST_STREAM + 1);
  const query = database.prepare(
    'SELECT position, type, elapsed, cause, payload FROM entries WHERE position > ? AND position <= ? ORDER BY position',
  );
  for (const row of query.iterate(start, start + LONGEST_STREAM)) {
    const payload = unpack(row[4]);
    for (const digest of digestsIn(payload)) digests.add(digest);
    const at = Number(row[2]) + createdAt;
    yield { version: Number(row[0]) - start, type: Number(row[1]), at, cause: Number(row[3]), payload };
  }
}

function* blobs(database: DatabaseSync, digests: ReadonlySet<string>): Iterable<SourceRow> {
  const query = database.prepare('SELECT text FROM blobs WHERE digest = ?');
  for (const digest of digests) {
    const row = query.get(digest);
    if (row !== undefined) yield { digest, text: unpack(row[0]) };
  }
}

function* inbox(database: DatabaseSync, { key }: SourceKey): Iterable<SourceRow> {
  const query = database.prepare(
    'SELECT id, command, by, why, at, taken, answer FROM inbox WHERE stream = ? ORDER BY position',
  );
  for (const row of query.iterate(key)) {
    const [id, command, by, why, at, taken, answer] = row as unknown as SourceValue[];
    yield {
      id: String(id),
      command: String(command),
      by: plainText(String(by)),
      why: plainText(String(why)),
      at: Number(at),
      taken: taken ?? null,
      answer: answer ?? null,
    };
  }
}

function* snapshots(database: DatabaseSync, { key }: SourceKey): Iterable<SourceRow> {
  const row = database.prepare('SELECT version, shape, checksum, text FROM snapshots WHERE stream = ?').get(key);
  if (row === undefined) return;
  yield { version: Number(row[0]), shape: String(row[1]), checksum: Number(row[2]), text: unpack(row[3]) };
}

function* logs(database: DatabaseSync, { key, createdAt }: SourceKey): Iterable<SourceRow> {
  const start = key * (LONGEST_STREAM + 1);
  const query = database.prepare(`
    SELECT position, elapsed, severity, message, data, step, attempt, delivery, call, source, trace
    FROM logs JOIN log_origins ON key = origin WHERE position > ? AND position <= ? ORDER BY position`);
  for (const row of query.iterate(start, start + LONGEST_STREAM)) {
    yield {
      number: Number(row[0]) - start,
      at: Number(row[1]) + createdAt,
      severity: Number(row[2]),
      message: plainText(unpack(row[3])),
      data: plainText(unpack(row[4])),
      step: String(row[5]),
      attempt: Number(row[6]),
      delivery: Number(row[7]),
      call: Number(row[8]),
      source: String(row[9]),
      trace: String(row[10]),
    };
  }
}

function* texts(database: DatabaseSync, table: 'outcomes' | 'notes'): Iterable<SourceRow> {
  for (const row of database.prepare(`SELECT id, text FROM ${table} ORDER BY position`).iterate())
    yield { id: String(row[0]), text: unpack(row[1]) };
}
