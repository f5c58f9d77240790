// Feeds the events of a run to readers at their own pace. It reads from the journal, so that slow readers need no buffer.
import { decode } from '../../engine/codec/event-codec.ts';
import type { Recorded } from '../../engine/record/event.schema.ts';
import type { Journal } from '../../store/journal.ts';

interface EventFeed {
  readonly events: AsyncIterable<Recorded>;
  /** Tells readers that there are more events. */
  wake(): void;
  /** Tells readers that no more events follow. */
  end(): void;
}

export function eventFeed(journal: Journal, run: string, after: number): EventFeed {
  let more = Promise.withResolvers<void>();
  let ended = false;

  async function* follow(): AsyncGenerator<Recorded> {
    let seen = after;
    for (;;) {
      const [last, { promise }] = [ended, more];
      for (const entry of journal.read(run, seen)) {
        seen = entry.version;
        yield decode(entry);
      }
      if (last) return;
      await promise;
    }
  }

  function wake(): void {
    more.resolve();
    more = Promise.withResolvers();
  }

  return {
    events: { [Symbol.asyncIterator]: follow },
    wake,
    end: () => {
      ended = true;
      wake();
    },
  };
}
