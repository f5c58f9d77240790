// The journal in PostgreSQL passes the journal suite, and outlives its server.
import { afterAll, beforeAll, describe, it } from 'vitest';
import { openPostgresJournal } from '../../src/postgres/index.ts';
import { journalSuite } from '../../src/testing/journal-suite.ts';
import { type PostgresServer, postgresBin, startPostgres } from './server.ts';

let server: PostgresServer;
beforeAll(async () => {
  if (postgresBin !== undefined) server = await startPostgres();
});
afterAll(() => server?.stop());

describe.skipIf(postgresBin === undefined)('with a PostgreSQL server', () => {
  journalSuite({ describe, it }, 'postgres', async () => {
    const url = await server.database();
    return {
      connect: async (fateOf) => openPostgresJournal(url, { fateOf, durability: 'relaxed' }),
      remove: async () => undefined,
    };
  });
});
