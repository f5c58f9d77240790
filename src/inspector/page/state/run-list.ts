// The list of runs as a person sees it: filtered, sorted and grouped by what the address names.
import { computed, signal } from '@preact/signals';
import type { Duration } from '../../../base/quantity.ts';
import { lineageRows } from '../../../view/runs/lineage.ts';
import { type FilterName, type FilterProblem, filterNames, readFilter } from '../../../view/runs/read-filter.ts';
import {
  matchesFilter,
  newestFirst,
  type RunFilter,
  type RunOrdering,
  sortedRuns,
} from '../../../view/runs/run-filter.ts';
import { groupRuns } from '../../../view/runs/run-groups.ts';
import { go, place } from './place.ts';
import { runs } from './run.ts';

/** Moves on while the list is shown, for ages of runs and for running ones. */
export const now = signal(Date.now());

const TICK: Duration = 1_000;
const SLOW_TICK: Duration = 20_000;

/** Returns a function that stops the clock. */
export function keepNow(): () => void {
  let last = Date.now();
  const timer = setInterval(() => {
    const isMoving = runs.peek()?.some(({ status }) => status === 'running') === true;
    if (!isMoving && Date.now() - last < SLOW_TICK) return;
    last = Date.now();
    now.value = last;
  }, TICK);
  now.value = last;
  return () => clearInterval(timer);
}

const read = computed(() => {
  const { filters } = place.value;
  const whole = readFilter(filters, Date.now());
  if (whole.ok) return { ...whole.value, problems: [] };
  const wrong = new Set<string>(whole.error.map(({ filter }) => filter));
  const rest = Object.fromEntries(Object.entries(filters).filter(([name]) => !wrong.has(name)));
  const part = readFilter(rest, Date.now());
  const known: { filter: RunFilter; ordering: RunOrdering } = part.ok
    ? part.value
    : { filter: {}, ordering: newestFirst };
  return { ...known, problems: whole.error };
});

export function problemOf(name: FilterName): FilterProblem | undefined {
  return read.value.problems.find(({ filter }) => filter === name);
}

/** The chips: filters of which one at most is chosen. */
export const chips = [
  { name: 'all', sign: '', label: 'All', words: {} },
  { name: 'waiting', sign: '?', label: 'Waiting for me', words: { status: 'waiting' } },
  { name: 'running', sign: '▶', label: 'Running', words: { status: 'running' } },
  { name: 'failures', sign: '✗', label: 'With failures', words: { 'with-failures': 'yes' } },
  { name: 'part', sign: '◐', label: 'Partial', words: { status: 'partial' } },
  { name: 'forks', sign: '└', label: 'Forks', words: { forks: 'yes' } },
] as const satisfies readonly {
  readonly name: string;
  readonly sign: string;
  readonly label: string;
  readonly words: Partial<Record<FilterName, string>>;
}[];
export type Chip = (typeof chips)[number];

const ofChips: readonly FilterName[] = ['status', 'with-failures', 'forks'];

/** Undefined when the address names another status. */
export const chosenChip = computed(() => {
  const { filters } = place.value;
  return chips.find(({ words }: { readonly words: Partial<Record<FilterName, string>> }) =>
    ofChips.every((name) => (words[name] ?? '') === (filters[name] ?? '')),
  );
});

export function choose({ words }: Chip): void {
  const kept = Object.entries(place.peek().filters).filter(([name]) => !ofChips.some((each) => each === name));
  go({ run: undefined, filters: { ...Object.fromEntries(kept), ...words } });
}

export function setFilter(name: FilterName | 'all' | 'start', text: string): void {
  go({ run: undefined, filters: { ...place.peek().filters, [name]: text } });
}

/** The number of runs for each chip, among the runs that match everything else. */
export const chipCounts = computed<Readonly<Record<Chip['name'], number>>>(() => {
  const { statuses: _, withFailures: __, forks: ___, ...rest } = read.value.filter;
  const left = (runs.value ?? []).filter((run) => matchesFilter(rest, run, now.value));
  const count = (filter: RunFilter): number => left.filter((run) => matchesFilter(filter, run, now.value)).length;
  return {
    all: left.length,
    waiting: count({ statuses: ['waiting'] }),
    running: count({ statuses: ['running'] }),
    failures: count({ withFailures: true }),
    part: count({ statuses: ['partial'] }),
    forks: count({ forks: true }),
  };
});

export const matching = computed(() => {
  const { filter, ordering } = read.value;
  const found = (runs.value ?? []).filter((run) => matchesFilter(filter, run, now.value));
  return sortedRuns(found, ordering, now.value);
});

export const ordering = computed(() => read.value.ordering);

/** Groups by template while the runs are in the order of their start, and otherwise one list. */
export const groups = computed(() =>
  groupRuns(matching.value, runs.value ?? [], now.value).map((group) => ({ ...group, rows: lineageRows(group.runs) })),
);

export const templates = computed(() => [...new Set((runs.value ?? []).map(({ template }) => template))].sort());

/** True when anything but the order is filtered. */
export const isFiltered = computed(() =>
  filterNames.some((name) => name !== 'sort' && name !== 'reverse' && (place.value.filters[name] ?? '') !== ''),
);
