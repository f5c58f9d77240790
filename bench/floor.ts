// The floors: the cost of the same job with only a loop, an array of counters and the store.
import { DatabaseSync } from 'node:sqlite';
import PQueue from 'p-queue';

export type Durability = 'strict' | 'relaxed';

/** Layers of `width` trivial steps, each waiting for two of the layer above. */
export interface Layers {
  readonly steps: number;
  readonly width: number;
}

function openStore(file: string, durability: Durability): DatabaseSync {
  const database = new DatabaseSync(file);
  database.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=${durability === 'strict' ? 'FULL' : 'NORMAL'};
    CREATE TABLE events (version INTEGER PRIMARY KEY, at INTEGER, payload TEXT) STRICT`);
  return database;
}

/** A loop awaits the steps of a layer together and writes one transaction. Microseconds per step. */
export async function ownLoop(file: string, { steps, width }: Layers, durability: Durability): Promise<number> {
  const database = openStore(file, durability);
  const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?)');
  const began = performance.now();
  let version = 0;
  for (let done = 0; done < steps; done += width) {
    const results = await Promise.all(
      Array.from({ length: width }, async (_, i) => ({ step: `s${done + i}`, value: { n: done + i } })),
    );
    database.exec('BEGIN IMMEDIATE');
    for (const result of results) insert.run(++version, Date.now(), JSON.stringify(result));
    database.exec('COMMIT');
  }
  const took = performance.now() - began;
  database.close();
  return (took * 1_000) / steps;
}

/** p-queue with one transaction for each step. Microseconds per step. */
export async function queueAndCommit(file: string, { steps, width }: Layers, durability: Durability): Promise<number> {
  const database = openStore(file, durability);
  const insert = database.prepare('INSERT INTO events VALUES (?, ?, ?)');
  const queue = new PQueue({ concurrency: width });
  const began = performance.now();
  let version = 0;
  for (let done = 0; done < steps; done += width) {
    const layer = Array.from({ length: width }, (_, i) =>
      queue.add(async () => {
        const result = { step: `s${done + i}`, value: { n: done + i } };
        insert.run(++version, Date.now(), JSON.stringify(result));
      }),
    );
    await Promise.all(layer);
  }
  const took = performance.now() - began;
  database.close();
  return (took * 1_000) / steps;
}
