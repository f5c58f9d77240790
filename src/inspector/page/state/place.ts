// The place in the page: run, view, step, gate and moment, kept in the address so that it can be revisited and shared.
import { effect, signal } from '@preact/signals';

export const views = ['graph', 'steps', 'budget', 'journal', 'changes'] as const;
export type View = (typeof views)[number];

interface PagePlace {
  readonly run: string | undefined;
  readonly view: View;
  readonly step: string | undefined;
  readonly gate: string | undefined;
  /** The selected version; undefined follows the latest one. */
  readonly at: number | undefined;
}

export const place = signal<PagePlace>(readPlace());

/** Keys that are not named stay the same; another run clears the step, the gate and the version. */
export function go(change: Partial<PagePlace>): void {
  const before = place.value;
  const isOther = change.run !== undefined && change.run !== before.run;
  const kept: PagePlace = isOther ? { ...before, step: undefined, gate: undefined, at: undefined } : before;
  place.value = { ...kept, ...change };
}

/** The place where a gate is answered: the run that has the gate. */
export function whereAsked(gate: string, run: string | undefined): Partial<PagePlace> {
  return run === undefined ? { gate } : { run, gate: gate.slice(gate.lastIndexOf('/') + 1) };
}

export function keepPlaceInAddress(): void {
  window.addEventListener('hashchange', () => {
    place.value = readPlace();
  });
  effect(() => {
    const { run, view, step, gate, at } = place.value;
    const words = Object.entries({ run, view: view === 'graph' ? undefined : view, step, gate, at }).flatMap(
      ([name, value]) => (value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`]),
    );
    history.replaceState(null, '', `#${words.join('&')}`);
  });
}

function readPlace(): PagePlace {
  const words = new URLSearchParams(location.hash.slice(1));
  const at = Number(words.get('at'));
  return {
    run: words.get('run') ?? undefined,
    view: views.find((view) => view === words.get('view')) ?? 'graph',
    step: words.get('step') ?? undefined,
    gate: words.get('gate') ?? undefined,
    at: Number.isSafeInteger(at) && at > 0 ? at : undefined,
  };
}
