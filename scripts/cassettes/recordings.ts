// All recordings beside templates.
import type { Recording } from './recording.ts';
import { researchAndCompare } from './research-and-compare.ts';
import { stockComparison } from './stock-comparison.ts';

export const recordings: readonly Recording[] = [researchAndCompare, stockComparison];
