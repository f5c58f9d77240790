// A synthesis gate without a model: the results of its dependencies, shrunk by their contracts.
import type { Batch } from './batch.ts';
import type { Step } from './state.ts';

export function synthesize(_batch: Batch, _step: Step): void {}
