// Removes streams from SQLite, and texts that no stream names any more.
import type { DatabaseSync } from 'node:sqlite';
import type { Instant } from '../base/quantity.ts';
import { LONGEST_STREAM } from './append-refused.ts';
import { digestsIn } from './digests-in.ts';
import type { Group } from './group-commit.ts';
import { type FateOf, isHeld } from './lease.ts';
import { unpack } from './packed-text.ts';
import { tenureOf } from './sqlite-row.ts';
import type { StreamTable } from './sqlite-streams.ts';

export interface Removal {
  /** One write of a group: removes the stream, unless somebody holds its lease. */
  remove(id: string, now: Instant): boolean;
  /** Removes the unused texts, and returns their number. */
  sweep(group: Group): number;
}

export function removal(database: DatabaseSync, streams: StreamTable, fateOf: FateOf): Removal {
  const lease = database.prepare('SELECT host, pid, nonce, started_at, until FROM leases WHERE stream = ?');
  const byPosition = ['entries', 'logs'].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE position > ? AND position <= ?`),
  );
  const byStream = ['log_origins', 'inbox', 'snapshots', 'leases'].map((table) =>
    database.prepare(`DELETE FROM ${table} WHERE stream = ?`),
  );
  const last = database.prepare('DELETE FROM streams WHERE key = ?');
  const versions = database.prepare('SELECT key, version FROM streams');
  const payloads = database.prepare('SELECT payload FROM entries WHERE position > ? AND position <= ?');
  const digests = database.prepare('SELECT digest FROM blobs');
  const forget = database.prepare('DELETE FROM blobs WHERE digest = ?');

  /** Adds the digests of all entries behind the versions that `read` has, and notes the new versions. */
  function collect(used: Set<string>, read: Map<number, number>): void {
    for (const row of versions.all()) {
      const [key, version] = [Number(row[0]), Number(row[1])];
      const start = key * (LONGEST_STREAM + 1);
      for (const entry of payloads.iterate(start + (read.get(key) ?? 0), start + version))
        for (const digest of digestsIn(unpack(entry[0]))) used.add(digest);
      read.set(key, version);
    }
  }

  return {
    remove(id, now) {
      const stream = streams.find(id);
      if (stream === undefined) return false;
      const row = lease.get(stream.key);
      const tenure = row === undefined ? undefined : tenureOf(row, 0);
      if (tenure !== undefined && isHeld(tenure, now, fateOf)) return false;
      const start = stream.key * (LONGEST_STREAM + 1);
      for (const each of byPosition) each.run(start, start + LONGEST_STREAM);
      for (const each of byStream) each.run(stream.key);
      last.run(stream.key);
      return true;
    },
    sweep(group) {
      const used = new Set<string>();
      const read = new Map<number, number>();
      // The long part needs no lock. Entries that come meanwhile are read under the lock.
      collect(used, read);
      return group.now(() => {
        collect(used, read);
        const unused = digests.all().flatMap((row) => (used.has(String(row[0])) ? [] : [String(row[0])]));
        for (const digest of unused) forget.run(digest);
        return unused.length;
      });
    },
  };
}
