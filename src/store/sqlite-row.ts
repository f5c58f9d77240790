// Rows of the SQLite driver, with columns by position.
import type { SQLOutputValue } from 'node:sqlite';
import type { Tenure } from './lease.ts';

export type Row = Readonly<Record<number, SQLOutputValue>>;

/** Reads the columns host, pid, nonce, started_at and until, beginning at `from`; undefined when they are null. */
export function tenureOf(row: Row, from: number): Tenure | undefined {
  const startedAt = row[from + 3];
  if (row[from] === null) return undefined;
  return {
    holder: {
      host: String(row[from]),
      pid: Number(row[from + 1]),
      nonce: String(row[from + 2]),
      ...(startedAt === null ? {} : { startedAt: Number(startedAt) }),
    },
    until: Number(row[from + 4]),
  };
}
