// The memory journal passes the journal suite.
import { describe, it } from 'vitest';
import { emptyMemory, openMemoryJournal } from '../../src/store/memory-journal.ts';
import { journalSuite } from '../../src/testing/journal-suite.ts';

journalSuite({ describe, it }, 'memory', async () => {
  const memory = emptyMemory();
  return { connect: async (fateOf) => openMemoryJournal({ memory, fateOf }), remove: async () => {} };
});
