// The model port: one ask, one reply, one usage. It never retries; who asks decides that, so that each try is paid for.
import type { Failure } from '../base/failure.ts';
import type { ModelReply, Usage } from '../model/reply.ts';
import type { ModelRequest } from '../model/request.ts';

export interface AskContext {
  /** Aborted when the step is cancelled or its time is up. */
  readonly signal: AbortSignal;
  /** Pieces of the text as they come; listeners only. */
  readonly onDelta?: (text: string) => void;
}

export type Asked =
  | { readonly ok: true; readonly reply: ModelReply }
  /** `usage`: what the failed try used all the same; of one that was sent and lost, its prompt and what was heard. Absent: nothing. */
  | { readonly ok: false; readonly failure: Failure; readonly usage?: Usage };

export interface Model {
  /** Never throws and never rejects. A failure that is worth another try has `retry: 'may'`, and `retryAfter` where the provider said so. */
  ask(request: ModelRequest, context: AskContext): Promise<Asked>;
}
