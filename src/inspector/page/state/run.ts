// The selected run: its events, and its state at the selected moment.
import { computed, effect, signal } from '@preact/signals';
import { type Issue, issue } from '../../../base/issue.ts';
import type { Duration } from '../../../base/quantity.ts';
import type { Recorded } from '../../../engine/record/event.schema.ts';
import type { RunView } from '../../../engine/state/run-view.ts';
import { runToOpen } from '../../../view/run-to-open.ts';
import type { RunSummary } from '../../../view/runs/run-summary.ts';
import type { RunTimes } from '../../../view/times/run-times.ts';
import { LISTED_RUNS } from '../early.ts';
import { createFoldedRun, type FoldedRun } from './folded-run.ts';
import { takeLive } from './live-texts.ts';
import { lastLog } from './logs.ts';
import { go, place } from './place.ts';
import { listen } from './stream.ts';

export const runs = signal<readonly RunSummary[] | undefined>(undefined);
/** The number of runs in the store, listed or not. */
export const runTotal = signal(0);
/** The most runs in the list; a person can ask for more. */
export const mostRuns = signal(LISTED_RUNS);
export const isLive = signal(false);
/** The store is read-only, so the page offers no orders. */
export const isReadOnly = signal(false);
/** The reason that the run cannot be shown any further. */
export const damage = signal<Issue | undefined>(undefined);

/** A run with all events received so far; a new object for each update. */
interface ReceivedRun {
  readonly folded: FoldedRun;
  readonly version: number;
}

const received = signal<ReceivedRun | undefined>(undefined);

/** The state of the run at one moment. The state object changes in place, so keep the moment, not the state. */
export interface Moment {
  readonly run: string;
  readonly state: RunView;
  readonly version: number;
  /** All events received so far, including later ones. */
  readonly all: readonly Recorded[];
  /** The times of all events received so far, including later ones; the object changes in place. */
  readonly times: RunTimes;
  /** No later event has been received. */
  readonly isLatest: boolean;
}

export const latest = computed<Moment | undefined>(() => {
  const known = received.value;
  if (known === undefined || known.version === 0) return undefined;
  const { folded, version } = known;
  const state = folded.latest();
  return { run: state.id, state, version, all: folded.events, times: folded.times, isLatest: true };
});

export const shown = computed<Moment | undefined>(() => {
  const { at } = place.value;
  const known = received.value;
  if (known === undefined || at === undefined || at >= known.version) return latest.value;
  const { folded } = known;
  const state = folded.at(at);
  return { run: state.id, state, version: at, all: folded.events, times: folded.times, isLatest: false };
});

/** The events up to the moment. */
export function eventsUntil({ all, version }: Moment): readonly Recorded[] {
  return version >= all.length ? all : all.slice(0, version);
}

export const summary = computed(() => runs.value?.find(({ id }) => id === place.value.run));

/** A run is first shown when all its events have arrived; a longer one is shown while it grows. */
const PATIENCE: Duration = 2_500;

/** Follows the run that the address names; without one, only the list of runs. */
export function followRun(): void {
  const wanted = computed(() => place.value.run);
  effect(() => {
    const run = wanted.value;
    let folded: FoldedRun | undefined;
    let waiting: Recorded[] = [];
    let frame: number | undefined;
    let isReached = false;
    let isEnded = false;
    const begun = performance.now();
    received.value = undefined;
    damage.value = undefined;
    takeLive([]);
    lastLog.value = 0;

    /** Folds at once, while more events arrive, and renders at most once per frame, however fast they arrive. */
    function take(): void {
      if (folded === undefined || isEnded) return;
      folded.add(waiting);
      waiting = [];
      try {
        folded.latest();
      } catch (error) {
        damage.value = unfoldable(run ?? '', error);
        return;
      }
      if (received.peek() !== undefined || isReached || performance.now() - begun > PATIENCE)
        if (received.peek() === undefined)
          // The first picture does not wait for a frame.
          show();
        else frame ??= requestAnimationFrame(show);
    }

    function show(): void {
      frame = undefined;
      if (folded !== undefined) received.value = { folded, version: folded.version };
    }

    const end = listen(
      { run, runs: run === undefined ? mostRuns.value : mostRuns.peek() },
      {
        onChanges(changed) {
          list(withChanges(runs.peek() ?? [], changed));
        },
        onTotal(total) {
          runTotal.value = total;
        },
        onRuns: list,
        onTemplate(text) {
          folded ??= createFoldedRun(text);
        },
        onEvents(events) {
          waiting.push(...events);
          take();
        },
        onReached() {
          isReached = true;
          take();
        },
        onReadOnly() {
          isReadOnly.value = true;
        },
        onDamage(found) {
          damage.value = found;
        },
        onLive: takeLive,
        onLogs(last) {
          lastLog.value = last;
        },
        onConnection(live) {
          isLive.value = live;
          if (!live) takeLive([]);
        },
        version: () => waiting.at(-1)?.version ?? folded?.version ?? 0,
      },
    );
    return () => {
      isEnded = true;
      end();
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  });
}

/** Opens a run if the address names neither a run nor the list. */
function list(all: readonly RunSummary[]): void {
  runs.value = all;
  if (place.peek().isUnchosen && all.length > 0) go({ run: runToOpen(all) });
}

/** Both lists have the newest run first. */
function withChanges(list: readonly RunSummary[], changed: readonly RunSummary[]): readonly RunSummary[] {
  const byId = new Map(changed.map((run) => [run.id, run]));
  const kept = list.map((run) => {
    const now = byId.get(run.id);
    byId.delete(run.id);
    return now ?? run;
  });
  return [...byId.values(), ...kept];
}

/** The issue for a run whose events can be read but contradict each other. */
function unfoldable(run: string, error: unknown): Issue {
  const why = error instanceof Error ? error.message : String(error);
  return issue('RUN_DAMAGED', `run ${run} cannot be shown: ${why}`, {
    hint: `find the place with reconverge replay ${run}; restore a copy of the store`,
  });
}
