// Leases in SQLite; each function is one write of a group.
import type { DatabaseSync } from 'node:sqlite';
import type { Duration, Instant } from '../base/quantity.ts';
import { bad, good, type Result } from '../base/result.ts';
import { type FateOf, type Holder, type Lease, mayTake, type Tenure } from './lease.ts';
import { tenureOf } from './sqlite-row.ts';
import type { StreamRow, StreamTable } from './sqlite-streams.ts';

export interface LeaseTable {
  /** Sets the holder of the stream, whoever held it before. */
  grant(stream: StreamRow, holder: Holder, until: Instant): void;
  acquire(id: string, holder: Holder, now: Instant, ttl: Duration): Result<Lease, Tenure>;
  renew(lease: Lease, now: Instant, ttl: Duration): boolean;
  release(lease: Lease): void;
  /** The stream, if the lease is still held: releasing and taking over raise the epoch. */
  heldBy(lease: Lease): StreamRow | undefined;
}

export function leaseTable(database: DatabaseSync, streams: StreamTable, fateOf: FateOf): LeaseTable {
  const select = database.prepare('SELECT host, pid, nonce, started_at, until FROM leases WHERE stream = ?');
  const put = database.prepare(`
    INSERT OR REPLACE INTO leases (stream, until, host, pid, nonce, started_at) VALUES (?, ?, ?, ?, ?, ?)`);
  const prolong = database.prepare('UPDATE leases SET until = ? WHERE stream = ?');
  const remove = database.prepare('DELETE FROM leases WHERE stream = ?');

  function grant(stream: StreamRow, holder: Holder, until: Instant): void {
    put.run(stream.key, until, holder.host, holder.pid, holder.nonce, holder.startedAt ?? null);
  }

  function heldBy(lease: Lease): StreamRow | undefined {
    const stream = streams.find(lease.stream);
    return stream?.epoch === lease.epoch ? stream : undefined;
  }

  return {
    grant,
    heldBy,
    acquire: (id, holder, now, ttl) => {
      const stream = streams.get(id);
      const row = select.get(stream.key);
      const tenure = row === undefined ? undefined : tenureOf(row, 0);
      if (tenure !== undefined && !mayTake(tenure, holder, now, fateOf)) return bad(tenure);
      const epoch = stream.epoch + 1;
      streams.setEpoch(stream, epoch);
      grant(stream, holder, now + ttl);
      return good({ stream: id, epoch, holder });
    },
    renew: (lease, now, ttl) => {
      const stream = heldBy(lease);
      if (stream === undefined) return false;
      prolong.run(now + ttl, stream.key);
      return true;
    },
    release: (lease) => {
      const stream = heldBy(lease);
      if (stream === undefined) return;
      streams.setEpoch(stream, stream.epoch + 1);
      remove.run(stream.key);
    },
  };
}
