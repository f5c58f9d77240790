// Entries and blobs in SQLite.
import type { DatabaseSync } from 'node:sqlite';
import type { Digest } from '../base/digest.ts';
import { LONGEST_STREAM } from './append-refused.ts';
import type { Append, Entry } from './journal.ts';
import { pack, unpack } from './packed-text.ts';
import type { StreamRow } from './sqlite-streams.ts';

export interface EntryTable {
  /** One write of a group: the entries and blobs of an append that fits. */
  add(stream: StreamRow, append: Append): void;
  read(stream: StreamRow, after: number, most: number): readonly Entry[];
  blob(digest: Digest): string | undefined;
}

export function entryTable(database: DatabaseSync): EntryTable {
  const insert = database.prepare(
    'INSERT INTO entries (position, type, elapsed, cause, payload) VALUES (?, ?, ?, ?, ?)',
  );
  const select = database.prepare(`
    SELECT position, type, elapsed, cause, payload FROM entries WHERE position > ? AND position <= ? ORDER BY position
    LIMIT ?`);
  const insertBlob = database.prepare('INSERT INTO blobs (digest, text) VALUES (?, ?) ON CONFLICT DO NOTHING');
  const selectBlob = database.prepare('SELECT text FROM blobs WHERE digest = ?');

  return {
    add: (stream, append) => {
      const start = startOf(stream);
      for (const { version, type, at, cause, payload } of append.entries) {
        insert.run(start + version, type, at - stream.createdAt, cause, pack(payload));
      }
      for (const { digest, text } of append.blobs) insertBlob.run(digest, pack(text));
    },
    read: (stream, after, most) => {
      const start = startOf(stream);
      const rows = select.all(start + after, start + LONGEST_STREAM, most);
      return rows.map((row) => ({
        version: Number(row[0]) - start,
        type: Number(row[1]),
        at: Number(row[2]) + stream.createdAt,
        cause: Number(row[3]),
        payload: unpack(row[4]),
      }));
    },
    blob: (digest) => {
      const row = selectBlob.get(digest);
      return row === undefined ? undefined : unpack(row[0]);
    },
  };
}

/** The position before a stream's first entry. */
function startOf(stream: StreamRow): number {
  return stream.key * (LONGEST_STREAM + 1);
}
