// Lease holders as processes of this host: makes a holder for this process, and finds out whether another still runs.

import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { defined } from '../base/json.ts';
import type { Fate, Holder } from './lease.ts';

/** A new holder in this process; each call gives another one. */
export function newHolder(): Holder {
  const startedAt = startOf(process.pid);
  return { host: hostname(), pid: process.pid, nonce: randomUUID(), ...defined({ startedAt }) };
}

/**
 * `dead`: the process ran on this host and has ended, or a later process has its pid. `alive`: it is another running
 * process of this host. `unknown`: it is on another host, or it is this process, which may or may not still drive the run.
 */
export function fateOf(holder: Holder): Fate {
  if (holder.host !== hostname()) return 'unknown';
  if (!isRunning(holder.pid)) return 'dead';
  const startedAt = startOf(holder.pid);
  if (startedAt === undefined || holder.startedAt === undefined) return 'unknown';
  if (startedAt !== holder.startedAt) return 'dead';
  return holder.pid === process.pid ? 'unknown' : 'alive';
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // EPERM: the process runs and belongs to another user.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** The start of the process in clock ticks since the host's start (field 22 of /proc/PID/stat); undefined without /proc. */
function startOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(afterName[19]);
  } catch {
    return undefined;
  }
}
