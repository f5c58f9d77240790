// Whose turn it is among steps that share a `concurrency_key`: so many at once, and so many begun in any span of time.
import type { Instant } from '../../base/quantity.ts';
import type { RunState } from '../../engine/state/state.ts';
import type { KeyLimit } from '../../template/template.ts';

export interface Turns {
  /** The first of the steps that may begin now; without one, when another may: never, until one that is under way has ended. */
  first(steps: Iterable<string>, at: Instant): string | { readonly next: Instant };
  /** To be called when a step has been told to begin. */
  began(step: string, at: Instant): void;
}

interface Key extends KeyLimit {
  readonly running: Set<string>;
  /** When the last of them began, the latest last; no more than its rate counts. */
  begun: readonly Instant[];
}

/** Of a run as it stands: one that goes on has begun what it began before. */
export function turnsOf(state: RunState): Turns {
  const { keys: limits } = state.template.concurrency;
  const keys = new Map(
    Object.entries(limits).map(([name, limit]): [string, Key] => [name, { ...limit, running: new Set(), begun: [] }]),
  );
  const keyOf = (step: string): Key | undefined =>
    keys.size === 0 ? undefined : keys.get(state.steps.get(step)?.spec.concurrencyKey ?? '');
  const note = (step: string, at: Instant): void => {
    const key = keyOf(step);
    if (key === undefined) return;
    if (state.running.has(step)) key.running.add(step);
    if (key.rate !== undefined) key.begun = [...key.begun, at].slice(-key.rate.count);
  };
  const steps = keys.size === 0 ? [] : [...state.steps.values()];
  const before = steps.flatMap(({ id, begunAt }) => (begunAt === undefined ? [] : [{ id, begunAt }]));
  for (const { id, begunAt } of before.sort((one, other) => one.begunAt - other.begunAt)) note(id, begunAt);
  return {
    first(steps, at) {
      const known = new Map<Key, Instant>();
      for (const step of steps) {
        const key = keyOf(step);
        if (key === undefined) return step;
        const next = known.get(key) ?? nextOf(key, state);
        if (next <= at) return step;
        known.set(key, next);
      }
      return { next: Math.min(Number.POSITIVE_INFINITY, ...known.values()) };
    },
    /** What came to nothing without running has not begun. */
    began: (step, at) => (state.running.has(step) ? note(step, at) : undefined),
  };
}

function nextOf({ running, begun, max, rate }: Key, state: RunState): Instant {
  for (const id of running) if (!state.running.has(id)) running.delete(id);
  if (max !== undefined && running.size >= max) return Number.POSITIVE_INFINITY;
  const [first = Number.NEGATIVE_INFINITY] = begun;
  return rate === undefined || begun.length < rate.count ? Number.NEGATIVE_INFINITY : first + rate.per;
}
