// Gives a run an order from outside, whoever drives it and if nobody does.
import type { Duration } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { decide } from '../../engine/decide.ts';
import { needs } from '../../engine/needs.ts';
import type { Command } from '../../engine/record/command.ts';
import { runTime } from '../../engine/state/run-time.ts';
import type { Journal } from '../../store/journal.ts';
import type { Ordered, RunHandle } from '../api/engine.ts';
import { postOrder, type RunOrder, readAnswer } from '../api/inbox.ts';
import { blobCache } from '../journal/blob-cache.ts';
import { rootOf } from '../journal/family.ts';
import { findRun, isDriven, readState } from '../journal/read-run.ts';
import type { Clock } from '../ports/clock.ts';

/** Between two looks for the answer of whoever drives the run. */
const LOOK_EVERY: Duration = 20;
/** One that is busy may take longer; the order is then left to it. */
const PATIENCE: Duration = 3_000;

/**
 * Who drives the run may change at any time: one that comes to rest leaves the order to us, one that is faster gets it.
 * A run that a step of another has started is moved by that: the order waits in its inbox, and the other is taken up.
 */
export async function giveOrder(
  journal: Journal,
  clock: Clock,
  drivenHere: (run: string) => RunHandle | undefined,
  /** `post` is called when nothing stands in the way any more. */
  takeUp: (run: string, post: () => void) => Promise<Result<RunHandle<never>>>,
  named: string,
  order: RunOrder,
): Promise<Result<Ordered<never>>> {
  const found = findRun(journal, named);
  if (!found.ok) return found;
  const run = found.value;
  let posted: string | undefined;
  for (;;) {
    const here = posted === undefined ? await drivenHere(run)?.order(order) : undefined;
    if (here !== undefined && !isAtRest(here)) return here.ok ? good({}) : here;
    if (posted === undefined) {
      const tried = tryOrder(journal, run, order, clock);
      if (!tried.ok) return tried;
    }
    const root = rootOf(journal, run);
    if (isDrivenNow(journal, run, clock) || isDrivenNow(journal, root, clock)) {
      posted ??= postOrder(journal, run, order, clock);
      const answer = await answerTo(journal, run, posted, root, clock);
      if (answer === 'busy') return good({ pending: true });
      if (answer !== 'left') return answer.ok ? good({}) : answer;
    }
    const taken = await takeUp(root, () => {
      if (root !== run) posted ??= postOrder(journal, run, order, clock);
    });
    if (taken.ok) {
      const handle = taken.value;
      const answer =
        posted === undefined ? await handle.order(order) : await answerTo(journal, run, posted, root, clock);
      return followed(handle, order, answer);
    }
    if (!taken.error.some(({ code }) => code === 'RUN_DRIVEN')) return taken;
    await pause(clock);
  }
}

/** It came to rest before the order was decided. */
function isAtRest(answer: Result<void>): boolean {
  return !answer.ok && answer.error.some(({ code }) => code === 'RUN_AT_REST');
}

/** Decides the order on a copy of the run, so that one that is refused leaves nothing behind. */
function tryOrder(journal: Journal, run: string, given: RunOrder, clock: Clock): Result<void> {
  const read = readState(journal, run);
  if (!read.ok) return read;
  const copy = read.value;
  const order: Command = { ...given, at: runTime(copy, clock.now()) };
  const blobs = blobCache((digest) => journal.blob(digest));
  // What has expired is over before any order.
  for (const command of [{ type: 'expire', at: order.at } as const, order]) {
    const { refused } = decide(copy, command, blobs.load(needs(copy, command)));
    if (refused !== undefined && command === order) return bad([refused]);
  }
  return good(undefined);
}

function isDrivenNow(journal: Journal, run: string, clock: Clock): boolean {
  const header = journal.header(run);
  return header !== undefined && isDriven(header, clock.now());
}

/** `left`: nobody drives the run any more, and the order is still in its inbox; `busy`: whoever does has not answered. */
async function answerTo(
  journal: Journal,
  run: string,
  posted: string,
  root: string,
  clock: Clock,
): Promise<Result<void> | 'left' | 'busy'> {
  const until = clock.now() + PATIENCE;
  for (;;) {
    const driven = isDrivenNow(journal, run, clock) || isDrivenNow(journal, root, clock);
    const answer = journal.answer(run, posted);
    if (answer !== undefined) return readAnswer(answer);
    if (!driven) return 'left';
    if (clock.now() >= until) return 'busy';
    await pause(clock);
  }
}

function pause(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.wake(LOOK_EVERY, resolve);
  });
}

/** The run goes on here. A refusal of the last moment leaves it as it was found; what only ends is waited for. */
async function followed(
  handle: RunHandle<never>,
  { type }: RunOrder,
  answer: Awaited<ReturnType<typeof answerTo>>,
): Promise<Result<Ordered<never>>> {
  const refused = typeof answer === 'object' && !answer.ok ? answer : undefined;
  if (refused !== undefined) {
    handle.stop();
    handle.stop();
  }
  if (refused !== undefined || type === 'cancel' || type === 'pause') await handle.done;
  return refused ?? good({ handle });
}
