// Gives an order to a run, whether this process, another process or no process drives it.
import { issue } from '../../base/issue.ts';
import type { Duration } from '../../base/quantity.ts';
import { bad, good, type Result } from '../../base/result.ts';
import { decide } from '../../engine/decide.ts';
import { refuseOrder } from '../../engine/order/refuse-order.ts';
import type { RunOrder } from '../../engine/record/order.schema.ts';
import { runTime } from '../../engine/state/run-time.ts';
import type { RunState } from '../../engine/state/state.ts';
import { valuesToLoad } from '../../engine/values-to-load.ts';
import type { Journal } from '../../store/journal.ts';
import type { DriveOptions, OrderReply, RunHandle } from '../api/engine.ts';
import { postOrder, readAnswer } from '../api/inbox.ts';
import { driven } from '../api/run-issues.ts';
import type { EngineParts } from '../drive/engine-parts.ts';
import { isExpiryDue } from '../drive/next-wake.ts';
import { blobCache } from '../journal/blob-cache.ts';
import { findRun, isDriven, readState } from '../journal/read-run.ts';
import { rootOf } from '../journal/run-family.ts';
import { type StateReader, stateReader } from '../journal/state-reader.ts';
import type { Clock } from '../ports/clock.ts';

/** The pause between two looks for the answer of the driver. */
const LOOK_EVERY: Duration = 20;
/** The longest wait for the answer of a busy driver; after it, the order stays in the inbox. */
const PATIENCE: Duration = 3_000;

/** Issues: RUN_UNKNOWN, RUN_AMBIGUOUS, the reason why the run refuses the order, and those of `takeUp`. */
export async function giveOrder(
  parts: EngineParts,
  named: string,
  order: RunOrder,
  options: Omit<DriveOptions, 'by'> = {},
): Promise<Result<OrderReply<never>>> {
  const states = stateReader(parts.journal);
  const addressee = addresseeOf(parts.journal, states, named, order);
  return addressee.ok ? deliver(parts, states, addressee.value.run, addressee.value.order, options) : addressee;
}

/** Resumes a run. For a child run, resumes the root run that waits for it, and returns the handle of the root run. */
export async function resumeRun(
  parts: EngineParts,
  named: string,
  options: DriveOptions = {},
): Promise<Result<RunHandle<never>>> {
  const { journal } = parts;
  const found = findRun(journal, named);
  if (!found.ok) return found;
  const run = found.value;
  const root = rootOf(journal, run);
  if (root === run) return parts.takeUp(run, options, { isResumed: true });
  const { by = 'api', ...others } = options;
  const ordered = await deliver(parts, stateReader(journal), run, { type: 'resume', by }, others);
  if (!ordered.ok) return ordered;
  const { handle } = ordered.value;
  return handle === undefined ? bad([driven(root, journal.header(root)?.holder?.pid ?? 0)]) : good(handle);
}

/**
 * The driver of the run may change at any time. When a driver comes to rest, this process takes the run up; when another
 * process is faster, it gets the order. An order to a child run waits in its inbox while the root run is taken up.
 */
async function deliver(
  parts: EngineParts,
  states: StateReader,
  run: string,
  order: RunOrder,
  options: Omit<DriveOptions, 'by'>,
): Promise<Result<OrderReply<never>>> {
  const { journal, clock, driving } = parts;
  let posted: string | undefined;
  for (;;) {
    const here = posted === undefined ? await driving.get(run)?.handle.order(order) : undefined;
    if (here !== undefined && !isAtRest(here)) return here.ok ? good({}) : here;
    const refused = posted === undefined ? refusalOf(journal, states, run, order, clock) : undefined;
    if (refused?.ok === false) return refused;
    const root = rootOf(journal, run);
    if (isDrivenNow(journal, run, clock) || isDrivenNow(journal, root, clock)) {
      posted ??= postOrder(journal, run, order, clock);
      const answer = await answerTo(journal, run, posted, root, clock);
      if (answer === 'busy') return good({ pending: true });
      if (answer !== 'left') return answer.ok ? good({}) : answer;
    }
    const isEnding = order.type === 'cancel' && root === run;
    const onTaken = (): void => {
      if (root !== run) posted ??= postOrder(journal, run, order, clock);
    };
    const taken = await parts.takeUp(root, { ...options, by: order.by }, { isEnding, onTaken, states });
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

/** The run came to rest before the order was decided. */
function isAtRest(answer: Result<void>): boolean {
  return !answer.ok && answer.error.some(({ code }) => code === 'RUN_AT_REST');
}

/** Checks the order before anything is written, so that a refused order leaves no trace. */
function refusalOf(
  journal: Journal,
  states: StateReader,
  run: string,
  given: RunOrder,
  clock: Clock,
): Result<undefined> {
  const read = states(run);
  if (!read.ok) return read;
  const at = runTime(read.value, clock.now());
  // Expiry comes before any order and changes the state, so it is applied to a copy.
  const judged = isExpiryDue(read.value, at) ? expiredCopy(journal, run, at) : read;
  if (!judged.ok) return judged;
  const order = { ...given, at };
  const blobs = blobCache((digest) => journal.blob(digest));
  const refused = refuseOrder(judged.value, order, blobs.load(valuesToLoad(judged.value, order)));
  return refused === undefined ? good(undefined) : bad([refused]);
}

function expiredCopy(journal: Journal, run: string, at: number): Result<RunState> {
  const read = readState(journal, run);
  if (!read.ok) return read;
  const blobs = blobCache((digest) => journal.blob(digest));
  const expire = { type: 'expire', at } as const;
  decide(read.value, expire, blobs.load(valuesToLoad(read.value, expire)));
  return read;
}

function isDrivenNow(journal: Journal, run: string, clock: Clock): boolean {
  const header = journal.header(run);
  return header !== undefined && isDriven(header, clock.now());
}

/** `left`: nobody drives the run any more, and the order is still in its inbox; `busy`: the driver has not answered. */
async function answerTo(
  journal: Journal,
  run: string,
  posted: string,
  root: string,
  clock: Clock,
): Promise<Result<void> | 'left' | 'busy'> {
  const until = clock.now() + PATIENCE;
  for (;;) {
    const isStillDriven = isDrivenNow(journal, run, clock) || isDrivenNow(journal, root, clock);
    const answer = journal.answer(run, posted);
    if (answer !== undefined) return readAnswer(answer);
    if (!isStillDriven) return 'left';
    if (clock.now() >= until) return 'busy';
    await pause(clock);
  }
}

function pause(clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    clock.wake(LOOK_EVERY, resolve);
  });
}

/** The run goes on in this process. A refused order stops it again; after `cancel` and `pause`, waits until the run is at rest. */
async function followed(
  handle: RunHandle<never>,
  { type }: RunOrder,
  answer: Awaited<ReturnType<typeof answerTo>>,
): Promise<Result<OrderReply<never>>> {
  const refused = typeof answer === 'object' && !answer.ok ? answer : undefined;
  if (refused !== undefined) {
    handle.stop();
    handle.stop();
  }
  if (refused !== undefined || type === 'cancel' || type === 'pause') await handle.done;
  return refused ?? good({ handle });
}

interface Addressee {
  readonly run: string;
  readonly order: RunOrder;
}

/**
 * Finds the run that an order is for. `g1/g2` is gate `g2` of the child run that gate `g1` waits for; `g1` alone suffices
 * when the child run asks one question. Issues: RUN_UNKNOWN, RUN_AMBIGUOUS, GATE_VERDICT_INVALID.
 */
function addresseeOf(journal: Journal, states: StateReader, named: string, order: RunOrder): Result<Addressee> {
  const found = findRun(journal, named);
  if (!found.ok) return found;
  const run = found.value;
  if (order.type !== 'review') return good({ run, order });
  const [first = '', ...rest] = order.gate.split('/');
  const read = states(run);
  if (!read.ok) return read;
  const gate = read.value.gates.get(first);
  if (gate?.child === undefined || gate.end !== undefined) return good({ run, order });
  const { run: child, asks } = gate.child;
  const [only, another] = asks;
  if (rest.length > 0) return addresseeOf(journal, states, child, { ...order, gate: rest.join('/') });
  if (only !== undefined && another === undefined)
    return addresseeOf(journal, states, child, { ...order, gate: only.gate });
  const hint =
    asks.length === 0
      ? `resume it: reconverge resume ${child}`
      : asks.map((asked) => `${first}/${asked.gate}`).join(', ');
  return bad([
    issue(
      'GATE_VERDICT_INVALID',
      `gate ${first} is about run ${child}, which ${asks.length === 0 ? 'is paused' : 'asks more than one question'}`,
      { hint },
    ),
  ]);
}
