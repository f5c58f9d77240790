// A simulated world: performs effects in a chosen order without waiting, can crash anywhere, and checks the invariants of every batch.

import type { Digest } from '../base/digest.ts';
import type { Issue } from '../base/issue.ts';
import { defined, type Json } from '../base/json.ts';
import { bad } from '../base/result.ts';
import { decode, encode } from '../engine/codec/event-codec.ts';
import { type Decision, decide } from '../engine/decide.ts';
import type { Command, CommandOf, EffectOutcome } from '../engine/record/command.ts';
import type { Event, Recorded } from '../engine/record/event.schema.ts';
import type { StoredValue } from '../engine/record/event-parts.schema.ts';
import { finishedWorkOf } from '../engine/repair/finished-calls.ts';
import { deadlines, hasExpired, openGatesOf } from '../engine/state/deadline.ts';
import { fold } from '../engine/state/fold.ts';
import { brokenByEffects, watchInvariants } from '../engine/state/invariants.ts';
import { type Gate, newState, type RunState } from '../engine/state/state.ts';
import { valuesToLoad } from '../engine/values-to-load.ts';
import type { Experience } from '../goals/experience.ts';
import { limitError } from '../lisp/exception.ts';
import { briefInFull, readInFull } from '../planners/load-references.ts';
import type { CallRequest, SuspendedWork, Work } from '../runtime/ports/work.ts';
import type { Template } from '../template/template.ts';

export type GateAnswer = Partial<Pick<CommandOf<'review'>, 'value' | 'why'>> & Pick<CommandOf<'review'>, 'verdict'>;

export interface WorldOptions {
  /** The outcome of an attempt; undefined when it hangs until its timeout. */
  readonly perform: (work: Work) => EffectOutcome | CallRequest | SuspendedWork | undefined;
  /** Chooses which of n things happens next. */
  readonly choose?: (n: number) => number;
  /** A person's answer at a gate, given the number of refused answers and the last reason; undefined for no answer. */
  readonly review?: (gate: Gate, refused: number, why?: Issue) => GateAnswer | undefined;
  /** A hanging attempt times out only when nothing else can happen. */
  readonly hangsLast?: boolean;
  /** The milliseconds between commands. */
  readonly pace?: number;
  readonly input?: Json;
  /** Given results of steps. */
  readonly given?: Readonly<Record<string, Json>>;
  /** Experience from earlier runs. */
  readonly learned?: Experience;
}

export class World {
  state: RunState;
  now = 1_000_000;
  readonly template: Template;
  readonly journal: Recorded[] = [];
  readonly blobs = new Map<string, Json>();
  /** The attempts that were handed out, in order. */
  readonly performed: Work[] = [];
  /** The length of the journal after each batch. */
  readonly batches: number[] = [];
  readonly #options: WorldOptions;
  readonly #holdInvariants = watchInvariants();
  readonly #refused = new Map<string, readonly Issue[]>();
  #due: Work[] = [];
  /** Hanging work, with the time of its timeout. */
  #hanging = new Map<Work, number>();

  constructor(template: Template, options: WorldOptions) {
    this.template = template;
    this.state = newState(template);
    this.#options = options;
  }

  /** A world from the journal and the blobs that a dead process left. */
  static over(
    template: Template,
    options: WorldOptions,
    journal: readonly Recorded[],
    blobs: ReadonlyMap<string, Json>,
  ): World {
    const world = new World(template, options);
    world.journal.push(...journal);
    for (const [digest, value] of blobs) world.blobs.set(digest, value);
    world.now = journal.at(-1)?.at ?? world.now;
    world.state = fold(template, journal);
    return world;
  }

  get events(): Event[] {
    return this.journal.map(({ event }) => event);
  }

  /** The number of attempts that were handed out. */
  get attempts(): number {
    return this.events.filter(({ type }) => type === 'attempt.started').length;
  }

  /** Starts the run; finished work of `before` may be adopted. */
  begin(before?: World): this {
    for (const [digest, value] of before?.blobs ?? []) this.blobs.set(digest, value);
    const finished = before === undefined ? [] : finishedWorkOf(before.state);
    this.tell({
      type: 'start-run',
      run: 'r1',
      template: this.template,
      input: this.#options.input ?? {},
      given: this.#options.given ?? {},
      learned: this.#options.learned,
      folder: '/',
      by: 'test',
      reuse: finished.map((work) => ({ ...work, run: 'r0' })),
    });
    return this;
  }

  /** Decides a command, checks the invariants, stores the events, and queues the effects. */
  tell(command: DistributiveOmit<Command, 'at'>): Decision {
    this.now += this.#options.pace ?? 1;
    const whole = { ...command, at: this.now };
    const values = new Map(valuesToLoad(this.state, whole).map((digest) => [digest, this.#blob(digest)] as const));
    const decision = decide(this.state, whole, values);
    this.#holdInvariants(this.state, decision.events);
    const broken = brokenByEffects(this.state, decision.effects);
    if (broken.length > 0) throw new Error(`after ${command.type}: ${broken.join('; ')}`);
    for (const { digest, text } of decision.blobs) this.blobs.set(digest, JSON.parse(text));
    this.journal.push(...decision.events.map((event) => decode(encode(event))));
    if (decision.events.length > 0) this.batches.push(this.journal.length);
    for (const effect of decision.effects) {
      if (effect.type === 'abort') this.#due = this.#due.filter(({ step }) => step !== effect.step);
      else this.#due.push(effect);
    }
    return decision;
  }

  /** Performs one possible thing; false when there is none. */
  step(): boolean {
    const { state } = this;
    if (state.status === 'ended') return false;
    if (state.live === 0) {
      this.tell({ type: 'finish' });
      return true;
    }
    const gates = openGatesOf(state);
    const isLate = deadlines(state, this.now).some(([, end]) => end <= this.now);
    if (isLate || gates.some((gate) => hasExpired(gate, this.now))) {
      if (this.tell({ type: 'expire' }).events.length > 0) return true;
    }
    const choices = [
      ...(state.status === 'running' ? [...state.ready] : []).map(
        (step) => () => this.tell({ type: 'start-step', step }),
      ),
      ...this.#due.filter((work) => !this.#hanging.has(work)).map((work) => () => this.#perform(work)),
      ...gates.flatMap((gate) => this.#answer(gate) ?? []),
    ];
    const [hanging] = this.#due.filter((work) => this.#hanging.has(work));
    if (choices.length === 0 && hanging !== undefined) {
      this.#perform(hanging);
      return true;
    }
    if (choices.length === 0) return this.#wait();
    choices[this.#options.choose?.(choices.length) ?? 0]?.();
    return true;
  }

  /** Gives a person's answer at a gate, if there is one. */
  #answer(gate: Gate): (() => void) | undefined {
    if (gate.kind === 'child') return () => this.tell({ type: 'wake', step: gate.step });
    const refused = this.#refused.get(gate.id) ?? [];
    const said = this.#options.review?.(gate, refused.length, refused.at(-1));
    if (said === undefined) return undefined;
    return () => {
      const decision = this.tell({ type: 'review', gate: gate.id, by: 'ada', ...said });
      if (decision.refused !== undefined) this.#refused.set(gate.id, [...refused, decision.refused]);
    };
  }

  /** Runs until nothing more can happen. */
  run(most = 20_000): this {
    for (let i = 0; i < most; i++) if (!this.step()) return this;
    throw new Error('the run does not end');
  }

  /** Simulates a crash: work in flight is lost, and a new process resumes the journal. */
  crash(downtime = 60_000): void {
    this.#due = [];
    this.#hanging.clear();
    this.now += downtime;
    this.state = fold(this.template, this.journal);
    this.tell({ type: 'attach', by: 'test' });
  }

  #perform(work: Work): void {
    const outcome = this.#hanging.has(work) ? undefined : this.#options.perform(this.#readable(work));
    const { step, attempt, delivery, input } = work;
    if (outcome === undefined && this.#options.hangsLast === true && !this.#hanging.has(work)) {
      this.#hanging.set(work, this.now + work.timeout);
      return;
    }
    this.#due = this.#due.filter((each) => each !== work);
    this.performed.push(work);
    if (outcome === undefined && !this.#hang(work)) return;
    if (outcome !== undefined && 'suspended' in outcome) {
      this.tell({ type: 'suspend', step, attempt, delivery, ...outcome.suspended });
      return;
    }
    if (outcome !== undefined && 'asks' in outcome) {
      this.tell({ type: 'call', step, attempt, delivery, call: outcome.asks });
      return;
    }
    const call = defined({ call: work.type === 'ask-planner' ? undefined : work.call });
    this.tell({ type: 'settle', step, attempt, delivery, ...call, input, outcome: outcome ?? timedOut, chance: 0.5 });
  }

  /** The work with a brief that is readable in full. */
  #readable(work: Work): Work {
    const reader = {
      read: (digest: Digest) => this.#blob(digest),
      refuse: (message: string, hint: string) => limitError(message, hint),
    };
    if (work.type === 'ask-planner') return { ...work, brief: readInFull(work.brief, reader) };
    const plans = work.type === 'call-capability' && work.plans === true;
    return plans ? { ...work, input: briefInFull(work.input, reader) } : work;
  }

  /** Lets work hang until its timeout; returns false when an account's deadline ends it earlier. */
  #hang(work: Work): boolean {
    const { step, attempt, delivery, timeout } = work;
    const until = this.#hanging.get(work) ?? this.now + timeout;
    for (;;) {
      const next = Math.min(...deadlines(this.state, this.now).flatMap(([, end]) => (end > this.now ? end : [])));
      if (next >= until) break;
      this.now = next;
      this.tell({ type: 'expire' });
      const now = this.state.steps.get(step);
      if (now?.status !== 'running' || now.attempt !== attempt || now.delivery !== delivery) return false;
    }
    this.now = Math.max(this.now, until);
    return true;
  }

  /** Advances the time to the next retry, deadline or expiry, when nothing else can happen. */
  #wait(): boolean {
    const { state } = this;
    if (state.status !== 'running') return false;
    const retryOf = (id: string): number => state.steps.get(id)?.retryAt ?? 0;
    const expiries = openGatesOf(state).flatMap(({ expiresAt }) => expiresAt ?? []);
    const ends = deadlines(state, this.now).flatMap(([, end]) => (end > this.now ? end : []));
    const next = Math.min(...expiries, ...ends, ...[...state.retrying].map(retryOf));
    if (!Number.isFinite(next)) return false;
    this.now = Math.max(this.now, next);
    const due = [...state.retrying].find((id) => retryOf(id) <= this.now);
    this.tell(due === undefined ? { type: 'expire' } : { type: 'start-step', step: due });
    return true;
  }

  /** Reads a stored result or output. */
  read(kept: StoredValue): Json {
    return 'value' in kept ? kept.value : this.#blob(kept.digest);
  }

  #blob(digest: string): Json {
    const value = this.blobs.get(digest);
    if (value === undefined) throw new Error(`no blob ${digest}`);
    return value;
  }
}

const timedOut: EffectOutcome = bad({ code: 'STEP_TIMEOUT', message: 'no answer', retry: 'may' });

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;
