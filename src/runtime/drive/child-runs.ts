// The runs that steps of one run start: begun, taken up, followed to their rest, and stopped or ended with it.

import { type Failure, failure } from '../../base/failure.ts';
import type { Issue } from '../../base/issue.ts';
import { defined } from '../../base/json.ts';
import { good, type Result } from '../../base/result.ts';
import { type Amount, plus } from '../../budget/amount.ts';
import { amountOfShown, type ShownAmount } from '../../budget/shown.ts';
import type { CommandOf, Outcome } from '../../engine/record/command.ts';
import { childUnderWay, stepsWithChild } from '../../engine/state/child-run.ts';
import { TO_START_IT } from '../../engine/state/set-aside.ts';
import type { RunState } from '../../engine/state/state.ts';
import type { Journal } from '../../store/journal.ts';
import { asksOf } from '../../view/open-gates.ts';
import type { RunHandle } from '../api/engine.ts';
import type { RunReport } from '../api/run-report.ts';
import { stirs } from '../journal/family.ts';
import { readState } from '../journal/read-run.ts';
import type { Clock } from '../ports/clock.ts';
import { type ChildCall, type ChildRuns, LEFT, type AbandonedWork, type SuspendedWork } from '../ports/work.ts';
import { reportOf } from './report-of.ts';

export interface ChildRunsOptions {
  readonly journal: Journal;
  readonly clock: Clock;
  /** Of the run that starts them. */
  readonly state: RunState;
  begin(call: ChildCall): Promise<Result<RunHandle>>;
  /** Takes one up that nobody drives. */
  goOn(run: string): Promise<Result<RunHandle>>;
  /** Takes one up that is to be ended, and needs nothing for that. */
  takeToEnd(run: string): Promise<Result<RunHandle>>;
}

/** Between two looks whether another process has let go of a run. */
const LOOK_EVERY = 100;
/** So often it looks for a run that is to end. */
const PATIENCE = 50;
const NOT_AWAITED = 'its result is not waited for any more';

export function childRuns({ journal, clock, state, begin, goOn, takeToEnd }: ChildRunsOptions): ChildRuns {
  const live = new Map<string, RunHandle>();
  const following = new Set<Promise<unknown>>();
  /** They are ended with this run: their end is no outcome of a step. */
  const ending = new Set<string>();
  let stops = 0;

  async function follow(call: ChildCall, signal: AbortSignal): Promise<Outcome | SuspendedWork | AbandonedWork> {
    const { run } = call.child;
    for (;;) {
      const report = restOf(run);
      const isOver =
        report !== undefined || signal.reason === LEFT || (signal.aborted && journal.header(run) === undefined);
      if (report === undefined && (isOver || stops > 0)) return { left: true };
      if (report !== undefined) return broughtBy(report);
      const opened = await (hasBegun(run) ? goOn(run) : begin(call));
      if (!opened.ok) {
        if (!opened.error.some(({ code }) => code === 'RUN_DRIVEN'))
          return { ok: false, failure: unopened(run, opened.error) };
        await pause(clock);
        continue;
      }
      const rest = await drive(opened.value, signal);
      if (rest.status !== 'interrupted') return broughtBy(rest);
    }
  }

  function hasBegun(run: string): boolean {
    return (journal.header(run)?.version ?? 0) > 0;
  }

  /** Of one that has ended. */
  function restOf(run: string): RunReport | undefined {
    if (!hasBegun(run)) return undefined;
    const read = readState(journal, run);
    if (!read.ok || read.value.status !== 'ended') return undefined;
    return reportOf(read.value, 'ended', (digest) => journal.blob(digest));
  }

  async function drive(handle: RunHandle, signal: AbortSignal): Promise<RunReport> {
    const obey = (): void => {
      if (signal.reason === LEFT) abandon(handle);
      else void handle.order({ type: 'cancel', by: `run ${state.id}`, why: NOT_AWAITED });
    };
    live.set(handle.id, handle);
    if (stops > 0) handle.stop();
    if (signal.aborted) obey();
    else signal.addEventListener('abort', obey, { once: true });
    try {
      return await handle.done;
    } finally {
      signal.removeEventListener('abort', obey);
      live.delete(handle.id);
    }
  }

  function broughtBy(report: RunReport): Outcome | SuspendedWork | AbandonedWork {
    const { run, status, partial, output, spent, failure: why } = report;
    const bill = billOf(spent);
    switch (status) {
      case 'completed':
        return { ok: true, value: output, bill, ...(partial ? { partial } : {}) };
      case 'failed':
        return { ok: false, failure: failed(report, why), bill };
      case 'cancelled':
        if (ending.has(run)) return { left: true };
        return { ok: false, failure: cancelled(report), bill };
      case 'waiting':
      case 'paused':
        return { suspended: { run, standing: status, asks: asksOf(run, report.gates ?? []) } };
      case 'interrupted':
        return { left: true };
    }
  }

  /** How it ended; undefined when somebody else drives it and does not let it go. */
  async function endRun(run: string, order: CommandOf<'cancel'>): Promise<RunReport | undefined> {
    for (let patience = PATIENCE; patience > 0; patience--) {
      const report = restOf(run);
      if (report !== undefined || !hasBegun(run)) return report;
      const here = live.get(run);
      const handle = here === undefined ? await takeToEnd(run) : good(here);
      if (handle.ok) {
        await handle.value.order(order);
        await handle.value.done;
      } else await pause(clock);
    }
    return undefined;
  }

  async function endOne(step: string, run: string, order: CommandOf<'cancel'>): Promise<readonly [string, Amount][]> {
    ending.add(run);
    const report = await endRun(run, order);
    if (report !== undefined) return [[step, billOf(report.spent)]];
    return hasBegun(run) ? [] : [[step, {}]];
  }

  function track<T>(work: Promise<T>): Promise<T> {
    const forget = (): void => void following.delete(work);
    following.add(work);
    work.then(forget, forget);
    return work;
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
    async settled() {
      while (following.size > 0) await Promise.allSettled(following);
    },
  };
}

/** Steps that wait for a run which can go on. */
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
  return plus(amountOfShown(spent), { tool_calls: TO_START_IT });
}

function abandon(handle: RunHandle): void {
  handle.stop();
  handle.stop();
}

function failed({ run, template }: RunReport, why: Failure | undefined): Failure {
  const message = `run ${run} of "${template}" failed: ${why?.message ?? 'it did not say why'}`;
  return failure('CHILD_FAILED', message, { ...defined({ cause: why }) });
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
    clock.wake(LOOK_EVERY, resolve);
  });
}
