// The journal in a PostgreSQL database, for runs that several machines drive and read.

import { randomUUID } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { Fault } from '../../base/fault.ts';
import { defined } from '../../base/json.ts';
import { type OptionTable, refuseOptions } from '../../base/options.ts';
import type { Duration } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { AppendRefused, LONGEST_STREAM } from '../../store/append-refused.ts';
import { fateOf as fateOfHolder } from '../../store/holder.ts';
import type { Append, Journal, LogRow, LogRowQuery } from '../../store/journal.ts';
import { type FateOf, FIRST_EPOCH, isHeld, type Lease, mayTake, type Tenure } from '../../store/lease.ts';
import { checkedJson } from '../../store/packed-text.ts';
import type { Durability } from '../../store/sqlite-database.ts';
import { shownAddress } from '../../store/store-address.ts';
import { type Link, openLink } from '../link/link.ts';
import type { Query, Row } from '../link/wire.ts';
import { prepareStore } from '../migrations/migrate.ts';
import { checkStore } from './check-store.ts';
import { plainText } from './plain-text.ts';
import { asRefusal, refusing } from './refusal.ts';
import { entryOf, headerOf, itemOf, logOf, snapshotOf, tenureOf } from './rows.ts';
import { statement } from './statements.ts';
import { writeGroup } from './write-group.ts';

export interface PostgresJournalOptions {
  /** `strict` (default): a commit survives power loss of the database's machine; `relaxed`: it survives the death of this process. */
  readonly durability?: Durability;
  readonly fateOf?: FateOf;
  /** The longest time that a read or write is tried again while the database is away; by default 10 seconds. */
  readonly patience?: Duration;
}

const optionTable: OptionTable<PostgresJournalOptions> = { durability: 'text', fateOf: 'function', patience: 'number' };

/** Opens the store at `postgres://…`; makes its tables if the database has none. @throws StoreRefused, OptionsRefused, Fault */
export function openPostgresJournal(url: string, options: PostgresJournalOptions = {}): Journal {
  refuseOptions('openPostgresJournal', options, optionTable);
  const { durability = 'strict', fateOf = fateOfHolder, patience = 10_000 } = options;
  const store = shownAddress(url);
  const prepare = durability === 'relaxed' ? 'SET synchronous_commit = off' : '';
  const link = openLink({ url, prepare, patience });
  try {
    refusing(store, () => prepareStore(link, store));
  } catch (error) {
    void link.close();
    throw error;
  }
  return journalOver(link, store, fateOf);
}

function journalOver(link: Link, store: string, fateOf: FateOf): Journal {
  const self = randomUUID();
  const group = writeGroup(link, (error) => asRefusal(error, store));
  let writes = 0;
  let heard = refusing(store, () => link.commitsOfOthers());

  /** A name for a write that may be repeated after a lost connection. */
  function writeName(): string {
    writes += 1;
    return `${self}:now:${writes}`;
  }
  const ask = (query: Query): readonly Row[] => refusing(store, () => link.wait(query));
  /** Writes happen in the order in which they are called. */
  function write(query: Query): readonly Row[] {
    group.flush();
    return ask(query);
  }

  return {
    async create({ id, title, createdAt }, holder, ttl) {
      const content = { id, title: plainText(title), createdAt, holder, until: createdAt + ttl };
      await group.join({ kind: 'create', stream: id, content });
      return { stream: id, epoch: FIRST_EPOCH, holder };
    },
    async append(append) {
      await group.join({
        kind: 'append',
        stream: append.stream,
        content: appendContent(append),
        ...defined({ flush: append.flush }),
      });
    },
    read: (id, after = 0, most = LONGEST_STREAM) => ask(statement('read', id, after, most)).map(entryOf),
    blob: (digest) => textIn(ask(statement('blob', digest))),
    streams: (limit = Number.MAX_SAFE_INTEGER) => ask(statement('headers', limit)).map(headerOf),
    header: (id) => ask(statement('header', id)).map(headerOf)[0],
    keepSummaries: (summaries) => void write(statement('keep-summary', JSON.stringify(summaries))),
    acquire(id, holder, now, ttl) {
      group.flush();
      const mayBeTaken = (tenure: Tenure): boolean => mayTake(tenure, holder, now, fateOf);
      return acquireLease(ask, id, mayBeTaken, { holder, until: now + ttl, write: writeName() });
    },
    renew: ({ stream, epoch }, now, ttl) => write(statement('renew', stream, epoch, now + ttl)).length > 0,
    release: ({ stream, epoch }) => void write(statement('release', stream, epoch)),
    keepSnapshot({ stream, epoch }, { version, shape, text }) {
      return write(statement('keep-snapshot', stream, epoch, version, shape, crc32(text), text)).length > 0;
    },
    snapshot: (id) => ask(statement('snapshot', id)).map(snapshotOf)[0],
    post(stream, { id, command, by, why, at }) {
      const values = [stream, id, command, plainText(by), plainText(why), at, writeName()] as const;
      const [[owners, posted, found] = []] = write(statement('post', ...values));
      if (Number(owners) === 0) throw new AppendRefused('unknown', stream);
      return Number(posted) + Number(found) > 0;
    },
    inbox: (id) => ask(statement('inbox', id)).map(itemOf),
    answer: (stream, id) => textIn(ask(statement('answer', stream, id))),
    keepOutcomes: (id, text) => void write(statement('keep-outcomes', id, text)),
    outcomes: () => ask(statement('outcomes')).map(([text]) => checkedJson(String(text))),
    keepNote: (id, text) => void write(statement('keep-note', id, text)),
    note: (id) => textIn(ask(statement('note', id))),
    keepLogs: (stream, lines) =>
      group.later({ kind: 'logs', stream, content: { stream, lines: lines.map(plainLine) } }),
    logs: (id, query = {}) => logsIn(ask, id, query),
    logTotals(id) {
      const [[lines, characters] = []] = ask(statement('log-totals', id));
      return { lines: Number(lines), characters: Number(characters) };
    },
    remove(ids, now) {
      group.flush();
      return ids.filter((id) => removeStream(ask, id, (tenure) => isHeld(tenure, now, fateOf)));
    },
    sweep() {
      group.flush();
      return sweepTexts(ask);
    },
    changed() {
      const now = refusing(store, () => link.commitsOfOthers());
      const hasChanged = now !== heard;
      heard = now;
      return hasChanged;
    },
    check: () => checkStore(ask),
    async close() {
      group.close();
      await link.close();
    },
  };
}

type Ask = (query: Query) => readonly Row[];

interface WantedLease extends Tenure {
  /** The name of the write. */
  readonly write: string;
}

function acquireLease(
  ask: Ask,
  id: string,
  mayBeTaken: (tenure: Tenure) => boolean,
  { holder, until, write }: WantedLease,
): Result<Lease, Tenure> {
  for (;;) {
    const [row] = ask(statement('tenure', id));
    if (row === undefined) throw new AppendRefused('unknown', id);
    const [epoch, ...lease] = row;
    const tenure = tenureOf(lease);
    if (tenure !== undefined && !mayBeTaken(tenure)) return bad(tenure);
    const { host, pid, nonce, startedAt = null } = holder;
    const [taken] = ask(statement('acquire', id, Number(epoch), host, pid, nonce, startedAt, until, write));
    // Another process may have been faster: it holds the lease now.
    if (taken !== undefined) return good({ stream: id, epoch: Number(taken[0]), holder });
  }
}

function removeStream(ask: Ask, id: string, isHeldBy: (tenure: Tenure) => boolean): boolean {
  const [row] = ask(statement('tenure', id));
  if (row === undefined) return false;
  const [epoch, ...lease] = row;
  const tenure = tenureOf(lease);
  if (tenure !== undefined && isHeldBy(tenure)) return false;
  return ask(statement('remove', id, Number(epoch))).length > 0;
}

/** The most texts that one transaction removes. */
const SWEPT = 1_000;

function sweepTexts(ask: Ask): number {
  let swept = 0;
  for (let part = SWEPT; part === SWEPT; swept += part) part = Number(ask(statement('sweep', SWEPT))[0]?.[0]);
  return swept;
}

/** @throws Fault when the entries are not numbered without a gap */
function appendContent({ stream, expected, epoch, entries, blobs, status, summary, taken = [] }: Append) {
  for (const [index, { version }] of entries.entries())
    if (version !== expected + index + 1)
      throw new Fault(`stream ${stream}: entry ${version} where ${expected + index + 1} is expected`);
  return { stream, expected, epoch, entries, blobs, status, summary, taken };
}

function plainLine({ message, data, ...line }: LogRow): LogRow {
  return { ...line, message: plainText(message), data: plainText(data) };
}

function logsIn(ask: Ask, id: string, query: LogRowQuery) {
  const { steps = null, attempt = null, severity = 0, after = 0, before = null, until = null, most = null } = query;
  const name = query.last === true ? 'logs-last' : 'logs-first';
  const rows = ask(statement(name, id, after, before, severity, steps, attempt, until, most)).map(logOf);
  return query.last === true ? rows.reverse() : rows;
}

function textIn([row]: readonly Row[]): string | undefined {
  return row === undefined ? undefined : String(row[0]);
}
