// The journal: one line for each event, centered on the selected moment; a click selects another moment.
import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { eventLine } from '../../../view/event-line.ts';
import { showAt } from '../state/playback.ts';
import { shown } from '../state/run.ts';
import { searched } from '../state/search.ts';

/** Pixels of a line; the style sheet says the same. */
const rowHeight = (): number => (matchMedia('(max-width: 600px)').matches ? 44 : 24);

export function JournalView() {
  const list = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const moment = shown.value;
  const version = moment?.version ?? 0;
  const row = rowHeight();
  useEffect(() => {
    const { current } = list;
    if (current === null) return;
    const at = version * row;
    if (at < current.scrollTop + row || at > current.scrollTop + current.clientHeight)
      current.scrollTop = at - current.clientHeight / 2;
  }, [version, row]);
  if (moment === undefined) return null;
  const { all } = moment;
  const since = all[0]?.at ?? 0;
  const words = searched.value.toLowerCase();
  const events = words === '' ? all : all.filter((each) => eventLine(each, since).toLowerCase().includes(words));
  const first = Math.max(0, Math.floor(top.value / row) - 20);
  const seen = events.slice(first, first + 90);
  return (
    <div
      class="journal"
      ref={list}
      onScroll={(event) => {
        top.value = event.currentTarget.scrollTop;
      }}
    >
      <div style={{ height: `${events.length * row}px` }}>
        <ol style={{ transform: `translateY(${first * row}px)` }}>
          {seen.map((each) => (
            <li
              key={each.version}
              class={each.version === version ? 'here' : each.version > version ? 'later' : undefined}
            >
              <button type="button" onClick={() => showAt(each.version)}>
                <span class="dim">{each.version}</span> {eventLine(each, since)}
              </button>
            </li>
          ))}
        </ol>
      </div>
    </div>
  );
}
