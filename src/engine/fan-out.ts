// A fan-out: one step for each item of a list, and the list of what came of them.
import type { Batch } from './batch.ts';
import type { Step } from './state.ts';

/** Reads the list and makes a step of each item or batch of items. */
export function startFanOut(_batch: Batch, _step: Step): void {}

/** Every item has ended: the results, in the order of the items. */
export function gather(_batch: Batch, _step: Step, _cause: number): void {}

/** An item has failed, and the fan-out stops at the first failure. */
export function gatherEarly(_batch: Batch, _step: Step, _cause: number): void {}
