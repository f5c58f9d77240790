// The texts that models write in this process at this moment, for the pages that watch a run. Nothing of it is kept.
import type { Duration } from '../../base/quantity.ts';
import type { OnDelta } from '../../runtime/ports/live-answer.ts';
import { type LiveText, liveTexts } from '../../view/live-texts.ts';

export interface LiveChannel {
  /** Takes the pieces of models' answers. */
  readonly hear: OnDelta;
  /** The number of changes so far. */
  readonly revision: number;
  of(run: string): readonly LiveText[];
  /** Resolves at a later revision, but not before a pause, or when the signal aborts. */
  next(after: number, signal: AbortSignal): Promise<void>;
}

/** Pages get the pieces of this time together. */
const PAUSE: Duration = 100;

export function liveChannel(): LiveChannel {
  const texts = liveTexts();
  const waiting = new Set<() => void>();
  let revision = 0;

  function changed(after: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      if (revision > after || signal.aborted) return resolve();
      const wake = (): void => {
        waiting.delete(wake);
        signal.removeEventListener('abort', wake);
        resolve();
      };
      waiting.add(wake);
      signal.addEventListener('abort', wake);
    });
  }

  return {
    hear(delta) {
      texts.take(delta);
      revision += 1;
      for (const wake of [...waiting]) wake();
    },
    get revision() {
      return revision;
    },
    of: (run) => texts.all().filter((text) => text.run === run),
    async next(after, signal) {
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      await changed(after, signal);
    },
  };
}
