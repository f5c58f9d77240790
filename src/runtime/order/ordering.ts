// Orders from outside, and resuming: given to the run that is meant, and followed where it or the one above it is driven.

import type { Instant } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';
import type { Command } from '../../engine/record/command.ts';
import type { Journal } from '../../store/journal.ts';
import type { DriveOptions, Ordered, RunHandle } from '../api/engine.ts';
import type { RunOrder } from '../api/inbox.ts';
import { driven } from '../api/run-issues.ts';
import { rootOf } from '../journal/family.ts';
import { findRun } from '../journal/read-run.ts';
import type { Clock } from '../ports/clock.ts';
import type { Tape } from '../ports/tape.ts';
import { giveOrder } from './give-order.ts';
import { orderMeant } from './order-meant.ts';

interface Orders {
  order(named: string, order: RunOrder, options?: Omit<DriveOptions, 'by'>): Promise<Result<Ordered<never>>>;
  resume(named: string, options?: DriveOptions): Promise<Result<RunHandle<never>>>;
}

export interface TakingUp {
  /** The order for the run once it has been attached. */
  readonly order?: (at: Instant) => Command;
  /** Called when nothing stands in the way any more. */
  readonly post?: () => void;
  /** The tape of the run that takes it up. */
  readonly tape?: Tape;
}

type TakeUp = (run: string, ends: boolean, options: DriveOptions, more?: TakingUp) => Promise<Result<RunHandle<never>>>;

export function ordering(
  journal: Journal,
  clock: Clock,
  drivenHere: (run: string) => RunHandle | undefined,
  takeUp: TakeUp,
): Orders {
  function give(run: string, order: RunOrder, options: Omit<DriveOptions, 'by'>): Promise<Result<Ordered<never>>> {
    const take = (root: string, post: () => void): Promise<Result<RunHandle<never>>> =>
      takeUp(root, order.type === 'cancel' && root === run, { ...options, by: order.by }, { post });
    return giveOrder(journal, clock, drivenHere, take, run, order);
  }

  return {
    async order(named, order, options = {}) {
      const meant = orderMeant(journal, named, order);
      return meant.ok ? give(meant.value.run, meant.value.order, options) : meant;
    },
    async resume(named, options = {}) {
      const found = findRun(journal, named);
      if (!found.ok) return found;
      const run = found.value;
      const { by = 'api', ...others } = options;
      const root = rootOf(journal, run);
      if (root === run) return takeUp(run, false, options, { order: (at) => ({ type: 'resume', at, by }) });
      const ordered = await give(run, { type: 'resume', by }, others);
      if (!ordered.ok) return ordered;
      const { handle } = ordered.value;
      return handle === undefined ? bad([driven(root, journal.header(root)?.holder?.pid ?? 0)]) : good(handle);
    },
  };
}
