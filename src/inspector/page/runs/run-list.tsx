// The list of runs, a page of its own: grouped by template, or in the order that a person chose.
import { signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { counted } from '../../../base/counted.ts';
import { durationText, moneyText } from '../../../base/quantity.ts';
import type { LineageRow } from '../../../view/runs/lineage.ts';
import type { RunGroup } from '../../../view/runs/run-groups.ts';
import { place } from '../state/place.ts';
import { isReadOnly, mostRuns, runs, runTotal } from '../state/run.ts';
import { chips, choose, groups, isFiltered, keepNow, matching, ordering, setFilter } from '../state/run-list.ts';
import { HistoryBars, HistoryEnds } from './history-bars.tsx';
import { RunFilters } from './run-filters.tsx';
import { RunRow } from './run-row.tsx';

/** A group shows this many rows until more are wanted. */
const FIRST_ROWS = 6;
/** A list that is not grouped grows by this many rows. */
const PAGE = 200;

const rowsShown = signal(PAGE);

export function RunList() {
  useEffect(keepNow, []);
  return (
    <main class="run-list" onKeyDown={walk}>
      <h1 class="unseen">Runs</h1>
      <RunFilters />
      <p class="unseen" role="status">
        {counted(matching.value.length, 'run')}
      </p>
      {matching.value.length === 0 ? <NoneMatches /> : ordering.value.by === 'started' ? <Groups /> : <Sorted />}
      <OlderRuns />
    </main>
  );
}

function NoneMatches() {
  return (
    <p class="none">
      None of the {counted(runs.value?.length ?? 0, 'run')} matches.{' '}
      {isFiltered.value && (
        <button type="button" class="link" onClick={clear}>
          Show all runs
        </button>
      )}
    </p>
  );
}

function clear(): void {
  choose(chips[0]);
  for (const name of ['template', 'since', 'until', 'cost', 'took', 'search'] as const) setFilter(name, '');
}

function Groups() {
  return (
    <>
      {groups.value.map((group) => (
        <Group key={group.template} group={group} rows={group.rows} />
      ))}
    </>
  );
}

function Group({ group, rows }: { readonly group: RunGroup; readonly rows: readonly LineageRow[] }) {
  const { template, count, history, runs: listed } = group;
  const isWhole = place.value.filters.all === template;
  const shown = isWhole ? rows : rows.slice(0, FIRST_ROWS);
  const left = rows.length - shown.length;
  const title = `group-${template}`;
  return (
    <section class="run-group" aria-labelledby={title}>
      <header>
        <h2 id={title}>{template}</h2>
        <span class="dim group-count">
          {listed.length === count ? counted(count, 'run') : `${listed.length} of ${counted(count, 'run')}`}
        </span>
        <HistoryEnds history={history} />
        <HistoryBars name="Time" history={history} of={({ took }) => took} text={durationText} />
        <HistoryBars name="Cost" history={history} of={({ cost }) => cost} text={moneyText} />
        {!isReadOnly.value && (
          <button type="button" class="link again" onClick={() => setFilter('start', listed[0]?.id ?? '')}>
            run again …
          </button>
        )}
      </header>
      <ul>
        {shown.map((row) => (
          <li key={row.run.id}>
            <RunRow row={row} />
          </li>
        ))}
      </ul>
      {(left > 0 || isWhole) && rows.length > FIRST_ROWS && (
        <button type="button" class="link more" data-row onClick={() => setFilter('all', isWhole ? '' : template)}>
          {isWhole ? `show the first ${FIRST_ROWS} only` : `${left.toLocaleString('en')} more`}
        </button>
      )}
    </section>
  );
}

function Sorted() {
  const left = matching.value.length - rowsShown.value;
  return (
    <section class="run-group">
      <ul>
        {matching.value.slice(0, rowsShown.value).map((run) => (
          <li key={run.id}>
            <RunRow row={{ run, depth: 0 }} withTemplate />
          </li>
        ))}
      </ul>
      {left > 0 && (
        <button
          type="button"
          class="link more"
          data-row
          onClick={() => {
            rowsShown.value += PAGE;
          }}
        >
          {left.toLocaleString('en')} more
        </button>
      )}
    </section>
  );
}

/** The server sends the newest runs until a person asks for the others. */
function OlderRuns() {
  const left = runTotal.value - (runs.value?.length ?? 0);
  if (left <= 0) return null;
  return (
    <p class="older">
      <button
        type="button"
        class="link"
        onClick={() => {
          mostRuns.value = runTotal.value;
        }}
      >
        {left.toLocaleString('en')} older runs
      </button>{' '}
      <span class="dim">are not loaded, and the filters do not look at them.</span>
    </p>
  );
}

/** Arrow keys move the focus from row to row. */
function walk(event: KeyboardEvent): void {
  const { key, currentTarget, target } = event;
  const by = { ArrowDown: 1, ArrowUp: -1, Home: Number.NEGATIVE_INFINITY, End: Number.POSITIVE_INFINITY }[key];
  if (by === undefined || !(currentTarget instanceof HTMLElement) || !(target instanceof HTMLElement)) return;
  if (target.closest('input, select') !== null) return;
  const rows = [...currentTarget.querySelectorAll<HTMLElement>('[data-row]')];
  const here = rows.indexOf(target);
  const next = rows[Math.max(0, Math.min(rows.length - 1, here + by))];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}
