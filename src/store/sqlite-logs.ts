// Log lines in SQLite: one row for each line, and one for each of their writers.
import type { DatabaseSync } from 'node:sqlite';
import { LONGEST_STREAM } from './append-refused.ts';
import type { KeptLogRow, LogOrigin, LogRow, LogRowQuery, LogTotals } from './journal.ts';
import { pack, unpack } from './packed-text.ts';
import type { Row } from './sqlite-row.ts';
import type { StreamRow } from './sqlite-streams.ts';

interface LogTable {
  add(stream: StreamRow, lines: readonly LogRow[]): void;
  read(stream: StreamRow, query: LogRowQuery): readonly KeptLogRow[];
  totals(stream: StreamRow): LogTotals;
}

const ORIGIN = 'step, attempt, delivery, call, source, trace';
/** CROSS JOIN keeps SQLite from beginning with the writers, because the lines are wanted in their order. */
const CHOSEN = `
  SELECT position, elapsed, severity, message, data, ${ORIGIN} FROM logs CROSS JOIN log_origins ON key = origin
  WHERE position > ? AND position <= ? AND severity >= ?
  AND (?4 IS NULL OR origin IN (SELECT key FROM log_origins WHERE stream = ?5 AND step IN (SELECT value FROM json_each(?4))))
  AND (?6 IS NULL OR attempt = ?6) AND (?7 IS NULL OR elapsed <= ?7)`;

export function logTable(database: DatabaseSync): LogTable {
  const insert = database.prepare(
    'INSERT INTO logs (position, origin, elapsed, severity, message, data) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const insertOrigin = database.prepare(`INSERT INTO log_origins (stream, ${ORIGIN}) VALUES (?, ?, ?, ?, ?, ?, ?)`);
  const selectOrigin = database.prepare(`
    SELECT key FROM log_origins
    WHERE stream = ? AND step = ? AND attempt = ? AND delivery = ? AND call = ? AND source = ? AND trace = ?`);
  const end = database.prepare('SELECT max(position) FROM logs WHERE position > ? AND position <= ?');
  const size = database.prepare(
    'SELECT sum(length(message) + length(data)) FROM logs WHERE position > ? AND position <= ?',
  );
  const first = database.prepare(`${CHOSEN} ORDER BY position LIMIT ?8`);
  const last = database.prepare(`${CHOSEN} ORDER BY position DESC LIMIT ?8`);

  function lastPosition(stream: StreamRow): number {
    const start = startOf(stream);
    return Number(end.get(start, start + LONGEST_STREAM)?.[0] ?? start);
  }

  function keyOf({ key }: StreamRow, { step, attempt, delivery, call, source, trace }: LogOrigin): number {
    const origin = [key, step, attempt, delivery, call, source, trace] as const;
    const found = selectOrigin.get(...origin);
    return Number(found === undefined ? insertOrigin.run(...origin).lastInsertRowid : found[0]);
  }

  return {
    add(stream, lines) {
      const keys = new Map<LogOrigin, number>();
      const bound = startOf(stream) + LONGEST_STREAM;
      let position = lastPosition(stream);
      for (const { at, severity, origin, message, data } of lines) {
        if (position >= bound) return;
        position += 1;
        const key = keys.get(origin) ?? keyOf(stream, origin);
        keys.set(origin, key);
        insert.run(position, key, at - stream.createdAt, severity, pack(message), pack(data));
      }
    },
    read(stream, { steps, attempt = null, severity = 0, after = 0, before, until, most = -1, last: isLast = false }) {
      const start = startOf(stream);
      const end = start + (before === undefined ? LONGEST_STREAM : before - 1);
      const listed = steps === undefined ? null : JSON.stringify(steps);
      const elapsed = until === undefined ? null : until - stream.createdAt;
      const query = isLast ? last : first;
      const rows = query.all(start + after, end, severity, listed, stream.key, attempt, elapsed, most);
      const kept = rows.map((row) => lineOf(row, stream));
      return isLast ? kept.reverse() : kept;
    },
    totals(stream) {
      const start = startOf(stream);
      const characters = Number(size.get(start, start + LONGEST_STREAM)?.[0] ?? 0);
      return { lines: lastPosition(stream) - start, characters };
    },
  };
}

function lineOf(row: Row, stream: StreamRow): KeptLogRow {
  return {
    number: Number(row[0]) - startOf(stream),
    at: Number(row[1]) + stream.createdAt,
    severity: Number(row[2]),
    message: unpack(row[3]),
    data: unpack(row[4]),
    origin: {
      step: String(row[5]),
      attempt: Number(row[6]),
      delivery: Number(row[7]),
      call: Number(row[8]),
      source: String(row[9]),
      trace: String(row[10]),
    },
  };
}

/** The position before a stream's first line. */
function startOf({ key }: StreamRow): number {
  return key * (LONGEST_STREAM + 1);
}
