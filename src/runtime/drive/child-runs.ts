// The child runs of one run: begins and resumes them, waits until they come to rest, and stops or cancels them with the run.

import { type Failure, failure } from '../../base/failure.ts';
import type { Issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { type Amount, plus } from '../../budget/amount.ts';
import { amountOfShown, type ShownAmount } from '../../budget/display-figures.ts';
import type { CommandOf, EffectOutcome } from '../../engine/record/command.ts';
import { childUnderWay, stepsWithChild } from '../../engine/state/child-run.ts';
import { STARTING_CALLS } from '../../engine/state/reservation.ts';
import type { RunState } from '../../engine/state/state.ts';
import type { Journal } from '../../store/journal.ts';
import { asksOf } from '../../view/open-gates.ts';
import type { RunHandle } from '../api/engine.ts';
import type { RunReport } from '../api/run-report.ts';
import { readState } from '../journal/read-run.ts';
import { stirs } from '../journal/run-family.ts';
import type { Clock } from '../ports/clock.ts';
import { type AbandonedWork, type ChildCall, type ChildRuns, LEFT, type SuspendedWork } from '../ports/work.ts';
import { reportOf } from './report-of.ts';

export interface ChildRunsOptions {
  readonly journal: Journal;
  readonly clock: Clock;
  /** The state of the parent run. */
  readonly state: RunState;
  begin(call: ChildCall): Promise<Result<RunHandle>>;
  /** Takes up a child run that nobody drives. */
  goOn(run: string): Promise<Result<RunHandle>>;
  /** Takes up a child run only to cancel it, which needs none of its capabilities. */
  takeToEnd(run: string): Promise<Result<RunHandle>>;
}

/** The pause between two tries to take up a run that another process drives. */
const RETRY_EVERY: Duration = 100;
/** The number of tries to take up a run that must be cancelled. */
const MOST_TRIES = 50;
const NOT_AWAITED = 'no step waits for its result any more';

export function childRuns({ journal, clock, state, begin, goOn, takeToEnd }: ChildRunsOptions): ChildRuns {
  const live = new Map<string, RunHandle>();
  const { track, settled } = pendingWork();
  /** Child runs that are cancelled together with this run. */
  const ending = new Set<string>();
  let stops = 0;

  async function follow(call: ChildCall, signal: AbortSignal): Promise<EffectOutcome | SuspendedWork | AbandonedWork> {
    const { run } = call.child;
    for (;;) {
      const report = endOf(journal, run);
      const isOver =
        report !== undefined || signal.reason === LEFT || (signal.aborted && journal.header(run) === undefined);
      if (report === undefined && (isOver || stops > 0)) return { left: true };
      if (report !== undefined) return outcomeOf(report, ending.has(run));
      const opened = await (hasBegun(journal, run) ? goOn(run) : begin(call));
      if (!opened.ok) {
        if (!opened.error.some(({ code }) => code === 'RUN_DRIVEN')) return bad(unopened(run, opened.error));
        await pause(clock);
        continue;
      }
      const rest = await drive(opened.value, signal);
      if (rest.status !== 'interrupted') return outcomeOf(rest, ending.has(run));
    }
  }

  async function drive(handle: RunHandle, signal: AbortSignal): Promise<RunReport> {
    live.set(handle.id, handle);
    if (stops > 0) handle.stop();
    try {
      return await untilRest(handle, signal, `run ${state.id}`);
    } finally {
      live.delete(handle.id);
    }
  }

  /** Undefined when another process drives the run and does not let it go. */
  async function endRun(run: string, order: CommandOf<'cancel'>): Promise<RunReport | undefined> {
    for (let tries = MOST_TRIES; tries > 0; tries--) {
      const report = endOf(journal, run);
      if (report !== undefined || !hasBegun(journal, run)) return report;
      const here = live.get(run);
      const handle = here === undefined ? await takeToEnd(run) : good(here);
      if (handle.ok) {
        await handle.value.order({ type: 'cancel', by: order.by, ...defined({ why: order.why }) });
        await handle.value.done;
      } else await pause(clock);
    }
    return undefined;
  }

  async function endOne(step: string, run: string, order: CommandOf<'cancel'>): Promise<readonly [string, Amount][]> {
    ending.add(run);
    const report = await endRun(run, order);
    if (report !== undefined) return [[step, billOf(report.spent)]];
    return hasBegun(journal, run) ? [] : [[step, {}]];
  }

  return {
    perform: (call, signal) => track(follow(call, signal)),
    stop() {
      stops += 1;
      for (const handle of live.values()) handle.stop();
    },
    any: () => underWay(state).length > 0,
    async end(order) {
      const why = order.why ?? `run ${state.id} is cancelled`;
      const ended = underWay(state).map(([step, run]) => endOne(step, run, { ...order, why }));
      return Object.fromEntries((await Promise.all(ended)).flat());
    },
    dismiss(run) {
      const order = { type: 'cancel', at: clock.now(), by: `run ${state.id}` } as const;
      void track(endRun(run, { ...order, why: NOT_AWAITED }));
    },
    stirring: () => stirringIn(journal, state),
    settled,
  };
}

/** Resolves with the report of the run. The signal cancels the run, or leaves it where it is. */
async function untilRest(handle: RunHandle, signal: AbortSignal, by: string): Promise<RunReport> {
  const obey = (): void => {
    if (signal.reason === LEFT) abandon(handle);
    else void handle.order({ type: 'cancel', by, why: NOT_AWAITED });
  };
  if (signal.aborted) obey();
  else signal.addEventListener('abort', obey, { once: true });
  try {
    return await handle.done;
  } finally {
    signal.removeEventListener('abort', obey);
  }
}

interface PendingWork {
  track<T>(work: Promise<T>): Promise<T>;
  /** Resolves when no tracked work is pending. */
  settled(): Promise<void>;
}

function pendingWork(): PendingWork {
  const pending = new Set<Promise<unknown>>();
  return {
    track(work) {
      const forget = (): void => void pending.delete(work);
      pending.add(work);
      work.then(forget, forget);
      return work;
    },
    async settled() {
      while (pending.size > 0) await Promise.allSettled(pending);
    },
  };
}

function hasBegun(journal: Journal, run: string): boolean {
  return (journal.header(run)?.version ?? 0) > 0;
}

/** The report of a run that has ended. */
function endOf(journal: Journal, run: string): RunReport | undefined {
  if (!hasBegun(journal, run)) return undefined;
  const read = readState(journal, run);
  if (!read.ok || read.value.status !== 'ended') return undefined;
  return reportOf(read.value, 'ended', (digest) => journal.blob(digest));
}

/** A child run that is cancelled with its parent run is no outcome of a step. */
function outcomeOf(report: RunReport, isEnding: boolean): EffectOutcome | SuspendedWork | AbandonedWork {
  const { run, status, partial, output, spent, failure: why } = report;
  const bill = billOf(spent);
  switch (status) {
    case 'completed':
      return { ...good(output), bill, ...(partial ? { partial } : {}) };
    case 'failed':
      return { ...bad(failed(report, why)), bill };
    case 'cancelled':
      return isEnding ? { left: true } : { ...bad(cancelled(report)), bill };
    case 'waiting':
    case 'paused':
      return { suspended: { run, standing: status, asks: asksOf(run, report.gates ?? []) } };
    case 'interrupted':
      return { left: true };
  }
}

/** The steps whose child run can go on. */
export function stirringIn(journal: Journal, state: RunState): readonly string[] {
  return stepsWithChild(state).flatMap((step) => {
    if (step.status === 'running') return [];
    const child = childUnderWay(state, step);
    return child === undefined || stirs(journal, child) ? [step.id] : [];
  });
}

function underWay(state: RunState): readonly (readonly [step: string, run: string])[] {
  return stepsWithChild(state).flatMap((step) => {
    const child = childUnderWay(state, step);
    return child === undefined ? [] : [[step.id, child] as const];
  });
}

function billOf(spent: ShownAmount): Amount {
  return plus(amountOfShown(spent), { tool_calls: STARTING_CALLS });
}

function abandon(handle: RunHandle): void {
  handle.stop();
  handle.stop();
}

function failed({ run, template }: RunReport, why: Failure | undefined): Failure {
  const message = `run ${run} of "${template}" failed: ${why?.message ?? 'it gives no reason'}`;
  return failure('CHILD_FAILED', message, defined({ cause: why }));
}

function cancelled({ run, template }: RunReport): Failure {
  return failure('CHILD_CANCELLED', `run ${run} of "${template}" was cancelled`, { retry: 'never' });
}

function unopened(run: string, issues: readonly Issue[]): Failure {
  const [first] = issues;
  const message = `run ${run} cannot go on: ${first?.message ?? ''}`;
  return failure(first?.code ?? 'CHILD_FAILED', message, { retry: 'never', issues });
}

function pause(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.wake(RETRY_EVERY, resolve);
  });
}
