// The run that is looked at: what has been heard of it, and how it stands at the instant that is looked at.
import { computed, effect, signal } from '@preact/signals';
import { type Issue, issue } from '../../../base/issue.ts';
import type { Recorded } from '../../../engine/record/event.schema.ts';
import type { RunView } from '../../../engine/state/run-view.ts';
import type { RunSummary } from '../../../runtime/api/run-record.ts';
import { createPast, type Past } from './past.ts';
import { go, place } from './place.ts';
import { blobOf } from './server.ts';
import { listen } from './stream.ts';

export const runs = signal<readonly RunSummary[] | undefined>(undefined);
export const isLive = signal(false);
/** The store can be read, but not written: no order is offered. */
export const isReadOnly = signal(false);
/** Why no more can be told of the run. */
export const damage = signal<Issue | undefined>(undefined);

/** A run with all that has been heard; a new object whenever there is more. */
interface Heard {
  readonly past: Past;
  readonly version: number;
}

const heard = signal<Heard | undefined>(undefined);

/** How the run stands at one instant. The state grows in place: hold on to the moment, not to the state. */
export interface Moment {
  readonly run: string;
  readonly state: RunView;
  readonly version: number;
  /** All that has been heard, also behind this moment. */
  readonly all: readonly Recorded[];
  /** Nothing has been heard behind this moment. */
  readonly isLatest: boolean;
}

export const latest = computed<Moment | undefined>(() => {
  const known = heard.value;
  if (known === undefined || known.version === 0) return undefined;
  const state = known.past.latest();
  return { run: state.id, state, version: known.version, all: known.past.events, isLatest: true };
});

export const shown = computed<Moment | undefined>(() => {
  const { at } = place.value;
  const known = heard.value;
  if (known === undefined || at === undefined || at >= known.version) return latest.value;
  const state = known.past.at(at);
  return { run: state.id, state, version: at, all: known.past.events, isLatest: false };
});

/** Events up to the moment. */
export function eventsUntil({ all, version }: Moment): readonly Recorded[] {
  return version >= all.length ? all : all.slice(0, version);
}

export const summary = computed(() => runs.value?.find(({ id }) => id === place.value.run));

const RETRY = 500;

/** Follows the run that the address names; the newest when it names none. */
export function followRun(): void {
  const wanted = computed(() => place.value.run);
  effect(() => {
    const run = wanted.value;
    let past: Past | undefined;
    let waiting: Recorded[] = [];
    let frame: number | undefined;
    let isBegun = false;
    heard.value = undefined;
    damage.value = undefined;

    /** However fast events come, the page is drawn once a frame. */
    function show(): void {
      frame = undefined;
      if (past === undefined) return;
      past.add(waiting);
      waiting = [];
      try {
        past.latest();
      } catch (error) {
        damage.value = unfoldable(run ?? '', error);
        return;
      }
      heard.value = { past, version: past.version };
    }

    /** The server may be away just then. */
    function begin(template: string): void {
      blobOf(template).then(
        (text) => {
          past = createPast(JSON.stringify(text));
          show();
        },
        () => setTimeout(begin, RETRY, template),
      );
    }

    const end = listen(run, {
      onRuns(list) {
        runs.value = list;
        const [newest] = list;
        if (place.peek().run === undefined && newest !== undefined) go({ run: newest.id });
      },
      onEvents(events) {
        waiting.push(...events);
        const [first] = waiting;
        if (past !== undefined) frame ??= requestAnimationFrame(show);
        else if (first?.event.type === 'run.started' && !isBegun) {
          isBegun = true;
          begin(first.event.template);
        }
      },
      onReadOnly() {
        isReadOnly.value = true;
      },
      onDamage(found) {
        damage.value = found;
      },
      onConnection(live) {
        isLive.value = live;
      },
      version: () => waiting.at(-1)?.version ?? past?.version ?? 0,
    });
    return () => {
      end();
      if (frame !== undefined) cancelAnimationFrame(frame);
    };
  });
}

/** Its events can be read, and do not follow from each other. */
function unfoldable(run: string, error: unknown): Issue {
  const why = error instanceof Error ? error.message : String(error);
  return issue('RUN_DAMAGED', `run ${run} cannot be told: ${why}`, {
    hint: `reconverge replay ${run} says where; put back a copy of the store`,
  });
}
