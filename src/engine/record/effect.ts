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
  /** Keys of the differences to the lock file that nobody is asked about or told of again; absent: there are none. */
  readonly agreed?: readonly Digest[];
}

export interface CallCapability extends Attempt {
  readonly type: 'call-capability';
  readonly capability: string;
  /** The call may be made at most once: it is durable before it is made, and nobody makes it again without a person. */
  readonly once?: true;
  /** It is one that this run alone has. */
  readonly registered?: Declaration;
  /** It plans: its input is `{brief}`, and the values that the brief refers to are there when it reads them. */
  readonly plans?: true;
  /** Which of the attempt's calls it is; absent: the attempt is this one call. */
  readonly call?: number;
  /** Why the attempt before this one failed its verification. */
  readonly feedback?: string;
  /** `env.X` and `secret.X` that the step itself says: filled in where it is performed, wherever else they stand is data. */
  readonly surroundings?: readonly string[];
  /** What the step is about. */
  readonly attachments?: readonly Attachment[];
  /** What it calls is a template: the run that is started, or goes on, and what that may use. */
  readonly child?: { readonly run: string; readonly limit: Limit; readonly wallClock: Duration };
}

export interface AskPlanner extends Attempt {
  readonly type: 'ask-planner';
  readonly planner: PlannerSpec;
  readonly brief: Brief;
  /** What came of the calls that it has asked for, in order. */
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

/** How alike texts are. */
export interface AskEmbeddings extends Attempt {
  readonly type: 'ask-embeddings';
  readonly call: number;
  readonly request: EmbeddingsRequest;
  /** Milliseconds to wait first. */
  readonly after?: Duration;
}

/** Whether files are there that the step is about. */
export interface FindFiles extends Attempt {
  readonly type: 'find-files';
  readonly call: number;
  readonly paths: readonly string[];
}

/** What servers offer beyond what the run has. */
export interface DiscoverTools extends Attempt {
  readonly type: 'discover-tools';
  readonly call: number;
  readonly from?: string;
}

/** Stop an attempt that is under way; what it still brings is not waited for. */
interface Abort {
  readonly type: 'abort';
  readonly step: string;
  /** The run that is under way for it. */
  readonly child?: string;
  readonly why: 'budget' | 'cancelled' | 'converged' | 'resolved' | 'retried';
}

export type Effect = CallCapability | AskPlanner | AskModel | AskEmbeddings | FindFiles | DiscoverTools | Abort;
