// Notices commits to the store, from any process.
import type { Duration } from '../../base/quantity.ts';
import type { Journal } from '../../store/journal.ts';

/** The time between two checks of the store; one check costs microseconds. */
const LOOK_EVERY: Duration = 60;
/** The death of a process that drove a run commits nothing, so listeners also wake up after this time. */
const REMIND_EVERY: Duration = 4_000;

export interface StoreWatch {
  /** The number of changes noticed. */
  readonly revision: number;
  /** Resolves at a later revision, after the reminder time, or when the signal aborts. */
  next(after: number, signal: AbortSignal): Promise<void>;
  stop(): void;
}

/** The journal must have its own connection, because a connection does not notice its own commits. */
export function watch(journal: Journal): StoreWatch {
  const waiting = new Set<() => void>();
  let revision = 0;
  const timer = setInterval(() => {
    if (waiting.size === 0 || !journal.changed()) return;
    revision += 1;
    for (const wake of [...waiting]) wake();
  }, LOOK_EVERY);
  return {
    get revision() {
      return revision;
    },
    next: (after, signal) =>
      new Promise((resolve) => {
        if (revision > after || signal.aborted) return resolve();
        const wake = (): void => {
          clearTimeout(reminder);
          waiting.delete(wake);
          signal.removeEventListener('abort', wake);
          resolve();
        };
        const reminder = setTimeout(wake, REMIND_EVERY);
        waiting.add(wake);
        signal.addEventListener('abort', wake);
      }),
    stop: () => clearInterval(timer),
  };
}
