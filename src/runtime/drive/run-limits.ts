// Limits how many steps of a run work at the same time, by concurrency key and by capability.
import type { Instant } from '../../base/quantity.ts';
import type { RunState, Step } from '../../engine/state/state.ts';
import { isLimitFor } from '../../template/check/capabilities.ts';
import type { RateLimit } from '../../template/template.ts';
import type { Work } from '../ports/work.ts';
import type { SharedLimits } from './shared-limits.ts';

export interface RunLimits {
  /** The first of the steps that may begin now, or the time at which the next one may; infinity: when running work has ended. */
  first(steps: Iterable<string>, at: Instant): string | { readonly next: Instant };
  /** Called when a step has begun. */
  began(step: string, at: Instant): void;
  /** Runs the work of a step as soon as every limit that applies to it has room; the work of other runs counts too. */
  run<T>(work: Work, task: () => Promise<T>): Promise<T>;
  /** Called when the driver ends. */
  leave(): void;
}

/** One limit, with the steps of this run that it applies to. */
interface LimitUse extends RateLimit {
  readonly running: Set<string>;
  /** The start times of the latest steps, in order; as many as the rate counts. */
  begun: readonly Instant[];
}

/** `onRoom` is called when work of other runs has ended. Steps that began before the run was resumed count. */
export function runLimits(state: RunState, shared: SharedLimits, onRoom: () => void): RunLimits {
  const limits = limitsOf(state);
  const isLimited = limits.size > 0;
  const entries = new Map(
    [...limits].map(([name, limit]): [string, LimitUse] => [name, { ...limit, running: new Set(), begun: [] }]),
  );
  const namesOf = (step: Step | undefined): readonly string[] =>
    step === undefined
      ? []
      : [...ofKey(step.spec.concurrencyKey, limits), ...ofCapability(step.spec.capability, limits)];
  const note = (id: string, at: Instant): void => {
    for (const name of namesOf(state.steps.get(id))) {
      const entry = entries.get(name);
      if (entry === undefined) continue;
      if (state.running.has(id)) entry.running.add(id);
      if (entry.rate !== undefined) entry.begun = [...entry.begun, at].slice(-entry.rate.count);
    }
  };
  const leave = isLimited ? shared.join(limits, onRoom) : () => {};
  const steps = isLimited ? [...state.steps.values()] : [];
  const before = steps.flatMap(({ id, begunAt }) => (begunAt === undefined ? [] : [{ id, begunAt }]));
  for (const { id, begunAt } of before.sort((one, other) => one.begunAt - other.begunAt)) note(id, begunAt);
  return {
    first(ids, at) {
      let soonest = Number.POSITIVE_INFINITY;
      if (!isLimited) {
        for (const id of ids) return id;
        return { next: soonest };
      }
      const known = new Map<string, Instant>();
      for (const id of ids) {
        const names = namesOf(state.steps.get(id));
        const all = names.join('\n');
        const next = known.get(all) ?? nextOf(names, entries, shared, state, at);
        if (next <= at) return id;
        known.set(all, next);
        soonest = Math.min(soonest, next);
      }
      return { next: soonest };
    },
    began(id, at) {
      // A step that ended without running has not begun.
      if (!isLimited || !state.running.has(id)) return;
      note(id, at);
      shared.began(namesOf(state.steps.get(id)));
    },
    run(work, task) {
      // The steps of a child run obey limits themselves. If the parent step held a place, they could wait for it for ever.
      if (!isLimited || isChildCall(work)) return task();
      const step = state.steps.get(work.step);
      const key = ofKey(step?.spec.concurrencyKey, limits);
      const called = work.type === 'call-capability' ? ofCapability(work.capability, limits) : [];
      const isInner = 'call' in work && work.call !== undefined;
      return shared.run([...key, ...called], async () => {
        if (isInner) await shared.turn(called);
        return task();
      });
    },
    leave,
  };
}

function isChildCall(work: Work): boolean {
  return work.type === 'call-capability' && work.child !== undefined;
}

/** The limits of a run's template under the names that all runs of a process use. */
function limitsOf({ template }: RunState): ReadonlyMap<string, RateLimit> {
  const { keys, capabilities = {} } = template.concurrency;
  return new Map([
    ...Object.entries(keys).map(([key, limit]) => [`key ${key}`, limit] as const),
    ...Object.entries(capabilities).map(([pattern, limit]) => [`capability ${pattern}`, limit] as const),
  ]);
}

function ofKey(key: string | undefined, limits: ReadonlyMap<string, RateLimit>): readonly string[] {
  return key !== undefined && limits.has(`key ${key}`) ? [`key ${key}`] : [];
}

function ofCapability(
  capability: string | null | undefined,
  limits: ReadonlyMap<string, RateLimit>,
): readonly string[] {
  if (capability === null || capability === undefined) return [];
  return [...limits.keys()].filter(
    (name) => name.startsWith('capability ') && isLimitFor(name.slice('capability '.length), capability),
  );
}

function nextOf(
  names: readonly string[],
  entries: ReadonlyMap<string, LimitUse>,
  shared: SharedLimits,
  state: RunState,
  at: Instant,
): Instant {
  const own = names.flatMap((name) => entries.get(name) ?? []).map((entry) => nextInRun(entry, state));
  return Math.max(at + shared.wait(names), ...own);
}

function nextInRun({ running, begun, max, rate }: LimitUse, state: RunState): Instant {
  for (const id of running) if (!state.running.has(id)) running.delete(id);
  if (max !== undefined && running.size >= max) return Number.POSITIVE_INFINITY;
  const [first = Number.NEGATIVE_INFINITY] = begun;
  return rate === undefined || begun.length < rate.count ? Number.NEGATIVE_INFINITY : first + rate.per;
}
