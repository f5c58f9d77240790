// A call: one thing that an attempt asks of the world before it goes on. Each is an effect of its own, paid for and recorded.
import { type Failure, failure } from '../../base/failure.ts';
import type { Json } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import type { EmbeddingsRequest, ModelRequest } from '../../model/request.ts';
import type { Purpose } from './step-events.schema.ts';

/** It sums up what a planner is told, before the planner is asked. */
export function isToSumUp({ purpose }: { readonly purpose?: Purpose | undefined }): boolean {
  return purpose === 'summary';
}

/** It looks at what a planner has proposed. */
export function isToCriticise({ purpose }: { readonly purpose?: Purpose | undefined }): boolean {
  return purpose === 'critic';
}

export interface ModelCall {
  readonly kind: 'model';
  readonly purpose: Purpose;
  readonly request: ModelRequest;
  /** Which prompt this is a rendering of: its name, version and digest. */
  readonly prompt?: string;
  /** Milliseconds to wait first: the try before did not get through. */
  readonly after?: Duration;
}

interface CapabilityCall {
  readonly kind: 'capability';
  readonly name: string;
  readonly input: Json;
}

/** More of a result than its packet showed; costs nothing. */
interface LookUp {
  readonly kind: 'look_up';
  /** `{ref, path?}`: a result as the packet's index or receipt refers to it, and where in it. */
  readonly request: Json;
}

/** Whether files are there, inside the granted folders; costs nothing. Its outcome: `{missing: [{path, why}]}`. */
interface FilesCall {
  readonly kind: 'files';
  readonly paths: readonly string[];
}

/** Tools that servers offer and the run has not; costs nothing. Its outcome: `{tools: [declaration], notes: [text]}`. */
interface DiscoverCall {
  readonly kind: 'discover';
  /** The name of a server, a URL, or a pattern of names; absent: all servers of the template. */
  readonly from?: string;
}

/**
 * How alike texts are, by the template's embeddings model. Its outcome: `{alike: [[number]]}`, of each goal with each text the
 * cosine, rounded.
 */
export interface EmbeddingsCall {
  readonly kind: 'embeddings';
  readonly request: EmbeddingsRequest;
  /** Milliseconds to wait first: the try before did not get through. */
  readonly after?: Duration;
}

export type Call = ModelCall | CapabilityCall | LookUp | FilesCall | DiscoverCall | EmbeddingsCall;

/** A model's answer is a `ModelReply`. */
export type CallOutcome =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly failure: Failure };

/**
 * Work that goes on as its calls are answered. Pure: the same outcomes bring the same calls and the same end, so that
 * after a crash it is run again over what is recorded, and nothing is asked twice.
 */
export type Work<End> = Generator<Call, End, CallOutcome>;

export type Progress<End> = { readonly done: true; readonly end: End } | { readonly done: false; readonly call: Call };

/** Runs work over the outcomes recorded so far, up to its next call or its end. */
export function advance<End>(work: Work<End>, recorded: readonly CallOutcome[]): Progress<End> {
  let next = work.next();
  for (const outcome of recorded) {
    if (next.done) break;
    next = work.next(outcome);
  }
  return next.done ? { done: true, end: next.value } : { done: false, call: next.value };
}

/** No more than this work on one result, whoever asks for them. */
const MOST_CALLS = 200;

export function tooManyCalls(count: number): Failure | undefined {
  if (count <= MOST_CALLS) return undefined;
  return failure('CALLS_EXCEEDED', `it makes more than ${MOST_CALLS} calls for one result`, { retry: 'never' });
}
