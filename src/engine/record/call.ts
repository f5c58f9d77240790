// Calls: the requests that an attempt makes before it has its result. Each call is an effect, paid for and recorded.
import { type Failure, failure } from '../../base/failure.ts';
import type { Json } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import type { Result } from '../../base/result.ts';
import type { EmbeddingsRequest, ModelRequest } from '../../model/request.ts';
import type { Purpose } from './step-events.schema.ts';

/** A summary shortens the packet of a planner before the planner is asked. */
export function isToSumUp({ purpose }: { readonly purpose?: Purpose | undefined }): boolean {
  return purpose === 'summary';
}

/** A critic judges a proposed plan. */
export function isToCriticise({ purpose }: { readonly purpose?: Purpose | undefined }): boolean {
  return purpose === 'critic';
}

export interface ModelCall {
  readonly kind: 'model';
  readonly purpose: Purpose;
  readonly request: ModelRequest;
  /** The name, version and digest of the prompt that was rendered. */
  readonly prompt?: string;
  /** Milliseconds to wait first, after a try that did not get through. */
  readonly after?: Duration;
}

export interface CapabilityCall {
  readonly kind: 'capability';
  readonly name: string;
  readonly input: Json;
  /** Absent: nothing else runs at the same time. */
  readonly beside?: CallsBeside;
}

/** The calls that the work makes after this one, whatever the outcomes are: they may run at the same time. */
interface CallsBeside {
  readonly calls: readonly CapabilityCall[];
  /** The most calls that run at the same time. */
  readonly atOnce: number;
}

/** Reads more of a result than the packet showed; costs nothing. */
interface LookUp {
  readonly kind: 'look_up';
  /** `{ref, path?}`: the reference in the packet's index or receipt, and the path in the result. */
  readonly request: Json;
}

/** Checks that files exist inside the granted folders; costs nothing. Outcome: `{missing: [{path, why}]}`. */
interface FilesCall {
  readonly kind: 'files';
  readonly paths: readonly string[];
}

/** Asks servers for tools that the run does not have; costs nothing. Outcome: `{tools: [declaration], notes: [text]}`. */
interface DiscoverCall {
  readonly kind: 'discover';
  /** The name of a server, a URL, or a pattern of names; absent: all servers of the template. */
  readonly from?: string;
}

/**
 * Compares texts with the template's embeddings model. Outcome: `{alike: [[number]]}`, the rounded cosine of each goal with
 * each text.
 */
export interface EmbeddingsCall {
  readonly kind: 'embeddings';
  readonly request: EmbeddingsRequest;
  /** Milliseconds to wait first, after a try that did not get through. */
  readonly after?: Duration;
}

export type Call = ModelCall | CapabilityCall | LookUp | FilesCall | DiscoverCall | EmbeddingsCall;

/** The failure code of a call that never began. The work makes the call again and never sees this outcome. */
export const CALL_NOT_MADE = 'CALL_NOT_MADE';

/** The value of a model call is a `ModelReply`. */
export type CallOutcome = Result<Json, Failure>;

/**
 * Work that makes calls and continues with their outcomes. Pure: the same outcomes lead to the same calls and the same end.
 * After a crash the work runs again over the recorded outcomes, and no call is made twice.
 */
export type Work<End> = Generator<Call, End, CallOutcome>;

export type WorkProgress<End> =
  | { readonly done: true; readonly end: End }
  | { readonly done: false; readonly call: Call };

/** Runs work over the outcomes recorded so far, up to its next call or its end. */
export function advance<End>(work: Work<End>, recorded: readonly CallOutcome[]): WorkProgress<End> {
  let next = work.next();
  for (const outcome of recorded) {
    if (next.done) break;
    next = work.next(outcome);
  }
  return next.done ? { done: true, end: next.value } : { done: false, call: next.value };
}

/** The most calls for one result. */
const MOST_CALLS = 200;

export function tooManyCalls(count: number): Failure | undefined {
  if (count <= MOST_CALLS) return undefined;
  return failure('CALLS_EXCEEDED', `it makes more than ${MOST_CALLS} calls for one result`, { retry: 'never' });
}
