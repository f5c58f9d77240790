// Breaks an attempt off.
import { failure } from '../../base/failure.ts';
import type { Step } from './state.ts';

/** The effects of the attempt are unknown, and it does not count against the retry policy. */
export function breakOff(step: Step, why: string): void {
  step.failure = failure('STEP_ABORTED', why);
  step.uncounted += 1;
}
