// The timeline: a slider over the journal, with marks for grafts, failures, gates and ends.
import { useComputed } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { EventType, Recorded } from '../../../engine/record/event.schema.ts';
import { eventLine } from '../../../view/event-line.ts';
import { openOrder } from '../state/order-state.ts';
import { isPlaying, keepPlaying, showAt } from '../state/playback.ts';
import { isReadOnly, latest, shown } from '../state/run.ts';

export function Timeline() {
  useEffect(keepPlaying, []);
  const moment = shown.value;
  if (moment === undefined) return null;
  const { run, all, version, isLatest } = moment;
  const recorded = all[version - 1];
  const line = recorded === undefined ? '' : eventLine(recorded, all[0]?.at ?? recorded.at);
  return (
    <footer class="timeline">
      <button
        type="button"
        onClick={() => {
          isPlaying.value = !isPlaying.value;
        }}
        aria-label={isPlaying.value ? 'Stop' : 'Play the run'}
        title="space"
      >
        {isPlaying.value ? '❚❚' : '▶'}
      </button>
      <div class="slide">
        <Marks />
        <input
          type="range"
          min={1}
          max={all.length}
          value={version}
          aria-label="Event of the journal"
          aria-valuetext={`event ${version} of ${all.length}: ${line}`}
          onInput={(event) => showAt(Number(event.currentTarget.value))}
        />
      </div>
      <output class="event-line" title={line}>
        <span class="dim">
          {version} / {all.length}
        </span>{' '}
        {line}
      </output>
      <button
        type="button"
        disabled={isLatest || isReadOnly.value}
        title={
          isReadOnly.value
            ? 'the store is read-only'
            : isLatest
              ? 'go back in time first: choose an earlier event'
              : `start a new run from event ${version}`
        }
        onClick={() => {
          openOrder.value = { run, order: 'fork', at: version };
        }}
      >
        fork …
      </button>
      <button
        type="button"
        class={isLatest ? 'now here' : 'now'}
        disabled={isLatest}
        onClick={() => showAt(undefined)}
        title="l"
      >
        now
      </button>
    </footer>
  );
}

const marked: Readonly<Partial<Record<EventType, string>>> = {
  'fragment.grafted': 'grew',
  'replan.started': 'grew',
  'fragment.rejected': 'failed',
  'step.failed': 'failed',
  'gate.opened': 'asked',
  'gate.decided': 'asked',
  'budget.exhausted': 'failed',
  'run.ended': 'ended',
};

/** More marks could not be distinguished. */
const MOST_MARKS = 240;

function Marks() {
  const marks = useComputed(() => marksOf(latest.value?.all ?? []));
  const count = latest.value?.version ?? 1;
  return (
    <div class="marks" aria-hidden="true">
      {marks.value.map(({ version, event }) => (
        <i
          key={version}
          class={marked[event.type]}
          style={{ left: `${(100 * (version - 1)) / Math.max(1, count - 1)}%` }}
        />
      ))}
    </div>
  );
}

function marksOf(events: readonly Recorded[]): readonly Recorded[] {
  const found = events.filter(({ event }) => marked[event.type] !== undefined);
  const every = Math.ceil(found.length / MOST_MARKS);
  return found.filter((_, index) => index % every === 0);
}
