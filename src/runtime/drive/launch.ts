// Launches a driver for a run whose lease is held here: renews the lease, watches the inbox, and reports how the run came to rest.

import { type Issue, issue } from '../../base/issue.ts';
import type { Duration, Instant } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { Command } from '../../engine/record/command.ts';
import type { RunOrder } from '../../engine/record/order.schema.ts';
import type { RunHandle } from '../api/engine.ts';
import { commandOf } from '../api/inbox.ts';
import { issuesOfOrder } from '../api/option-tables.ts';
import type { RunReport } from '../api/run-report.ts';
import { eventFeed } from '../journal/event-feed.ts';
import { foreignCommits } from '../journal/foreign-commits.ts';
import { snapshotsOf } from '../journal/snapshots.ts';
import { unlessRefused } from '../journal/store-issues.ts';
import type { Clock } from '../ports/clock.ts';
import { Driver, type DriverOptions } from './driver.ts';
import { reportOf } from './report-of.ts';

/** A lease that is not renewed for this long may be taken over. */
export const LEASE_TIME: Duration = 15_000;
const RENEW_EVERY: Duration = 5_000;
const LOOK_EVERY: Duration = 100;
/** The time that running work has to end when the run is told to stop. */
const GRACE: Duration = 5_000;

export interface LaunchOptions extends Omit<DriverOptions, 'chance'> {
  /** The time of the machine, by which leases expire for all processes. */
  readonly machineTime: () => Instant;
  /** Called after the run has come to rest and before it is reported. */
  readonly atRest?: (() => Promise<void>) | undefined;
  /** The first commands. */
  readonly first: readonly Command[];
  /** The steps whose child run can go on. */
  readonly stirring?: (() => readonly string[]) | undefined;
}

export function launch(options: LaunchOptions): RunHandle {
  const { journal, lease, state, clock, machineTime, first } = options;
  const feed = eventFeed(journal, lease.stream, state.version);
  const onEvents: DriverOptions['onEvents'] = (events, after) => {
    feed.wake();
    options.onEvents(events, after);
  };
  const driver = new Driver({ ...options, onEvents, chance: Math.random });
  const snapshots = snapshotsOf(journal, lease, state);
  const stopRenewing = every(clock, RENEW_EVERY, () => {
    if (unlessRefused(() => journal.renew(lease, machineTime(), LEASE_TIME)) === false) driver.fence();
    else if (driver.isIdle) unlessRefused(snapshots.onTheWay);
  });
  const seen = new Set<string>();
  const pickUp = (): void => {
    for (const item of journal.inbox(lease.stream)) {
      if (seen.has(item.id)) continue;
      seen.add(item.id);
      const command = commandOf(item, clock.now());
      if (command !== undefined) driver.order(command, { item: item.id });
    }
  };
  const haveOthersWritten = foreignCommits(journal);
  let stale = false;
  const look = (): void => {
    // A read that failed is tried again at the next look.
    stale ||= haveOthersWritten();
    if (stale) pickUp();
    stale = false;
    for (const step of options.stirring?.() ?? []) driver.order({ type: 'wake', step, at: clock.now() });
  };
  const stopLooking = every(clock, LOOK_EVERY, () => unlessRefused(look));
  for (const command of first) driver.order(command);
  unlessRefused(look);
  return {
    id: lease.stream,
    done: report(),
    events: feed.events,
    order: (order) => ordered(driver, order, clock),
    stop: stopper(driver, clock),
  };

  async function report(): Promise<RunReport> {
    try {
      const rest = await driver.done;
      if (rest !== 'ended' && rest !== 'fenced') unlessRefused(snapshots.atRest);
      await options.atRest?.();
      return reportOf(state, rest, (digest) => journal.blob(digest));
    } finally {
      feed.end();
      stopRenewing();
      stopLooking();
      unlessRefused(() => journal.release(lease));
    }
  }
}

function ordered(driver: Driver, order: RunOrder, clock: Clock): Promise<Result<void>> {
  const wrong = issuesOfOrder(order);
  if (wrong.length > 0) return Promise.resolve(bad(wrong));
  const { promise, resolve } = Promise.withResolvers<Result<void>>();
  const atRest = (): void => resolve(bad([rested(driver.state.id)]));
  driver.order(
    { ...order, at: clock.now() },
    { answer: (refused) => resolve(refused === undefined ? good(undefined) : bad([refused])) },
  );
  driver.done.then(atRest, atRest);
  return promise;
}

function rested(run: string): Issue {
  return issue('RUN_AT_REST', `run ${run} is not driven here any more`, {
    hint: 'give the order to the engine, which resumes the run: engine.order(run, order)',
  });
}

/** The first call lets running work end; the second call, or the end of the grace time, abandons it. */
function stopper(driver: Driver, clock: Clock): () => void {
  let hasStopped = false;
  return () => {
    if (hasStopped) return driver.abandon();
    hasStopped = true;
    driver.stop();
    const cancel = clock.wake(GRACE, () => driver.abandon());
    driver.done.then(cancel, cancel);
  };
}

/** Calls back at each period until the function that it returns is called. */
function every(clock: Clock, period: Duration, callback: () => void): () => void {
  let cancel = clock.wake(period, again);
  function again(): void {
    cancel = clock.wake(period, again);
    callback();
  }
  return () => cancel();
}
