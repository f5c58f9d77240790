// Streams in SQLite: the version, the epoch and the header of each stream.

import type { DatabaseSync } from 'node:sqlite';
import { defined } from '../base/json.ts';
import type { Instant } from '../base/quantity.ts';
import { AppendRefused, type StreamPosition } from './append-refused.ts';
import type { Append, KeptSummary, NewStream, StreamHeader } from './journal.ts';
import { FIRST_EPOCH } from './lease.ts';
import { checkedJson } from './packed-text.ts';
import { type Row, tenureOf } from './sqlite-row.ts';

export interface StreamRow extends StreamPosition {
  /** The key by which other tables refer to the stream. */
  readonly key: number;
  readonly createdAt: Instant;
}

export interface StreamTable {
  create(stream: NewStream): StreamRow;
  find(id: string): StreamRow | undefined;
  /** Throws `AppendRefused` for an unknown stream. */
  get(id: string): StreamRow;
  advance(stream: StreamRow, append: Append): void;
  setEpoch(stream: StreamRow, epoch: number): void;
  summarize(summaries: readonly KeptSummary[]): void;
  header(id: string): StreamHeader | undefined;
  /** Newest first. */
  headers(limit: number | undefined): readonly StreamHeader[];
}

const HEADERS = `
  SELECT id, title, created_at, version, status, summary, host, pid, nonce, started_at, until
  FROM streams LEFT JOIN leases ON leases.stream = streams.key`;

export function streamTable(database: DatabaseSync): StreamTable {
  const insert = database.prepare(`
    INSERT INTO streams (id, title, created_at, version, epoch, status, summary)
    VALUES (?, ?, ?, 0, ${FIRST_EPOCH}, '', '{}')`);
  const select = database.prepare('SELECT key, created_at, version, epoch FROM streams WHERE id = ?');
  const advance = database.prepare(`
    UPDATE streams SET version = ?, status = coalesce(?, status), summary = coalesce(?, summary) WHERE key = ?`);
  const setEpoch = database.prepare('UPDATE streams SET epoch = ? WHERE key = ?');
  const summarize = database.prepare('UPDATE streams SET summary = ? WHERE id = ? AND version = ?');
  const header = database.prepare(`${HEADERS} WHERE id = ?`);
  const headers = database.prepare(`${HEADERS} ORDER BY key DESC LIMIT ?`);

  function find(id: string): StreamRow | undefined {
    const row = select.get(id);
    if (row === undefined) return undefined;
    return { key: Number(row[0]), createdAt: Number(row[1]), version: Number(row[2]), epoch: Number(row[3]) };
  }

  return {
    create: ({ id, title, createdAt }) => {
      if (find(id) !== undefined) throw new AppendRefused('exists', id);
      const { lastInsertRowid } = insert.run(id, title, createdAt);
      return { key: Number(lastInsertRowid), createdAt, version: 0, epoch: FIRST_EPOCH };
    },
    find,
    get: (id) => {
      const found = find(id);
      if (found === undefined) throw new AppendRefused('unknown', id);
      return found;
    },
    advance: (stream, { entries, status = null, summary = null }) => {
      advance.run(stream.version + entries.length, status, summary, stream.key);
    },
    setEpoch: (stream, epoch) => {
      setEpoch.run(epoch, stream.key);
    },
    summarize: (summaries) => {
      for (const { stream, version, summary } of summaries) summarize.run(summary, stream, version);
    },
    header: (id) => {
      const row = header.get(id);
      return row === undefined ? undefined : headerOf(row);
    },
    headers: (limit = -1) => headers.all(limit).map(headerOf),
  };
}

function headerOf(row: Row): StreamHeader {
  const tenure = tenureOf(row, 6);
  return {
    id: String(row[0]),
    title: String(row[1]),
    createdAt: Number(row[2]),
    version: Number(row[3]),
    status: String(row[4]),
    summary: checkedJson(String(row[5])),
    ...defined({ holder: tenure?.holder, heldUntil: tenure?.until }),
  };
}
