// The run whose step has started this one.

export interface Parent {
  readonly run: string;
  readonly step: string;
  /** The idempotency key of that call: those of calls that change the world begin with it. */
  readonly key: string;
}
