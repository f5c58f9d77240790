// Holders as processes of this host: who we are, and what became of another.

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
 * Dead: it ran on this host and is gone, or its pid belongs to a later process now. Alive: it is another process of this
 * host that runs. Unknown: it is in this very process, and may or may not still drive a run.
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
    // EPERM: it runs, and is somebody else's.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}

/** Clock ticks from the host's start to the process's (field 22 of /proc/PID/stat); undefined where there is no such file. */
function startOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const afterName = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(afterName[19]);
  } catch {
    return undefined;
  }
}
