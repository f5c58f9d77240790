// Drives one run: feeds commands to the core, makes its events durable, and only then performs their effects.

import { Fault } from '../../base/fault.ts';
import type { Issue } from '../../base/issue.ts';
import type { CountTokens } from '../../context/tokens.ts';
import { type EncodedEvent, encode } from '../../engine/codec/event-codec.ts';
import { decide } from '../../engine/decide.ts';
import type { Command } from '../../engine/record/command.ts';
import type { Effect } from '../../engine/record/effect.ts';
import type { Recorded } from '../../engine/record/event.schema.ts';
import type { Blob } from '../../engine/record/stored-value.ts';
import type { RunState } from '../../engine/state/state.ts';
import { isWaiting, waitsForRuns } from '../../engine/state/waiting.ts';

import { valuesToLoad } from '../../engine/values-to-load.ts';
import { AppendRefused } from '../../store/append-refused.ts';
import type { Journal, TakenItem } from '../../store/journal.ts';
import type { Lease } from '../../store/lease.ts';
import { answerText } from '../api/inbox.ts';
import { type BlobCache, blobCache } from '../journal/blob-cache.ts';
import { streamStatus, streamSummary } from '../journal/stream-summary.ts';
import { type Clock, stopwatch } from '../ports/clock.ts';
import { type Children, LEFT, type Perform, type Work, type WorkOutcome } from '../ports/work.ts';
import { isExpiryDue, nextWake } from './next-wake.ts';
import { commandOf, mayBeTakenBack } from './outcome-command.ts';
import { type RunLimits, runLimits } from './run-limits.ts';
import type { SharedLimits } from './shared-limits.ts';
import { type WorkInFlight, workInFlight } from './work-in-flight.ts';

/** `waiting`: only people can move the run; `fenced`: another process has taken it over. */
export type RestReason = 'ended' | 'waiting' | 'paused' | 'stopped' | 'fenced';

export interface DriverOptions {
  readonly journal: Journal;
  readonly lease: Lease;
  readonly state: RunState;
  readonly perform: Perform;
  readonly clock: Clock;
  readonly countTokens: CountTokens;
  /** From 0 to 1. */
  readonly chance: () => number;
  /** The driver does not rest while the run waits for people. */
  readonly wait: boolean;
  /** Called after each commit; never throws. */
  readonly onEvents: (events: readonly Recorded[], state: RunState) => void;
  /** Called before each commit; throws a Fault when the run breaks an invariant. */
  readonly check?: ((state: RunState, events: readonly Recorded[]) => void) | undefined;
  /** The limits that all runs of this process share. */
  readonly limits: SharedLimits;
  readonly children?: Children | undefined;
}

interface QueuedOrder {
  readonly command: Command;
  /** The id of the inbox item that holds the command. */
  readonly item?: string | undefined;
  readonly answer?: OrderAnswer | undefined;
}

type OrderAnswer = (refused: Issue | undefined) => void;

/** Commands decided before the loop yields to the world. */
const COMMANDS_PER_TURN = 256;

export class Driver {
  /** Settles when the run has come to rest; rejects for a Fault or a store that refuses. */
  readonly done: Promise<RestReason>;
  readonly #options: DriverOptions;
  readonly #blobs: BlobCache;
  readonly #turns: RunLimits;
  readonly #orders: QueuedOrder[] = [];
  readonly #inFlight = workInFlight();
  readonly #settleDone: { resolve(rest: RestReason): void; reject(error: unknown): void };
  #events: Recorded[] = [];
  #toStore: Blob[] = [];
  #effects: Effect[] = [];
  #taken: TakenItem[] = [];
  /** Called once the decisions are durable. */
  #answers: (() => void)[] = [];
  /** The version at which the last expiry changed nothing; at the same version, another would change nothing either. */
  #unexpired = -1;
  /** When the driver last looked for steps that may begin. */
  #looked = 0;
  /** When the first step that waits for a limit may begin. */
  #turnAt = Number.POSITIVE_INFINITY;
  /** The version of the journal once every pending append is durable. */
  #appended: number;
  #commits = 0;
  /** Attempts and calls decided and not yet settled: in flight, or waiting for their events to be durable. */
  #outstanding = 0;
  #scheduled = false;
  #stopping = false;
  /** The number of orders to cancel that wait for the end of child runs. */
  #ending = 0;
  #over = false;
  #cancelWake: (() => void) | undefined;

  constructor(options: DriverOptions) {
    this.#options = options;
    this.#blobs = blobCache((digest) => options.journal.blob(digest));
    this.#turns = runLimits(options.state, options.limits, () => this.#schedule());
    this.#appended = options.state.version;
    const { promise, resolve, reject } = Promise.withResolvers<RestReason>();
    this.done = promise;
    this.#settleDone = { resolve, reject };
  }

  get state(): RunState {
    return this.#options.state;
  }

  /** Every decision is durable, and no command waits. */
  get isIdle(): boolean {
    return !this.#over && !this.#scheduled && this.#commits + this.#orders.length + this.#events.length === 0;
  }

  /** `answer` is called once the decision is durable, and never when the run comes to rest before. */
  order(command: Command, { item, answer }: Omit<QueuedOrder, 'command'> = {}): void {
    const { children } = this.#options;
    if (command.type === 'cancel' && command.spent === undefined && children?.any() === true) {
      this.#endFirst(children, { command, item, answer });
      return;
    }
    this.#orders.push({ command, item, answer });
    this.#schedule();
  }

  /** Child runs end first, so that their spending is known. */
  #endFirst(children: Children, { command, item, answer }: QueuedOrder): void {
    if (command.type !== 'cancel') return;
    this.#ending += 1;
    children.end(command).then(
      (spent) => {
        this.#ending -= 1;
        this.order({ ...command, spent }, { item, answer });
      },
      (error: unknown) => this.#fail(error),
    );
  }

  /** Starts no new work and makes no further call; running calls may end. */
  stop(): void {
    this.#stopping = true;
    for (const inFlight of this.#inFlight.all()) {
      if (inFlight.hasBegun || !mayBeTakenBack(inFlight.work)) continue;
      this.#settle(inFlight, { unbegun: true });
      inFlight.controller.abort(LEFT);
    }
    this.#schedule();
  }

  /** Leaves running work, which is handed out again when the run is resumed. */
  abandon(): void {
    this.#stopping = true;
    for (const step of this.#inFlight.steps()) this.#letGo(step, LEFT);
    this.#schedule();
  }

  /** Ends the driver after it has lost its lease: none of its decisions counts any more. */
  fence(): void {
    this.#end('fenced');
  }

  #schedule(): void {
    if (this.#scheduled || this.#over) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      if (this.#over) return;
      try {
        this.#turn();
      } catch (error) {
        this.#fail(error);
      }
    });
  }

  #turn(): void {
    for (let decided = 0; decided < COMMANDS_PER_TURN; decided++) {
      const next = this.#next();
      if (next === undefined) {
        this.#commit();
        this.#restOrWait();
        return;
      }
      this.#decide(next);
    }
    this.#commit();
    this.#schedule();
  }

  #next(): QueuedOrder | undefined {
    const order = this.#orders.shift();
    if (order !== undefined) return order;
    const at = this.#options.clock.now();
    this.#looked = at;
    const { state } = this;
    if (state.status === 'new' || state.status === 'ended') return undefined;
    if (state.live === 0) return { command: { type: 'finish', at } };
    const isFull = state.running.size >= state.template.concurrency.max;
    if (this.#stopping || this.#ending > 0 || state.status !== 'running' || isFull) return undefined;
    const step = this.#mayBegin(at);
    return step === undefined ? undefined : { command: { type: 'start-step', step, at } };
  }

  /** A step whose next attempt may begin; retries come first. */
  #mayBegin(at: number): string | undefined {
    const found = this.#turns.first(this.#candidates(at), at);
    this.#turnAt = typeof found === 'string' ? Number.POSITIVE_INFINITY : found.next;
    return typeof found === 'string' ? found : undefined;
  }

  *#candidates(at: number): Iterable<string> {
    const { retrying, ready, steps } = this.state;
    for (const id of retrying) if ((steps.get(id)?.retryAt ?? 0) <= at && !waitsForRuns(this.state, id)) yield id;
    for (const id of ready) if (!waitsForRuns(this.state, id)) yield id;
  }

  #decide({ command: given, item, answer }: QueuedOrder): void {
    const command = this.#stopping ? { ...given, isStopping: true } : given;
    const values = this.#blobs.load(valuesToLoad(this.state, command));
    const decision = decide(this.state, command, values, this.#options.countTokens, stopwatch);
    if (command.type === 'start-step' && decision.events.length === 0) {
      throw new Fault(`starting ${command.step} changed nothing`);
    }
    this.#options.check?.(this.state, decision.events);
    if (command.type === 'start-step') this.#turns.began(command.step, command.at);
    for (const { digest, text } of decision.blobs) this.#blobs.put(digest, text);
    this.#events.push(...decision.events);
    this.#toStore.push(...decision.blobs);
    for (const effect of decision.effects) {
      this.#effects.push(effect);
      if (effect.type !== 'abort') this.#outstanding += 1;
    }
    const { refused } = decision;
    if (item !== undefined) this.#taken.push({ id: item, answer: answerText(refused) });
    if (answer !== undefined) this.#answers.push(() => answer(refused));
    if (command.type === 'expire' && decision.events.length === 0) this.#unexpired = this.state.version;
  }

  #commit(): void {
    const [events, blobs, effects, taken] = [this.#events, this.#toStore, this.#effects, this.#taken];
    const answers = this.#answers;
    [this.#events, this.#toStore, this.#effects, this.#taken] = [[], [], [], []];
    this.#answers = [];
    if (events.length === 0 && taken.length === 0) {
      for (const answer of answers) answer();
      return;
    }
    const { journal, lease } = this.#options;
    const expected = this.#appended;
    this.#appended += events.length;
    this.#commits += 1;
    journal
      .append({
        stream: lease.stream,
        expected,
        epoch: lease.epoch,
        entries: events.map((event): EncodedEvent => encode(event)),
        blobs,
        ...(effects.some((effect) => effect.type === 'call-capability' && effect.once) ? { flush: true } : {}),
        taken,
        status: streamStatus(this.state),
        summary: streamSummary(this.state),
      })
      .then(
        () => this.#committed(events, effects, answers),
        (error: unknown) => this.#refused(error),
      );
  }

  #committed(events: readonly Recorded[], effects: readonly Effect[], answers: readonly (() => void)[]): void {
    this.#commits -= 1;
    for (const answer of answers) answer();
    if (this.#over) return;
    this.#options.onEvents(events, this.state);
    for (const effect of effects) {
      if (effect.type === 'abort') this.#abort(effect.step, effect.child);
      else if (this.state.running.has(effect.step)) this.#begin(effect);
      else this.#outstanding -= 1;
    }
    this.#schedule();
  }

  #begin(work: Work): void {
    const inFlight = this.#inFlight.add(work);
    if (this.#stopping && mayBeTakenBack(work)) return this.#settle(inFlight, { unbegun: true });
    this.#turns
      .run(work, () => this.#perform(inFlight))
      .then(
        (outcome) => this.#settle(inFlight, outcome),
        (error: unknown) => this.#fail(error),
      );
  }

  /** The time limit starts here; waiting for a concurrency limit does not count. */
  #perform(inFlight: WorkInFlight): Promise<WorkOutcome> {
    const { work, controller } = inFlight;
    if (controller.signal.aborted) return Promise.resolve({ left: true });
    inFlight.hasBegun = true;
    inFlight.cancelTimer = this.#options.clock.wake(work.timeout, () => {
      inFlight.timedOut = true;
      controller.abort();
    });
    return this.#options.perform(work, controller.signal);
  }

  #settle(inFlight: WorkInFlight, brought: WorkOutcome): void {
    const { work, cancelTimer, timedOut } = inFlight;
    cancelTimer();
    if (!this.#inFlight.take(inFlight)) return;
    this.#outstanding -= 1;
    const { clock, chance } = this.#options;
    const command = commandOf(work, brought, { timedOut, at: clock.now(), chance });
    if (command === undefined) this.#schedule();
    else this.order(command);
  }

  #abort(step: string, child: string | undefined): void {
    if (this.#inFlight.has(step)) this.#letGo(step);
    else if (child !== undefined) this.#options.children?.dismiss(child);
  }

  #letGo(step: string, why?: typeof LEFT): void {
    for (const { cancelTimer, controller } of this.#inFlight.takeAll(step)) {
      this.#outstanding -= 1;
      cancelTimer();
      controller.abort(why);
    }
  }

  #restOrWait(): void {
    if (this.#commits > 0 || this.#orders.length > 0 || this.#ending > 0) return;
    const { state } = this;
    if (state.status === 'ended') return this.#end('ended');
    if (this.#outstanding > 0) return this.#wakeLater(state);
    if (state.status === 'new') return;
    // Stopping a run that waits for people interrupts nothing.
    if (this.#stopping) return this.#end(isWaiting(state) ? 'waiting' : 'stopped');
    if (state.status === 'paused') return this.#end('paused');
    if (state.retrying.size + state.ready.size > 0 && !isWaiting(state)) return this.#wakeLater(state);
    if (!isWaiting(state)) throw new Fault(`run ${state.id}: ${state.live} steps are live and nothing can move`);
    const now = this.#options.clock.now();
    if (this.#unexpired !== state.version && isExpiryDue(state, now)) return this.order({ type: 'expire', at: now });
    if (!this.#options.wait) return this.#end('waiting');
    this.#wakeLater(state);
  }

  /** Wakes at the next retry, expiry or deadline, whichever comes first. */
  #wakeLater(state: RunState): void {
    this.#cancelWake?.();
    const { clock } = this.#options;
    const due = nextWake(state, this.#looked, this.#unexpired === state.version) ?? Number.POSITIVE_INFINITY;
    const next = Math.min(due, this.#turnAt);
    if (!Number.isFinite(next)) return;
    this.#cancelWake = clock.wake(Math.max(0, next - clock.now()), () => {
      const now = clock.now();
      if (isExpiryDue(this.state, now)) this.order({ type: 'expire', at: now });
      else this.#schedule();
    });
  }

  #refused(error: unknown): void {
    if (error instanceof AppendRefused && error.reason === 'epoch') this.#end('fenced');
    else this.#fail(error);
  }

  #fail(error: unknown): void {
    if (this.#over) return;
    this.#close();
    this.#settleDone.reject(error);
  }

  #end(rest: RestReason): void {
    if (this.#over) return;
    this.#close();
    this.#settleDone.resolve(rest);
  }

  #close(): void {
    this.#over = true;
    this.#turns.leave();
    this.#cancelWake?.();
    for (const step of this.#inFlight.steps()) this.#letGo(step, LEFT);
  }
}
