// Notices that something was committed to the store, whoever committed it.
import type { Duration } from '../../base/quantity.ts';
import type { Journal } from '../../store/journal.ts';

/** Between two looks at the store; a look costs microseconds. */
const LOOK_EVERY: Duration = 60;
/** Nobody commits it when a process dies that has driven a run. */
const REMIND_EVERY: Duration = 4_000;

export interface Watch {
  /** Counts changes. */
  readonly revision: number;
  /** Resolves when there is a later revision, when it is time to look all the same, or when the signal says so. */
  next(after: number, signal: AbortSignal): Promise<void>;
  stop(): void;
}

/** The journal has to be a connection of its own: a connection does not notice what it has committed itself. */
export function watch(journal: Journal): Watch {
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
