// The two assumptions of a bound: nothing fails, or everything fails as often as it may.
import { mostOfPlanned } from '../../planning/checks/size.ts';
import { CLARIFICATIONS } from '../../template/step-defaults.ts';
import type { StepSpec } from '../../template/step-spec.ts';

export interface FailureAssumption {
  /** Nothing is retried, rejected, asked about or lost in a crash. */
  readonly nothingFails: boolean;
  attempts(step: StepSpec): number;
  deliveries(step: StepSpec): number;
  /** Questions to people that the step may ask. */
  questions(step: StepSpec): number;
  /** Questions before sensitive prompts, of `most` possible ones. */
  promptApprovals(most: number): number;
  /** Plans that a planning step may propose. */
  plans(step: StepSpec): number;
  /** Requests to models that a step repeats after failures, if its attempts and its requests share so many tries. */
  repeats(attempts: number, tries: number): number;
  /** Requests for an answer that may be unreadable, of `most` possible ones. */
  readings(most: number): number;
  /** The most that the review allows for one planned step. */
  readonly planned: { readonly attempts: number; readonly deliveries: number; readonly questions: number };
}

export const worstCase: FailureAssumption = {
  nothingFails: false,
  attempts: ({ retry }) => retry.maxAttempts,
  deliveries: ({ maxDeliveries }) => maxDeliveries,
  questions: ({ maxClarifications = CLARIFICATIONS }) => maxClarifications,
  promptApprovals: (most) => most,
  plans: ({ planning }) => planning?.maxAttempts ?? 0,
  repeats: (attempts, tries) => Math.max(0, tries - attempts),
  readings: (most) => most,
  planned: mostOfPlanned,
};

export const noFailures: FailureAssumption = {
  nothingFails: true,
  attempts: () => 1,
  deliveries: () => 1,
  questions: () => 0,
  promptApprovals: () => 0,
  plans: () => 1,
  repeats: () => 0,
  readings: () => 1,
  planned: { attempts: 1, deliveries: 1, questions: 0 },
};
