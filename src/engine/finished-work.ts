// Finished work as it is known by content: what was called, with what, against which contract, and what came of it.
import type { Digest } from '../base/digest.ts';
import type { Kept } from './kept.ts';

export interface FinishedWork {
  /** The run and the step that did it. */
  readonly run: string;
  readonly step: string;
  /** Of capability, resolved input and contract: see `contentKey`. */
  readonly key: Digest;
  readonly value: Kept;
}
