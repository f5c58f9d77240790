// Stores records by key and logs in a folder of JSON files; each piece of work writes once.
import { isJsonObject, type Json } from '../base/json.ts';
import type { CallContext } from './capability.ts';
import { CapabilityError, messageOf } from './capability-error.ts';
import { inTurn } from './in-turn.ts';

/** Bytes; files of a store are read whole. */
const MOST_BYTES = 64_000_000;

export interface StoreRecord {
  readonly value: Json;
  /** Counts from 1. */
  readonly revision: number;
  /** The idempotency key of the write. */
  readonly writer: string;
}

export interface LogEntry {
  /** The idempotency key of the write. */
  readonly writer: string;
  readonly value: Json;
}

export function recordPath(store: string, key: string): string {
  return `${store}/${key}.json`;
}

export function logPath(store: string, log: string): string {
  return `${store}/${log}.jsonl`;
}

/** Undefined when the record does not exist. @throws CapabilityError PERSIST_BROKEN and those of files */
export async function readRecord({ files }: CallContext, path: string): Promise<StoreRecord | undefined> {
  const text = await textIn(files, path);
  if (text === undefined) return undefined;
  const read = parsed(text, path);
  if (!isJsonObject(read) || read.value === undefined) throw broken(path, 'it is no record of a store');
  return { value: read.value, revision: Number(read.revision ?? 1), writer: String(read.writer ?? '') };
}

/**
 * Returns the new revision. Writes run one after the other. A repeated write with the same key changes nothing, so that
 * it cannot undo a later write.
 * @throws CapabilityError PERSIST_CONFLICT when the revision is not `expected`
 */
export async function writeRecord(ctx: CallContext, path: string, value: Json, expected?: number): Promise<number> {
  return inTurn(await ctx.files.resolve(path, 'write'), async () => {
    const found = await readRecord(ctx, path);
    if (found?.writer === ctx.idempotencyKey) return found.revision;
    const current = found?.revision ?? 0;
    if (expected !== undefined && expected !== current) {
      const message = `"${path}" is at revision ${current}, not ${expected}: read it again`;
      throw new CapabilityError('PERSIST_CONFLICT', message, { retry: 'never' });
    }
    const revision = current + 1;
    const record = { revision, writer: ctx.idempotencyKey, value };
    await ctx.files.write(path, `${JSON.stringify(record, null, 2)}\n`);
    return revision;
  });
}

/** Ignores a truncated last line. */
export async function readLog({ files }: CallContext, path: string): Promise<readonly LogEntry[]> {
  const text = (await textIn(files, path)) ?? '';
  return text.split('\n').flatMap((line) => {
    if (line === '') return [];
    try {
      const read: Json = JSON.parse(line);
      return isJsonObject(read) && read.value !== undefined
        ? [{ writer: String(read.writer ?? ''), value: read.value }]
        : [];
    } catch {
      return [];
    }
  });
}

/** Returns the number of entries after the append. */
export async function appendEntry(ctx: CallContext, path: string, value: Json): Promise<number> {
  return inTurn(await ctx.files.resolve(path, 'write'), async () => {
    const entries = await readLog(ctx, path);
    if (entries.some(({ writer }) => writer === ctx.idempotencyKey)) return entries.length;
    await ctx.files.append(path, JSON.stringify({ writer: ctx.idempotencyKey, value }));
    return entries.length + 1;
  });
}

async function textIn(files: CallContext['files'], path: string): Promise<string | undefined> {
  try {
    return (await files.read(path, MOST_BYTES)).toString();
  } catch (thrown) {
    if (thrown instanceof CapabilityError && thrown.code === 'FILE_NOT_FOUND') return undefined;
    throw thrown;
  }
}

function parsed(text: string, path: string): Json {
  try {
    return JSON.parse(text);
  } catch (thrown) {
    throw broken(path, messageOf(thrown).startsWith('Unexpected end') ? 'it ends too early' : 'it is no JSON');
  }
}

function broken(path: string, why: string): CapabilityError {
  return new CapabilityError('PERSIST_BROKEN', `"${path}": ${why}`, { retry: 'never' });
}
