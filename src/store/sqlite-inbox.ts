// The inbox in SQLite. What was taken stays, so that its id is not taken twice and one can see who ordered what.
import type { DatabaseSync } from 'node:sqlite';
import type { InboxItem } from './journal.ts';
import type { StreamRow } from './sqlite-streams.ts';

export interface InboxTable {
  post(stream: StreamRow, item: InboxItem): boolean;
  pending(stream: StreamRow): readonly InboxItem[];
  /** Marks items as answered by the entries up to `version`. */
  take(stream: StreamRow, ids: readonly string[], version: number): void;
}

export function inboxTable(database: DatabaseSync): InboxTable {
  const insert = database.prepare(`
    INSERT INTO inbox (stream, id, command, by, why, at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (stream, id) DO NOTHING`);
  const select = database.prepare(`
    SELECT id, command, by, why, at FROM inbox WHERE stream = ? AND taken IS NULL ORDER BY position`);
  const take = database.prepare('UPDATE inbox SET taken = ? WHERE stream = ? AND id = ? AND taken IS NULL');

  return {
    post: (stream, { id, command, by, why, at }) => insert.run(stream.key, id, command, by, why, at).changes === 1,
    pending: (stream) =>
      select.all(stream.key).map((row) => ({
        id: String(row[0]),
        command: String(row[1]),
        by: String(row[2]),
        why: String(row[3]),
        at: Number(row[4]),
      })),
    take: (stream, ids, version) => {
      for (const id of ids) take.run(version, stream.key, id);
    },
  };
}
