// The SQLite journal passes the journal suite.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { openSqliteJournal } from '../../src/store/sqlite-journal.ts';
import { journalSuite } from '../../src/testing/journal-suite.ts';

journalSuite({ describe, it }, 'sqlite', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'journal-'));
  const file = join(folder, 'made', 'runs.db');
  return {
    connect: async (fateOf) => openSqliteJournal(file, { fateOf, durability: 'relaxed' }),
    remove: () => rm(folder, { recursive: true }),
  };
});
