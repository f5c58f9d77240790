// The state of a run: what its events fold into. Only `evolve` writes it; everyone else reads.

import type { Digest } from '../../base/digest.ts';
import type { Failure } from '../../base/failure.ts';
import { Fault, unreachable } from '../../base/fault.ts';
import type { Issue } from '../../base/issue.ts';
import type { JsonObject } from '../../base/json.ts';
import type { Duration, Instant } from '../../base/quantity.ts';
import type { Amount } from '../../budget/amount.ts';
import { elapsedAt } from '../../budget/clock.ts';
import { createLedger, type Ledger, type LedgerView } from '../../budget/ledger.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { Intents } from '../../goals/intent.ts';
import { createGraph, type PlanGraph } from '../../graph/plan-graph.ts';
import type { Expiry, Need, StepSpec } from '../../template/step-spec.ts';
import type { Template } from '../../template/template.ts';
import type { Consequence } from '../record/consequences.ts';
import type { EventOf } from '../record/event.schema.ts';
import type { Exhaustion, StoredValue } from '../record/event-parts.schema.ts';
import type { FailedTry } from '../record/failed-try.ts';
import type { CallFacts, GateKind } from '../record/gate-events.schema.ts';
import type { FinishedWork, Parent } from '../record/run-events.schema.ts';
import type { SkipReason } from '../record/step-events.schema.ts';
import type { CallRecord } from './call-record.ts';
import { newTally, type StepTally } from './step-tally.ts';

export type StepStatus =
  | 'waiting'
  | 'ready'
  | 'running'
  | 'retrying'
  /** It waits for an open gate. */
  | 'held'
  | 'completed'
  /** An operator supplied its result. */
  | 'resolved'
  | 'failed'
  | 'skipped'
  | 'cancelled'
  /** A repair plans its work anew. */
  | 'superseded';

/** Where a grafted step came from. */
export interface Provenance {
  readonly planner: string;
  readonly fragment: Digest;
  /** The nesting of planning: 1 for the steps of an authored planning step. */
  readonly depth: number;
}

/** An answered question of a step. */
interface AnsweredQuestion {
  readonly question: string;
  readonly answer: StoredValue;
  /** The input key for an answer that is no object. */
  readonly as: string;
}

/** The gates, questions and answers of a step. */
export interface HumanInput {
  /** The open gate that holds it. */
  gate: string | undefined;
  /** Questions that it asked, answered or not. */
  asked: number;
  answers: readonly AnsweredQuestion[];
  /** The call that a person has agreed to: `{capability, input}`. */
  approved: StoredValue | undefined;
  /** How often a person was asked about the outcome of a call; absent: never. */
  lost?: number;
}

/** The facts by which a planning step is a repair. */
export interface RepairFacts {
  /** The planning step whose phase it plans again; absent: the template's own repair planner does it. */
  readonly planner: string | undefined;
  /** The first planning step of the lineage; `repair` for the template's own. */
  readonly lineage: string;
  readonly scope: 'tail' | 'phase';
  /** The failed steps that it repairs, those that joined later included. */
  failing: readonly string[];
  readonly trial: number;
  readonly readyAt: Instant;
}

/** The place of a step in a fan-out. */
interface FanOutItem {
  readonly of: string;
  readonly value: StoredValue;
}

export interface Step {
  readonly id: string;
  readonly spec: StepSpec;
  readonly provenance: Provenance | undefined;
  /** Local names in this step's references and dependencies, where they are not full ids. */
  readonly refs: Readonly<Record<string, string>> | undefined;
  /** For a planning step: where its phase converges. */
  readonly target: string | undefined;
  /** The account its postings go to. */
  readonly account: string;
  status: StepStatus;
  /** Predecessors that have not ended. */
  waiting: number;
  /** A planning step converges here, or the template declares a convergence. */
  converges: boolean;
  attempt: number;
  /** Attempts that do not count against its retry policy: a person or a spent budget broke them off. */
  uncounted: number;
  delivery: number;
  /** The sum of what the calls under way may use. */
  reserved: Amount | undefined;
  key: string | undefined;
  /**
   * When the attempt was handed out, plus the time that it waited for a child run. It is undefined before, not 0: V8
   * moves every step to another hidden class when the first small integer becomes an instant.
   */
  begunAt: Instant | undefined;
  /** The last child run that the step started. */
  child: string | undefined;
  /** The calls of its attempt; kept while a person is asked. */
  calls: readonly CallRecord[];
  /** Calls of earlier attempts that changed the world, or may have. */
  leftCalls: readonly CallRecord[];
  /** For a planning step that is asked: digest of its brief. */
  brief: Digest | undefined;
  inputDigest: Digest | undefined;
  result: StoredValue | undefined;
  failure: Failure | undefined;
  /** The limit that the step failed for. */
  stop: Exhaustion | undefined;
  skipped: SkipReason | undefined;
  root: string | undefined;
  retryAt: Instant | undefined;
  /** Why the previous attempt failed its verification. */
  feedback: string | undefined;
  /** The last result that failed its verification. */
  rejected: StoredValue | undefined;
  /** The attempt that brought the rejected result. */
  rejectedIn: number | undefined;
  /** Failed attempts, and failed requests to models. */
  failedTries: number;
  /** Attempts that failed and were followed by others, in order. */
  tries: readonly FailedTry[];
  /** For a planning step: its last proposal. */
  proposal: StoredValue | undefined;
  /** For a planning step: what was found on servers for its last proposal. */
  found: readonly Declaration[];
  /** For a fan-out that has begun: its item steps, in order. */
  expanded: readonly string[] | undefined;
  readonly item: FanOutItem | undefined;
  people: HumanInput | undefined;
  readonly repairs: RepairFacts | undefined;
  /**
   * The repair that took up the failure, or the step that adopted the work. The step then does not count where its
   * phase converges.
   */
  takenUp: string | undefined;
  /** The results that the planner asked to see before it planned. */
  needs: readonly Need[] | undefined;
  /** The issues of its last fragment. */
  issues: readonly Issue[] | undefined;
  convergence: EventOf<'convergence.judged'> | undefined;
  /** The version of the event that last changed the status: the cause of the step's next event. */
  since: number;
}

/** The fragment of one planning step, as grafted. */
export interface Phase {
  readonly planner: string;
  readonly target: string;
  readonly rationale: string;
  /** The sub-intents of the goal; undefined if the planner gave none. */
  readonly intents: Intents | undefined;
  readonly steps: readonly string[];
  /** Nothing was planned, because the budget was spent. */
  readonly forced: boolean;
}

/** A question to a person, open or decided. */
export interface Gate {
  readonly id: string;
  /** The step it was opened for. */
  readonly step: string;
  readonly kind: GateKind;
  readonly prompt: string;
  readonly decision: JsonObject;
  readonly context: StoredValue | undefined;
  /** The call that needs an approval. */
  readonly call: CallFacts | undefined;
  readonly as: string | undefined;
  /** The child run that the step waits for. */
  readonly child: EventOf<'gate.opened'>['child'];
  readonly openedAt: Instant;
  readonly expiresAt: Instant | undefined;
  readonly onExpiry: Expiry;
  readonly exhaustion: Exhaustion | undefined;
  /** Keys of the differences that an approval accepts. */
  readonly accepts?: readonly Digest[];
  /** The steps that are held for it. */
  readonly holds: Set<string>;
  /** `closed`: its steps ended without an answer. */
  end: 'decided' | 'expired' | 'closed' | undefined;
}

/** The plans of one planning step: its own plan and the repairs. */
export interface Lineage {
  /** Repairs in order. */
  readonly repairs: string[];
  /** The number of repairs of the whole phase. */
  whole: number;
  /** When the last repair began; before it begins, its earliest start. */
  lastAt: Instant;
}

export interface RunState {
  id: string;
  /** The template of the start, with the capabilities that were registered since. */
  template: Template;
  /** Capabilities that this run alone has, by name. */
  readonly registered: Map<string, Declaration>;
  folder: string;
  input: StoredValue;
  version: number;
  at: Instant;
  /** How far the run's time was ahead of the machine's clock when the last driver took it up. */
  lead: Duration;
  startedAt: Instant;
  status: 'new' | 'running' | 'paused' | 'cancelling' | 'ended';
  ended: EventOf<'run.ended'> | undefined;
  /** The run whose events up to `at` this run shares. */
  forked: { readonly from: string; readonly at: number } | undefined;
  readonly steps: Map<string, Step>;
  readonly graph: PlanGraph<Step>;
  readonly ledger: Ledger;
  readonly phases: Map<string, Phase>;
  /** Authored non-planning steps with no planning step downstream: they may use the landing reserve. */
  readonly landing: Set<string>;
  /** Steps that may start, in the order in which they became ready. */
  readonly ready: Set<string>;
  /** Steps that may start again when their `retryAt` has come. */
  readonly retrying: Set<string>;
  readonly running: Set<string>;
  /** Steps that have not ended. */
  live: number;
  /** The number of steps by status. */
  readonly tally: StepTally;
  /** The first step that failed under `fail_fast`: nothing begins any more. */
  failedFast: string | undefined;
  /** Limits that were met and have not been raised since, by account. */
  readonly exhausted: Map<string, Exhaustion>;
  /** The first limit that each account met, even if it was raised since: the work that was cut stays cut. */
  readonly met: Map<string, Exhaustion>;
  /** Warnings that were given, as `account resource`. */
  readonly warned: Set<string>;
  /** How often each call that changes the world has been made: by capability and digest of its input. */
  readonly occurrences: Map<string, number>;
  /** Gates by id, oldest first. */
  readonly gates: Map<string, Gate>;
  readonly openGates: Set<string>;
  /** Keys of the calls, and of the kinds of calls, that people have agreed to. */
  readonly grants: Set<string>;
  /** Calls that people have refused, and at which gate. */
  readonly refused: Map<string, { readonly gate: string; readonly by: string; readonly why?: string }>;
  /** Differences to the lock file that people have accepted or been told of, by key. */
  readonly agreed: Set<Digest>;
  /** Warnings: tools and models that differ from the lock file. */
  readonly differed: string[];
  /** Open gates that ask what to do about a spent account, by account. */
  readonly asking: Map<string, string>;
  /** Lineages by the id of their first planning step. */
  readonly lineages: Map<string, Lineage>;
  /** Finished work of another run that steps may adopt. */
  reuse: readonly FinishedWork[];
  /** Results that steps of plans have already, by their names. */
  given: ReadonlyMap<string, StoredValue>;
  /** Lessons of earlier runs. */
  learned: StoredValue | undefined;
  /** The parent run. */
  parent: Parent | undefined;
  /** The W3C trace context that the run is part of. */
  traceparent: string | undefined;
  tracestate: string | undefined;
  /** The person or program that started the run. */
  startedBy: string;
  /** Finished work of other runs that steps adopted, as `run/step`. */
  readonly reused: Set<string>;
  partial: boolean;
  /** The first limit that forced a convergence or failed a step. */
  stop: Exhaustion | undefined;
  /** Consequences of the current batch; empty between batches. */
  readonly consequences: Consequence[];
}

/** The account of the whole run. */
export const RUN_ACCOUNT = 'run';

export function newState(template: Template): RunState {
  return {
    id: '',
    template,
    registered: new Map(),
    folder: '',
    input: { value: null },
    version: 0,
    at: 0,
    lead: 0,
    startedAt: 0,
    status: 'new',
    ended: undefined,
    forked: undefined,
    steps: new Map(),
    graph: createGraph(),
    ledger: createLedger(),
    phases: new Map(),
    landing: new Set(),
    ready: new Set(),
    retrying: new Set(),
    running: new Set(),
    live: 0,
    tally: newTally(),
    failedFast: undefined,
    exhausted: new Map(),
    met: new Map(),
    warned: new Set(),
    occurrences: new Map(),
    gates: new Map(),
    openGates: new Set(),
    grants: new Set(),
    refused: new Map(),
    agreed: new Set(),
    differed: [],
    asking: new Map(),
    lineages: new Map(),
    reuse: [],
    given: new Map(),
    learned: undefined,
    parent: undefined,
    traceparent: undefined,
    tracestate: undefined,
    startedBy: '',
    reused: new Set(),
    partial: false,
    stop: undefined,
    consequences: [],
  };
}

export function stepOf<S>(state: { readonly steps: ReadonlyMap<string, S> }, id: string): S {
  const step = state.steps.get(id);
  if (step === undefined) throw new Fault(`no step ${id}`);
  return step;
}

export function isTerminal({ status }: Step): boolean {
  switch (status) {
    case 'waiting':
    case 'ready':
    case 'running':
    case 'retrying':
    case 'held':
      return false;
    case 'completed':
    case 'resolved':
    case 'failed':
    case 'skipped':
    case 'cancelled':
    case 'superseded':
      return true;
    default:
      return unreachable(status);
  }
}

/** Attempts that count against the retry policy. */
export function attemptsUsed({ attempt, uncounted }: Step): number {
  return attempt - uncounted;
}

/** Whether any work on the step has begun. An earlier attempt counts, and so does a fan-out with items. */
export function hasBegun({ status, attempt, expanded }: Step): boolean {
  return expanded !== undefined || attempt > 0 || (status !== 'waiting' && status !== 'ready');
}

/** Whether the successors of an ended step may run. They read its result, or null when it was skipped. */
export function isSatisfying(step: Step): boolean {
  return (
    step.status === 'completed' ||
    step.status === 'resolved' ||
    (step.status === 'skipped' && (step.skipped === 'tolerated' || step.skipped === 'when_false'))
  );
}

/** The time in which an attempt or a backoff was pending, up to the last event. */
export function elapsedOf({ ledger, at }: { readonly ledger: LedgerView; readonly at: Instant }): Duration {
  const clock = ledger.accounts.get(RUN_ACCOUNT)?.clock;
  return clock === undefined ? 0 : elapsedAt(clock, at);
}
