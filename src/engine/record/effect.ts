// Effects: what a run asks of the world. They are performed after the events that cause them are durable, at least once.
import type { Digest } from '../../base/digest.ts';
import type { Json } from '../../base/json.ts';
import type { Duration } from '../../base/quantity.ts';
import type { Limit } from '../../budget/amount.ts';
import type { Declaration } from '../../contract/declaration.ts';
import type { EmbeddingsRequest, ModelRequest } from '../../model/request.ts';
import type { Brief } from '../../planning/brief.ts';
import type { Attachment } from '../../template/keys/attachment.ts';
import type { PlannerSpec } from '../../template/step-spec.ts';
import type { CallOutcome } from './call.ts';
import type { Purpose } from './step-events.schema.ts';

interface Attempt {
  readonly step: string;
  readonly attempt: number;
  readonly delivery: number;
  /** The same for every delivery of one attempt; capabilities use it to do a thing once. */
  readonly key: string;
  readonly timeout: Duration;
  readonly input: Json;
  /** Keys of the differences to the lock file that a person has accepted or seen; absent: none. */
  readonly agreed?: readonly Digest[];
}

export interface CallCapability extends Attempt {
  readonly type: 'call-capability';
  readonly capability: string;
  /** The call may be made at most once: its event is durable first, and only a person can have it made again. */
  readonly once?: true;
  /** The declaration of a capability that only this run has. */
  readonly registered?: Declaration;
  /** The capability plans: its input is `{brief}`, and the values that the brief refers to are loaded with it. */
  readonly plans?: true;
  /** The number of the call within the attempt; absent: the attempt is this one call. */
  readonly call?: number;
  /** Why the attempt before this one failed its verification. */
  readonly feedback?: string;
  /** The `env.X` and `secret.X` that the step itself names. The performer fills in these; all others are data. */
  readonly surroundings?: readonly string[];
  /** The files that the step works on. */
  readonly attachments?: readonly Attachment[];
  /** The child run to start or to continue, with its limits, where the capability is a template. */
  readonly child?: { readonly run: string; readonly limit: Limit; readonly wallClock: Duration };
}

export interface AskPlanner extends Attempt {
  readonly type: 'ask-planner';
  readonly planner: PlannerSpec;
  readonly brief: Brief;
  /** The outcomes of the planner's calls so far, in order. */
  readonly said: readonly CallOutcome[];
}

export interface AskModel extends Attempt {
  readonly type: 'ask-model';
  readonly call: number;
  readonly purpose: Purpose;
  readonly request: ModelRequest;
  /** Milliseconds to wait first. */
  readonly after?: Duration;
}

/** Asks how alike texts are. */
export interface AskEmbeddings extends Attempt {
  readonly type: 'ask-embeddings';
  readonly call: number;
  readonly request: EmbeddingsRequest;
  /** Milliseconds to wait first. */
  readonly after?: Duration;
}

/** Asks whether the files that the step works on exist. */
export interface FindFiles extends Attempt {
  readonly type: 'find-files';
  readonly call: number;
  readonly paths: readonly string[];
}

/** Asks servers for tools that the run does not have. */
export interface DiscoverTools extends Attempt {
  readonly type: 'discover-tools';
  readonly call: number;
  readonly from?: string;
}

/** Stops an attempt that is under way; its outcome is ignored. */
interface Abort {
  readonly type: 'abort';
  readonly step: string;
  /** The child run of the attempt. */
  readonly child?: string;
  readonly why: 'budget' | 'cancelled' | 'converged' | 'ended' | 'resolved' | 'retried';
}

export type Effect = CallCapability | AskPlanner | AskModel | AskEmbeddings | FindFiles | DiscoverTools | Abort;
