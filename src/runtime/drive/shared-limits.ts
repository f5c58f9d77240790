// Limits of concurrency keys and capabilities that all runs of a process share. A step queue for several machines goes here.
import PQueue from 'p-queue';
import type { Duration, Instant } from '../../base/quantity.ts';
import type { RateLimit } from '../../template/template.ts';
import type { Clock } from '../ports/clock.ts';

export interface SharedLimits {
  /**
   * Adds the limits of one run, by name, until the returned function is called. When runs set different limits under one
   * name, the lowest holds. `onRoom` is called whenever work under one of the names has ended.
   */
  join(limits: ReadonlyMap<string, RateLimit>, onRoom: () => void): () => void;
  /** The time that work under these names has to wait: 0 when it may begin, infinity until other work ends. */
  wait(names: readonly string[]): Duration;
  /** Notes that work under these names begins now: their rates count it. */
  began(names: readonly string[]): void;
  /** Runs the task as soon as every name has room for one more. */
  run<T>(names: readonly string[], task: () => Promise<T>): Promise<T>;
  /** Resolves when the rates of these names let work begin, and counts it. */
  turn(names: readonly string[]): Promise<void>;
}

interface LimitedRun {
  readonly limit: RateLimit;
  readonly onRoom: () => void;
}

/** One name, with the runs that limit it. */
interface SharedLimit {
  readonly queue: PQueue;
  readonly runs: Set<LimitedRun>;
  /** The start times of the latest work, in order; as many as the largest rate counts. */
  begun: readonly Instant[];
}

const byClock = new WeakMap<Clock, SharedLimits>();

/** The limits of this process: one for each clock, because rates are counted by it. */
export function sharedLimits(clock: Clock): SharedLimits {
  const known = byClock.get(clock) ?? createSharedLimits(clock);
  byClock.set(clock, known);
  return known;
}

function createSharedLimits(clock: Clock): SharedLimits {
  const entries = new Map<string, SharedLimit>();
  const known = (names: readonly string[]): readonly SharedLimit[] => names.flatMap((name) => entries.get(name) ?? []);

  function enter(name: string, run: LimitedRun): () => void {
    const entry = entries.get(name) ?? { queue: new PQueue(), runs: new Set(), begun: [] };
    entries.set(name, entry);
    entry.runs.add(run);
    entry.queue.concurrency = mostAtOnce(entry);
    return () => {
      entry.runs.delete(run);
      entry.queue.concurrency = mostAtOnce(entry);
      tellRoom(entry);
    };
  }

  function wait(names: readonly string[]): Duration {
    const all = known(names);
    return all.some(isFull) ? Number.POSITIVE_INFINITY : waitForRates(all, clock.now());
  }

  function began(names: readonly string[]): void {
    const at = clock.now();
    for (const entry of known(names)) {
      const counted = Math.max(0, ...ratesOf(entry).map(({ count }) => count));
      entry.begun = counted === 0 ? [] : [...entry.begun, at].slice(-counted);
    }
  }

  return {
    join(limits, onRoom) {
      const leave = [...limits].map(([name, limit]) => enter(name, { limit, onRoom }));
      return () => {
        for (const each of leave) each();
      };
    },
    wait,
    began,
    run: (names, task) => known(names).reduceRight((inner, entry) => () => queued(entry, inner), task)(),
    async turn(names) {
      for (;;) {
        const left = waitForRates(known(names), clock.now());
        if (left === 0) return began(names);
        await new Promise<void>((resolve) => void clock.wake(left, resolve));
      }
    },
  };
}

async function queued<T>(entry: SharedLimit, task: () => Promise<T>): Promise<T> {
  try {
    return await entry.queue.add(task);
  } finally {
    tellRoom(entry);
  }
}

function tellRoom({ runs }: SharedLimit): void {
  for (const { onRoom } of runs) onRoom();
}

function mostAtOnce({ runs }: SharedLimit): number {
  return Math.min(Number.POSITIVE_INFINITY, ...[...runs].map(({ limit }) => limit.max ?? Number.POSITIVE_INFINITY));
}

function ratesOf({ runs }: SharedLimit): readonly NonNullable<RateLimit['rate']>[] {
  return [...runs].flatMap(({ limit }) => limit.rate ?? []);
}

function isFull({ queue }: SharedLimit): boolean {
  return queue.pending + queue.size >= queue.concurrency;
}

function waitForRates(entries: readonly SharedLimit[], at: Instant): Duration {
  const starts = entries.flatMap((entry) =>
    ratesOf(entry).map(({ count, per }) => (entry.begun.at(-count) ?? Number.NEGATIVE_INFINITY) + per),
  );
  return Math.max(0, ...starts.map((start) => start - at));
}
