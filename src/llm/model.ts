// The model port: one request, one reply, one usage. A model never retries: callers do, so that each try is charged.
import type { Failure } from '../base/failure.ts';
import type { ModelReply, Usage } from '../model/reply.ts';
import type { ModelRequest } from '../model/request.ts';

export interface AskContext {
  /** Aborted when the step is cancelled or its timeout ends. */
  readonly signal: AbortSignal;
  /** Receives pieces of the text as they arrive. */
  readonly onDelta?: (text: string) => void;
}

export type ModelResult =
  | { readonly ok: true; readonly reply: ModelReply }
  /** `usage` counts a failed request that was charged. For a request that was lost: its prompt and the text that arrived. Absent: nothing. */
  | { readonly ok: false; readonly failure: Failure; readonly usage?: Usage };

export interface Model {
  /** Never throws and never rejects. A failure worth a retry has `retry: 'may'`, and `retryAfter` if the provider said so. */
  ask(request: ModelRequest, context: AskContext): Promise<ModelResult>;
}
