// The inbox in SQLite. Taken items stay, so that no id is taken twice and the record shows who posted them.
import type { DatabaseSync } from 'node:sqlite';
import type { InboxItem, TakenItem } from './journal.ts';
import type { StreamRow } from './sqlite-streams.ts';

export interface InboxTable {
  post(stream: StreamRow, item: InboxItem): boolean;
  pending(stream: StreamRow): readonly InboxItem[];
  /** Marks items as answered by the entries up to `version`. */
  take(stream: StreamRow, taken: readonly TakenItem[], version: number): void;
  answer(stream: StreamRow, id: string): string | undefined;
}

export function inboxTable(database: DatabaseSync): InboxTable {
  const insert = database.prepare(`
    INSERT INTO inbox (stream, id, command, by, why, at) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (stream, id) DO NOTHING`);
  const select = database.prepare(`
    SELECT id, command, by, why, at FROM inbox WHERE stream = ? AND taken IS NULL ORDER BY position`);
  const take = database.prepare('UPDATE inbox SET taken = ?, answer = ? WHERE stream = ? AND id = ? AND taken IS NULL');
  // Items that were taken before version 2 of the schema have no answer.
  const answer = database.prepare(
    "SELECT coalesce(answer, '') FROM inbox WHERE stream = ? AND id = ? AND taken IS NOT NULL",
  );

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
    take: (stream, taken, version) => {
      for (const each of taken) take.run(version, each.answer, stream.key, each.id);
    },
    answer: (stream, id) => {
      const row = answer.get(stream.key, id);
      return row === undefined ? undefined : String(row[0]);
    },
  };
}
