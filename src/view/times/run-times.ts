// Records the times of a run event by event; each event costs only as much as the steps that it touches.
import { defined } from '../../base/json.ts';
import type { Instant } from '../../base/quantity.ts';
import { type Amount, quantity } from '../../budget/amount.ts';
import type { Event, EventOf, Recorded } from '../../engine/record/event.schema.ts';
import { evolve } from '../../engine/state/evolve.ts';
import type { RunView } from '../../engine/state/run-view.ts';
import { isTerminal, newState } from '../../engine/state/state.ts';
import { forEachSuccessor } from '../../graph/plan-graph.ts';
import type { Template } from '../../template/template.ts';
import { type Burn, type BurnRecord, newBurn, recordBurn } from './burn.ts';
import type { AttemptTimes, BusyTimes, CallTimes, HeldTimes, RestTimes, StepTimes, TimeMark } from './step-times.ts';

export interface RunTimes {
  /** By step id; every step of the run is here. */
  readonly steps: ReadonlyMap<string, StepTimes>;
  readonly burn: Burn;
  readonly marks: readonly TimeMark[];
  readonly rests: readonly RestTimes[];
  /** The stretches in which at least one attempt was at work, the oldest first. */
  readonly busy: readonly BusyTimes[];
  /** The largest number of attempts that were at work at once. */
  readonly mostAtWork: number;
  readonly began: Instant;
  /** The time of the last event. */
  readonly last: Instant;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

interface CallEntry extends Writable<CallTimes> {
  readonly call: number;
}

interface AttemptEntry extends Writable<AttemptTimes> {
  readonly calls: CallEntry[];
}

interface StepEntry extends Writable<StepTimes> {
  readonly attempts: AttemptEntry[];
  readonly held: Writable<HeldTimes>[];
}

/** Times that grow with the run; the objects of steps change in place. */
export interface TimesRecord extends RunTimes {
  readonly steps: Map<string, StepEntry>;
  readonly burn: BurnRecord;
  readonly marks: TimeMark[];
  readonly rests: Writable<RestTimes>[];
  readonly busy: Writable<BusyTimes>[];
  atWork: number;
  mostAtWork: number;
  began: Instant;
  last: Instant;
}

export function newTimes(): TimesRecord {
  return {
    steps: new Map(),
    burn: newBurn(),
    marks: [],
    rests: [],
    busy: [],
    atWork: 0,
    mostAtWork: 0,
    began: 0,
    last: 0,
  };
}

export function timesOf(template: Template, events: Iterable<Recorded>): RunTimes {
  const times = newTimes();
  const state = newState(template);
  for (const recorded of events) {
    evolve(state, recorded);
    state.consequences.length = 0;
    recordTimes(times, recorded, state);
  }
  return times;
}

/** Call this after the event was folded into the state, for each event in turn. */
export function recordTimes(times: TimesRecord, recorded: Recorded, state: RunView): void {
  const { at, event } = recorded;
  if (times.began === 0) times.began = at;
  for (const id of addedBy(event, state)) times.steps.set(id, { planned: at, attempts: [], held: [] });
  recordRest(times, recorded);
  recordMark(times, recorded);
  recordAttempt(times, at, event);
  for (const id of touchedBy(event)) touch(times, state, id, at, event);
  for (const id of addedBy(event, state)) noteReady(times, state, id, at);
  recordBurn(times.burn, state);
  times.last = at;
}

/** The ids of the steps that an event adds. */
function addedBy(event: Event, { steps }: RunView): Iterable<string> {
  switch (event.type) {
    case 'run.started':
      return steps.keys();
    case 'fragment.grafted':
      return event.steps.map(({ id }) => id);
    case 'fan_out.expanded':
      return steps.get(event.step)?.expanded ?? [];
    case 'replan.started':
      return [event.step];
    default:
      return [];
  }
}

/** The ids of the steps whose status an event may change, without those that wait for them. */
function touchedBy(event: Event): readonly string[] {
  if (event.type === 'fragment.grafted') return [];
  // A target that was held waits again.
  if (event.type === 'replan.started') return [event.target];
  if ('steps' in event) return event.steps;
  return 'step' in event ? [event.step] : [];
}

/** Updates a step after an event, from the status that the event gave it. */
function touch(times: TimesRecord, state: RunView, id: string, at: Instant, event: Event): void {
  const entry = times.steps.get(id);
  const step = state.steps.get(id);
  if (entry === undefined || step === undefined) return;
  const attempt = entry.attempts.at(-1);
  const isOver = step.status !== 'running' || event.type === 'attempt.lost' || event.type === 'needs.asked';
  if (attempt !== undefined && attempt.ended === undefined && (isOver || event.type === 'fragment.rejected')) {
    attempt.ended = at;
    countAtWork(times, -1, at);
    const failed = failureIn(event);
    if (failed !== undefined) attempt.failed = failed;
  }
  recordHold(entry, step.status === 'held' ? step.people?.gate : undefined, at);
  if (step.status === 'held' || event.type === 'fan_out.expanded') begin(entry, at);
  noteReady(times, state, id, at);
  if (!isTerminal(step)) {
    delete entry.ended;
    delete entry.failed;
    return;
  }
  if (entry.ended !== undefined) return;
  entry.ended = at;
  if (step.status === 'failed') entry.failed = true;
  if (event.type === 'step.adopted') entry.adopted = true;
  forEachSuccessor(state.graph, id, (next) => noteReady(times, state, next.id, at));
}

function begin(entry: StepEntry, at: Instant): void {
  entry.began ??= at;
  entry.ready ??= entry.began;
}

/** A step that waits again, because something was planned before it, is no longer ready. */
function noteReady({ steps }: TimesRecord, state: RunView, id: string, at: Instant): void {
  const entry = steps.get(id);
  const step = state.steps.get(id);
  if (entry === undefined || entry.began !== undefined || step === undefined) return;
  if (step.status === 'ready') entry.ready ??= at;
  // A repair that cools down is not queued yet.
  else if (step.status === 'retrying' && step.retryAt !== undefined) entry.ready ??= step.retryAt;
  else if (step.status === 'waiting') delete entry.ready;
}

function recordHold({ held }: StepEntry, gate: string | undefined, at: Instant): void {
  const last = held.at(-1);
  const isOpen = last !== undefined && last.ended === undefined;
  if (isOpen && last.gate === gate) return;
  if (isOpen) last.ended = at;
  if (gate !== undefined) held.push({ gate, began: at });
}

function recordAttempt(times: TimesRecord, at: Instant, event: Event): void {
  switch (event.type) {
    case 'attempt.started': {
      const entry = times.steps.get(event.step);
      if (entry === undefined) return;
      if (entry.ready !== undefined && entry.ready > at) entry.ready = at;
      begin(entry, at);
      entry.attempts.push({ number: event.attempt, began: at, calls: [] });
      return countAtWork(times, 1, at);
    }
    case 'attempt.resumed': {
      const attempt = times.steps.get(event.step)?.attempts.at(-1);
      if (attempt?.ended === undefined) return;
      delete attempt.ended;
      return countAtWork(times, 1, at);
    }
    case 'call.started': {
      const { call, kind, name } = event;
      const shown = kind === 'model' || kind === 'embeddings' ? 'model' : 'tool';
      times.steps.get(event.step)?.attempts.at(-1)?.calls.push({ call, kind: shown, name, began: at });
      return;
    }
    case 'call.ended':
      return endCall(times, at, event);
    case 'attempt.lost':
      return charge(times.steps.get(event.step)?.attempts.at(-1), event.assumed);
    default:
      if ('step' in event && 'bill' in event) charge(times.steps.get(event.step)?.attempts.at(-1), event.bill);
  }
}

function countAtWork(times: TimesRecord, by: 1 | -1, at: Instant): void {
  const { busy, atWork } = times;
  times.atWork += by;
  times.mostAtWork = Math.max(times.mostAtWork, times.atWork);
  const last = busy.at(-1);
  if (times.atWork === 0 && last !== undefined) last.ended = at;
  // One step hands over to the next at one moment.
  else if (atWork === 0 && last?.ended === at) delete last.ended;
  else if (atWork === 0) busy.push({ began: at });
}

function endCall(times: TimesRecord, at: Instant, { step, call, failure, bill }: EventOf<'call.ended'>): void {
  const attempt = times.steps.get(step)?.attempts.at(-1);
  const ended = attempt?.calls.findLast((each) => each.call === call && each.ended === undefined);
  charge(attempt, bill);
  if (ended === undefined) return;
  ended.ended = at;
  if (failure !== undefined) ended.failed = true;
  const { cost, tokens } = billed(bill);
  Object.assign(ended, defined({ cost, tokens }));
}

function charge(attempt: AttemptEntry | undefined, bill: Amount | undefined): void {
  const { cost } = billed(bill);
  if (attempt !== undefined && cost !== undefined) attempt.cost = (attempt.cost ?? 0) + cost;
}

function billed(bill: Amount = {}): { readonly cost?: number; readonly tokens?: number } {
  return defined({
    cost: bill.cost_usd === 0 ? undefined : bill.cost_usd,
    tokens: quantity(bill, 'tokens') || undefined,
  });
}

/** The reason why an event ends an attempt without a result. */
function failureIn(event: Event): AttemptTimes['failed'] {
  if (event.type === 'attempt.lost') return { code: 'WORKER_LOST', message: 'its worker never answered' };
  if (event.type === 'fragment.rejected') {
    const [first] = event.issues;
    return { code: first?.code ?? 'PLAN_REJECTED', message: first?.message ?? 'the plan did not pass its review' };
  }
  if (!('failure' in event) || event.failure === undefined) return undefined;
  const { code, message } = event.failure;
  return { code, message };
}

function recordMark({ marks }: TimesRecord, { at, version, event }: Recorded): void {
  if (event.type === 'step.failed') marks.push({ kind: 'failed', at, version, step: event.step });
  if (event.type === 'replan.started') marks.push({ kind: 'replan', at, version, step: event.step });
  if (event.type === 'gate.opened') marks.push({ kind: 'gate', at, version, step: event.step, gate: event.gate });
}

function recordRest({ rests, last }: TimesRecord, { at, event }: Recorded): void {
  const open = rests.at(-1);
  if (event.type === 'run.paused') rests.push({ why: 'paused', began: at });
  else if (event.type === 'run.resumed' || event.type === 'run.ended') {
    if (open !== undefined && open.ended === undefined) open.ended = at;
  } else if ((event.type === 'run.attached' || event.type === 'run.forked') && at > last)
    rests.push({ why: 'away', began: last, ended: at });
}
