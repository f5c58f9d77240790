// Rows of the statements as records of the journal. PostgreSQL's driver gives bigint columns as texts.
import { crc32 } from 'node:zlib';
import { defined } from '../../base/json.ts';
import type { Entry, InboxItem, KeptLogRow, Snapshot, StreamHeader } from '../../store/journal.ts';
import type { Tenure } from '../../store/lease.ts';
import type { Row } from '../link/wire.ts';

export function entryOf([version, type, at, cause, payload]: Row): Entry {
  return {
    version: Number(version),
    type: Number(type),
    at: Number(at),
    cause: Number(cause),
    payload: String(payload),
  };
}

export function headerOf([id, title, createdAt, version, status, summary, ...lease]: Row): StreamHeader {
  const tenure = tenureOf(lease);
  return {
    id: String(id),
    title: String(title),
    createdAt: Number(createdAt),
    version: Number(version),
    status: String(status),
    summary: String(summary),
    ...(tenure === undefined ? {} : { holder: tenure.holder, heldUntil: tenure.until }),
  };
}

/** Reads the columns host, pid, nonce, started_at and held_until; undefined: nobody holds the lease. */
export function tenureOf([host, pid, nonce, startedAt, until]: Row): Tenure | undefined {
  if (host === null || host === undefined) return undefined;
  const started = startedAt === null ? undefined : Number(startedAt);
  return {
    holder: { host: String(host), pid: Number(pid), nonce: String(nonce), ...defined({ startedAt: started }) },
    until: Number(until),
  };
}

export function itemOf([id, command, by, why, at]: Row): InboxItem {
  return { id: String(id), command: String(command), by: String(by), why: String(why), at: Number(at) };
}

/** Undefined when the checksum does not match. */
export function snapshotOf([version, shape, checksum, text]: Row): Snapshot | undefined {
  const folded = String(text);
  return crc32(folded) === Number(checksum)
    ? { version: Number(version), shape: String(shape), text: folded }
    : undefined;
}

export function logOf(row: Row): KeptLogRow {
  const [number, at, severity, message, data, step, attempt, delivery, call, source, trace] = row;
  return {
    number: Number(number),
    at: Number(at),
    severity: Number(severity),
    message: String(message),
    data: String(data),
    origin: {
      step: String(step),
      attempt: Number(attempt),
      delivery: Number(delivery),
      call: Number(call),
      source: String(source),
      trace: String(trace),
    },
  };
}
