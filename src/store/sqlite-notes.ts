// Notes in SQLite: one text for each id; only the newest are kept.
import type { DatabaseSync } from 'node:sqlite';
import { MOST_NOTES } from './journal.ts';
import { pack, unpack } from './packed-text.ts';

interface NoteTable {
  keep(id: string, text: string): void;
  of(id: string): string | undefined;
}

export function noteTable(database: DatabaseSync): NoteTable {
  const forget = database.prepare('DELETE FROM notes WHERE id = ?');
  const insert = database.prepare('INSERT INTO notes (id, text) VALUES (?, ?)');
  const trim = database.prepare('DELETE FROM notes WHERE position <= (SELECT max(position) FROM notes) - ?');
  const select = database.prepare('SELECT text FROM notes WHERE id = ?');
  return {
    keep(id, text) {
      forget.run(id);
      insert.run(id, pack(text));
      trim.run(MOST_NOTES);
    },
    of: (id) => {
      const row = select.get(id);
      return row === undefined ? undefined : unpack(row[0]);
    },
  };
}
