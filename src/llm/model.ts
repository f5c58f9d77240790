// The model port: one request, one reply, one usage. A model never retries: callers do, so that each try is charged.
import type { Failure } from '../base/failure.ts';
import type { JsonObject } from '../base/json.ts';
import type { Result } from '../base/result.ts';
import type { ModelServer } from '../model/model-server.ts';
import type { ModelReply, Usage } from '../model/reply.ts';
import type { ModelRequest } from '../model/request.ts';

export interface AskContext {
  /** Aborted when the step is cancelled or its timeout ends. */
  readonly signal: AbortSignal;
  /** Receives pieces of the text as they arrive. */
  readonly onDelta?: (text: string) => void;
  /** Called before the request is sent. */
  readonly onServer?: (server: ModelServer) => void;
  /** Further headers of the request, with the trace context. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface FailedRequest {
  readonly failure: Failure;
  /** The usage that is charged although the request failed: for a lost request, its prompt and the text that arrived. Absent: none. */
  readonly usage?: Usage;
  /** The server did nothing for the request: no connection came about, or it refused a feature. Nothing is charged. */
  readonly isFree?: true;
}

export type ModelResult = Result<ModelReply, FailedRequest>;

/** The usage that a request is charged. */
export function usageOf(result: ModelResult): Usage | undefined {
  return result.ok ? result.value.usage : result.error.usage;
}

export interface Model {
  /**
   * Describes the model, with keys of a profile such as `{ model: 'gpt-5-mini', prices: { input: '$0.25', output: '$2' } }`, for
   * templates and missions that declare no `models`. When absent, the price of the model is unknown.
   */
  readonly profile?: JsonObject;
  /** Never throws and never rejects. A failure worth a retry has `retry: 'may'`, and `retryAfter` if the provider said so. */
  ask(request: ModelRequest, context: AskContext): Promise<ModelResult>;
}
