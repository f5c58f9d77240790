// Group commit: writes of one tick of the event loop are committed together and share one fsync.
import { setImmediate } from 'node:timers';
import { Fault } from '../base/fault.ts';
import type { Duration } from '../base/quantity.ts';

/** One write of a group: performed (or refused) inside the group's transaction, settled after it. */
export interface Write {
  /** The commit must be on the disk before it is acknowledged. */
  readonly flush: boolean;
  /** Throws when the write cannot be done. It must then leave no trace, and the other writes of the group stay. */
  perform(): void;
  refuse(reason: unknown): void;
  settle(): void;
}

export interface Group {
  /** Joins the group of this tick; resolves after its commit. */
  join<T>(perform: () => T, flush?: boolean): Promise<T>;
  /** Joins the next group, or commits alone when no group comes soon. A write that fails is dropped. */
  later(perform: () => void): void;
  /** Commits now, together with the waiting writes. */
  now<T>(perform: () => T): T;
  /** Commits the waiting writes; a later write throws a Fault. */
  close(): void;
}

/** The longest wait of a postponed write. */
const LATER: Duration = 200;

/** `commit` performs the writes in order as one transaction, refuses each that throws, and throws when nothing was committed. */
export function groupCommit(commit: (writes: readonly Write[]) => void): Group {
  let waiting: Write[] = [];
  let postponed: Write[] = [];
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function add(write: Write): void {
    if (closed) throw new Fault('the journal is closed');
    if (waiting.length === 0) setImmediate(flush);
    waiting.push(write);
  }

  function flush(): void {
    if (waiting.length + postponed.length === 0) return;
    const writes = [...waiting, ...postponed];
    waiting = [];
    postponed = [];
    clearTimeout(timer);
    timer = undefined;
    try {
      commit(writes);
    } catch (error) {
      for (const write of writes) write.refuse(error);
    }
    for (const write of writes) write.settle();
  }

  return {
    join: async (perform, flush = false) => {
      const outcome = await new Promise<() => ReturnType<typeof perform>>((settle) =>
        add(writeOf(perform, settle, flush)),
      );
      return outcome();
    },
    later: (perform) => {
      if (closed) return;
      timer ??= setTimeout(flush, LATER);
      postponed.push(writeOf(perform, () => undefined, false));
    },
    now: (perform) => {
      let outcome = (): ReturnType<typeof perform> => {
        throw new Fault('a flush settles every write');
      };
      add(
        writeOf(
          perform,
          (settled) => {
            outcome = settled;
          },
          false,
        ),
      );
      flush();
      return outcome();
    },
    close: () => {
      flush();
      closed = true;
    },
  };
}

/** The outcome is handed over as a function that returns the value or throws the reason. */
function writeOf<T>(perform: () => T, settle: (outcome: () => T) => void, flush: boolean): Write {
  let outcome = (): T => {
    throw new Fault('a write is performed before it is settled');
  };
  return {
    flush,
    perform: () => {
      const value = perform();
      outcome = () => value;
    },
    refuse: (reason) => {
      outcome = () => {
        throw reason;
      };
    },
    settle: () => settle(outcome),
  };
}
