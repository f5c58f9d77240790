// Group commit: the writes of one tick of the event loop are one statement, which PostgreSQL commits as one transaction.
import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers';
import { Fault } from '../../base/fault.ts';
import type { Duration } from '../../base/quantity.ts';
import { AppendRefused, LONGEST_STREAM, type RefusalReason } from '../../store/append-refused.ts';
import type { Link } from '../link/link.ts';
import type { Query, Row } from '../link/wire.ts';

/** A write as the function `reconverge.write_group` reads it; `write` makes it repeatable. */
interface GroupedWrite {
  readonly kind: 'create' | 'append' | 'logs';
  readonly stream: string;
  readonly content: Readonly<Record<string, unknown>>;
  /** The commit must be on the disk before it is acknowledged. */
  readonly flush?: boolean;
}

export interface WriteGroup {
  /** Joins the group of this tick; resolves after its commit. @throws AppendRefused */
  join(write: GroupedWrite): Promise<void>;
  /** Joins the next group, or commits alone when no group comes soon. A write that fails is dropped. */
  later(write: GroupedWrite): void;
  /** Gives the waiting writes to the database, which performs them before any later query. */
  flush(): void;
  /** Gives the waiting writes to the database; a later write is a fault. */
  close(): void;
}

interface PendingWrite {
  readonly write: GroupedWrite;
  resolve(): void;
  reject(error: unknown): void;
}

/** The longest wait of a postponed write. */
const LATER: Duration = 200;

export function writeGroup(link: Link, asRefusal: (error: unknown) => unknown): WriteGroup {
  const self = randomUUID();
  let count = 0;
  let waiting: PendingWrite[] = [];
  let postponed: GroupedWrite[] = [];
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function flush(): void {
    const pending = waiting;
    const all = [...pending.map(({ write }) => write), ...postponed];
    if (all.length === 0) return;
    waiting = [];
    postponed = [];
    clearTimeout(timer);
    timer = undefined;
    const named = all.map(({ kind, content }) => {
      count += 1;
      return { kind, write: `${self}:${count}`, ...content };
    });
    const isFlushed = all.some(({ flush: mustFlush }) => mustFlush === true);
    link.ask(groupQuery(JSON.stringify(named), isFlushed)).then(
      (rows) => settle(pending, rows),
      (error: unknown) => {
        for (const each of pending) each.reject(asRefusal(error));
      },
    );
  }

  return {
    join(write) {
      if (isClosed) return Promise.reject(new Fault('the journal is closed'));
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      if (waiting.length === 0) setImmediate(flush);
      waiting.push({ write, resolve, reject });
      return promise;
    },
    later(write) {
      if (isClosed) return;
      timer ??= setTimeout(flush, LATER);
      postponed.push(write);
    },
    flush,
    close() {
      flush();
      isClosed = true;
    },
  };
}

function groupQuery(writes: string, flush: boolean): Query {
  return {
    name: 'write-group',
    text: 'SELECT reconverge.write_group($1::json, $2, $3)',
    values: [writes, LONGEST_STREAM, flush],
    tells: true,
  };
}

function settle(pending: readonly PendingWrite[], rows: readonly Row[]): void {
  const answers = rows[0]?.[0] as readonly { readonly refused?: RefusalReason }[];
  for (const [index, { write, resolve, reject }] of pending.entries()) {
    const refused = answers[index]?.refused;
    if (refused === undefined) resolve();
    else reject(new AppendRefused(refused, write.stream));
  }
}
