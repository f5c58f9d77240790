// The trace context of one attempt or call: sent with requests to other services, and active while the work is done.

export interface WorkTrace {
  /** The W3C trace context; undefined when it is not sent. */
  traceparent(): string | undefined;
  /** The W3C trace context for log lines of the work; also known when it is not sent to other services. */
  own(): string | undefined;
  /** The vendor data of the trace context. */
  tracestate(): string | undefined;
  /** The trace context as headers of a request; undefined when it is not sent. */
  headers(): Readonly<Record<string, string>> | undefined;
  /** Runs a function while the span of the work is active. */
  within<T>(work: () => T): T;
}

export const untraced: WorkTrace = {
  traceparent: () => undefined,
  own: () => undefined,
  tracestate: () => undefined,
  headers: () => undefined,
  within: (work) => work(),
};
