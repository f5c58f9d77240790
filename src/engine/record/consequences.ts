// Consequences: what follows for other steps from the events of a batch.

export type Consequence =
  /** A predecessor ended so that this step can never run. */
  | {
      readonly type: 'skip';
      readonly step: string;
      readonly reason: 'upstream' | 'not_chosen';
      readonly root: string;
      readonly cause: number;
    }
  /** Every feeder has ended. */
  | { readonly type: 'judge'; readonly step: string; readonly cause: number }
  /** A feeder has ended, and its target may converge before the other feeders end. */
  | { readonly type: 'converge-early'; readonly step: string; readonly cause: number }
  /** An account can pay for nothing more. */
  | { readonly type: 'cut'; readonly account: string; readonly cause: number }
  /** An item failed in a fan-out that stops at the first failure. */
  | { readonly type: 'gather-early'; readonly step: string; readonly cause: number }
  /** A step failed in a run that stops at the first failure. */
  | { readonly type: 'halt' };
