// Outcomes in SQLite: one text for each id; only the newest are kept.
import type { DatabaseSync } from 'node:sqlite';
import { MOST_OUTCOMES } from './journal.ts';
import { checkedJson, pack, unpack } from './packed-text.ts';

interface OutcomeTable {
  keep(id: string, text: string): void;
  all(): readonly string[];
}

export function outcomeTable(database: DatabaseSync): OutcomeTable {
  const forget = database.prepare('DELETE FROM outcomes WHERE id = ?');
  const insert = database.prepare('INSERT INTO outcomes (id, text) VALUES (?, ?)');
  const trim = database.prepare('DELETE FROM outcomes WHERE position <= (SELECT max(position) FROM outcomes) - ?');
  const select = database.prepare('SELECT text FROM outcomes ORDER BY position DESC');
  return {
    keep(id, text) {
      forget.run(id);
      insert.run(id, pack(text));
      trim.run(MOST_OUTCOMES);
    },
    all: () => select.all().map((row) => checkedJson(unpack(row[0]))),
  };
}
