// The place in the page: the list of runs, or a run with its view, step, gate and moment. The address keeps it.
import { effect, signal } from '@preact/signals';
import { type ShownStatus, shownStatuses } from '../../../view/phases/shown-status.ts';

export const views = ['graph', 'timeline', 'steps', 'budget', 'journal', 'changes'] as const;
export type View = (typeof views)[number];

/** The letter that shows a view. */
export const viewKeys: Readonly<Record<View, string>> = {
  graph: 'g',
  timeline: 't',
  steps: 's',
  budget: 'b',
  journal: 'e',
  changes: 'c',
};

/** The filters of the list of runs, by name. */
type ListFilters = Readonly<Record<string, string>>;

interface PagePlace {
  /** Undefined: the list of runs. */
  readonly run: string | undefined;
  /** The address names neither a run nor the list, so the page chooses one of them. */
  readonly isUnchosen: boolean;
  readonly filters: ListFilters;
  readonly view: View;
  /** The status of the steps that the list of steps shows; undefined shows all. */
  readonly only: ShownStatus | undefined;
  readonly step: string | undefined;
  readonly gate: string | undefined;
  /** The selected version; undefined follows the latest one. */
  readonly at: number | undefined;
}

const ofRuns = ['run', 'view', 'only', 'step', 'gate', 'at'];

export const place = signal<PagePlace>(readPlace());

/** Keys that are not named stay the same; another run, or the list, clears the filter of steps, the step, the gate and the version. */
export function go(change: Partial<Omit<PagePlace, 'isUnchosen'>>): void {
  const before = place.value;
  const isOther = 'run' in change && change.run !== before.run;
  const kept: PagePlace = isOther
    ? { ...before, only: undefined, step: undefined, gate: undefined, at: undefined }
    : before;
  place.value = { ...kept, ...change, isUnchosen: before.isUnchosen && !('run' in change) };
}

/** The place where a gate is answered: the run that has the gate. */
export function whereAsked(gate: string, run: string | undefined): Partial<PagePlace> {
  return run === undefined ? { gate } : { run, gate: gate.slice(gate.lastIndexOf('/') + 1) };
}

/** The back button returns to the last run, view or gate, not to each step and moment that was looked at. */
export function keepPlaceInAddress(): void {
  let before = place.peek();
  window.addEventListener('hashchange', () => {
    if (location.hash === addressOf(place.peek())) return;
    before = readPlace();
    place.value = before;
  });
  effect(() => {
    const now = place.value;
    const address = addressOf(now);
    const isTurn = now.run !== before.run || now.view !== before.view || now.gate !== before.gate;
    const isNew = isTurn && !before.isUnchosen && address !== location.hash;
    before = now;
    if (isNew) history.pushState(null, '', address);
    else history.replaceState(null, '', address);
  });
}

function addressOf({ run, isUnchosen, filters, view, only, step, gate, at }: PagePlace): string {
  if (isUnchosen) return '#';
  if (run === undefined) return `#${['runs', ...wordsOf(filters)].join('&')}`;
  return `#${wordsOf({ run, view: view === 'graph' ? undefined : view, only, step, gate, at }).join('&')}`;
}

function wordsOf(values: Readonly<Record<string, string | number | undefined>>): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    value === undefined || value === '' ? [] : [`${name}=${encodeURIComponent(value)}`],
  );
}

function readPlace(): PagePlace {
  const words = new URLSearchParams(location.hash.slice(1));
  const run = words.get('run') ?? undefined;
  const at = Number(words.get('at'));
  return {
    run,
    isUnchosen: run === undefined && !words.has('runs'),
    filters: Object.fromEntries([...words].filter(([name]) => name !== 'runs' && !ofRuns.includes(name))),
    view: views.find((view) => view === words.get('view')) ?? 'graph',
    only: shownStatuses.find((status) => status === words.get('only')),
    step: words.get('step') ?? undefined,
    gate: words.get('gate') ?? undefined,
    at: Number.isSafeInteger(at) && at > 0 ? at : undefined,
  };
}
