// The journal in one SQLite file, through Node's own driver.
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { type OptionTable, refuseOptions } from '../base/options.ts';
import type { Duration } from '../base/quantity.ts';
import { LONGEST_STREAM, refuseUnlessFits } from './append-refused.ts';
import { groupCommit, type Write } from './group-commit.ts';
import { fateOf as fateOfHolder } from './holder.ts';
import type { Append, Journal } from './journal.ts';
import type { FateOf } from './lease.ts';
import { checkDatabase } from './sqlite-check.ts';
import { type Durability, openDatabase } from './sqlite-database.ts';
import { entryTable } from './sqlite-entries.ts';
import { inboxTable } from './sqlite-inbox.ts';
import { leaseTable } from './sqlite-leases.ts';
import { logTable } from './sqlite-logs.ts';
import { noteTable } from './sqlite-notes.ts';
import { outcomeTable } from './sqlite-outcomes.ts';
import { openForReading } from './sqlite-reading.ts';
import { removal } from './sqlite-removal.ts';
import { snapshotTable } from './sqlite-snapshots.ts';
import { streamTable } from './sqlite-streams.ts';
import { asRefusal, refusing, StoreRefused } from './store-refused.ts';

export interface SqliteJournalOptions {
  /** By default `strict`. */
  readonly durability?: Durability;
  readonly fateOf?: FateOf;
  /** The longest wait for the lock of another process; by default 5 seconds. */
  readonly patience?: Duration;
  /** `any`: a store that cannot be written is opened for reading only. `write` (default): such a store is refused. */
  readonly access?: StoreAccess;
}

const optionTable: OptionTable<SqliteJournalOptions> = {
  durability: 'text',
  fateOf: 'function',
  patience: 'number',
  access: 'text',
};

export type StoreAccess = 'write' | 'any';

/** Opens the store; creates the store and its folder if they do not exist. @throws OptionsRefused and StoreRefused, and has then changed nothing */
export function openSqliteJournal(file: string, options: SqliteJournalOptions = {}): Journal {
  refuseOptions('openSqliteJournal', options, optionTable);
  const { durability = 'strict', fateOf = fateOfHolder, patience = 5_000, access = 'write' } = options;
  const { database, readOnly } = open(file, durability, patience, access);
  try {
    return refusing(file, () => journalOn(database, file, { readOnly, isRelaxed: durability === 'relaxed', fateOf }));
  } catch (error) {
    database.close();
    throw error;
  }
}

interface OpenDatabase {
  readonly database: DatabaseSync;
  readonly readOnly: boolean;
}

function open(file: string, durability: Durability, patience: Duration, access: StoreAccess): OpenDatabase {
  try {
    return { database: openDatabase(file, durability, patience), readOnly: false };
  } catch (error) {
    const isReadable =
      error instanceof StoreRefused && (error.code === 'STORE_READ_ONLY' || error.code === 'STORE_FORBIDDEN');
    if (access === 'write' || !isReadable || !existsSync(file)) throw error;
    return { database: openForReading(file, patience), readOnly: true };
  }
}

function journalOn(
  database: DatabaseSync,
  file: string,
  { readOnly, isRelaxed, fateOf }: { readonly readOnly: boolean; readonly isRelaxed: boolean; readonly fateOf: FateOf },
): Journal {
  const streams = streamTable(database);
  const leases = leaseTable(database, streams, fateOf);
  const entries = entryTable(database);
  const inbox = inboxTable(database);
  const outcomes = outcomeTable(database);
  const notes = noteTable(database);
  const logs = logTable(database);
  const snapshots = snapshotTable(database);
  const group = groupCommit(transactions(database, file, isRelaxed));
  const gone = removal(database, streams, fateOf);
  const changedSince = watch(database);

  function apply(append: Append): void {
    const stream = streams.get(append.stream);
    refuseUnlessFits(append, stream);
    streams.advance(stream, append);
    entries.add(stream, append);
    if (append.taken !== undefined) inbox.take(stream, append.taken, stream.version + append.entries.length);
  }

  return {
    ...(readOnly ? { readOnly: true } : {}),
    create: (created, holder, ttl) =>
      group.join(() => {
        const stream = streams.create(created);
        leases.grant(stream, holder, created.createdAt + ttl);
        return { stream: created.id, epoch: stream.epoch, holder };
      }),
    append: (append) => group.join(() => apply(append), append.flush),
    read: (id, after = 0, most = LONGEST_STREAM) =>
      refusing(file, () => {
        const stream = streams.find(id);
        return stream === undefined ? [] : entries.read(stream, after, most);
      }),
    blob: (digest) => refusing(file, () => entries.blob(digest)),
    streams: (limit) => refusing(file, () => streams.headers(limit)),
    header: (id) => refusing(file, () => streams.header(id)),
    keepSummaries: (summaries) => group.now(() => streams.summarize(summaries)),
    acquire: (id, holder, now, ttl) => group.now(() => leases.acquire(id, holder, now, ttl)),
    renew: (lease, now, ttl) => group.now(() => leases.renew(lease, now, ttl)),
    release: (lease) => group.now(() => leases.release(lease)),
    keepSnapshot: (lease, snapshot) =>
      group.now(() => {
        const stream = leases.heldBy(lease);
        if (stream !== undefined) snapshots.keep(stream, snapshot);
        return stream !== undefined;
      }),
    snapshot: (id) =>
      refusing(file, () => {
        const stream = streams.find(id);
        return stream === undefined ? undefined : snapshots.of(stream);
      }),
    post: (id, item) => group.now(() => inbox.post(streams.get(id), item)),
    inbox: (id) =>
      refusing(file, () => {
        const stream = streams.find(id);
        return stream === undefined ? [] : inbox.pending(stream);
      }),
    answer: (id, item) =>
      refusing(file, () => {
        const stream = streams.find(id);
        return stream === undefined ? undefined : inbox.answer(stream, item);
      }),
    keepOutcomes: (id, text) => group.now(() => outcomes.keep(id, text)),
    outcomes: () => refusing(file, () => outcomes.all()),
    keepNote: (id, text) => group.now(() => notes.keep(id, text)),
    note: (id) => refusing(file, () => notes.of(id)),
    keepLogs: (id, lines) =>
      group.later(() => {
        const stream = streams.find(id);
        if (stream !== undefined) logs.add(stream, lines);
      }),
    logs: (id, query = {}) =>
      refusing(file, () => {
        const stream = streams.find(id);
        return stream === undefined ? [] : logs.read(stream, query);
      }),
    logTotals: (id) =>
      refusing(file, () => {
        const stream = streams.find(id);
        return stream === undefined ? NO_LINES : logs.totals(stream);
      }),
    remove: (ids, now) => group.now(() => ids.filter((id) => gone.remove(id, now))),
    sweep: () => refusing(file, () => gone.sweep(group)),
    changed: () => refusing(file, changedSince),
    check: () => checkDatabase(database, file, readOnly),
    close: async () => {
      group.close();
      if (database.isOpen) database.close();
    },
  };
}

const NO_LINES = { lines: 0, characters: 0 } as const;

/** Commits a group: one transaction, a savepoint for each write. */
function transactions(database: DatabaseSync, file: string, isRelaxed: boolean): (writes: readonly Write[]) => void {
  const begin = database.prepare('BEGIN IMMEDIATE');
  const commit = database.prepare('COMMIT');
  const rollback = database.prepare('ROLLBACK');
  const save = database.prepare('SAVEPOINT write');
  const keep = database.prepare('RELEASE write');
  const undo = database.prepare('ROLLBACK TO write');

  function perform(write: Write): void {
    save.run();
    try {
      write.perform();
    } catch (error) {
      // A full disk, for example, ends the whole transaction.
      if (!database.isTransaction) throw error;
      undo.run();
      write.refuse(asRefusal(error, file));
    }
    keep.run();
  }

  return (writes) =>
    refusing(file, () => {
      const syncs = isRelaxed && writes.some(({ flush }) => flush);
      if (syncs) database.exec('PRAGMA synchronous = FULL');
      begin.run();
      try {
        for (const write of writes) perform(write);
        commit.run();
      } catch (error) {
        if (database.isTransaction) rollback.run();
        throw error;
      } finally {
        if (syncs) database.exec('PRAGMA synchronous = NORMAL');
      }
    });
}

/** Each call tells whether another connection has committed since the last call; `data_version` does not count own commits. */
function watch(database: DatabaseSync): () => boolean {
  const query = database.prepare('PRAGMA data_version');
  const version = (): number => Number(query.get()?.[0]);
  let known = version();
  return () => {
    const before = known;
    known = version();
    return known !== before;
  };
}
