// Snapshots in SQLite: one for each stream, with a checksum, because nothing else reveals that one was altered.
import type { DatabaseSync } from 'node:sqlite';
import { crc32 } from 'node:zlib';
import type { Snapshot } from './journal.ts';
import { pack, unpack } from './packed-text.ts';
import type { Row } from './sqlite-row.ts';
import type { StreamRow } from './sqlite-streams.ts';

interface SnapshotTable {
  keep(stream: StreamRow, snapshot: Snapshot): void;
  of(stream: StreamRow): Snapshot | undefined;
}

export function snapshotTable(database: DatabaseSync): SnapshotTable {
  const put = database.prepare(`
    INSERT OR REPLACE INTO snapshots (stream, version, shape, checksum, text) VALUES (?, ?, ?, ?, ?)`);
  const select = database.prepare('SELECT version, shape, checksum, text FROM snapshots WHERE stream = ?');
  return {
    keep: ({ key }, { version, shape, text }) => {
      put.run(key, version, shape, crc32(text), pack(text));
    },
    of: ({ key }) => {
      const row = select.get(key);
      return row === undefined ? undefined : snapshotFrom(row);
    },
  };
}

/** Reads the columns version, shape, checksum and text; undefined when the checksum does not match. */
export function snapshotFrom(row: Row): Snapshot | undefined {
  const text = textOf(row);
  return text === undefined || crc32(text) !== Number(row[2])
    ? undefined
    : { version: Number(row[0]), shape: String(row[1]), text };
}

function textOf(row: Row): string | undefined {
  try {
    return unpack(row[3]);
  } catch {
    return undefined;
  }
}
