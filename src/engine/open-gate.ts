// Opens gates: what a person is asked, what may be answered, and what happens when nobody does.
import type { Batch } from './batch.ts';
import type { Step } from './state.ts';

/** A human_review asks when its turn has come. */
export function askForReview(_batch: Batch, _step: Step): void {}
