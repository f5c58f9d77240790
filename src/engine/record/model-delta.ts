// A piece of a model's answer, for those who watch it being written; no record keeps it.
import type { Purpose } from './step-events.schema.ts';

/** A piece of a model's answer. The pieces of a call, put together, are its text without reasoning and secrets. */
export interface ModelDelta {
  /** The run of the step: a child run has an id of its own. */
  readonly run: string;
  readonly step: string;
  readonly attempt: number;
  /** The number of the call within the attempt; each retry is a call of its own. */
  readonly call: number;
  /** The name of the model's profile. */
  readonly model: string;
  readonly purpose: Purpose;
  readonly text: string;
  /** The text takes the place of all earlier text of this call, which proved to be reasoning. */
  readonly replaces?: true;
  /** The call has ended, with an answer or without; nothing of it follows. The text may be empty. */
  readonly isLast?: true;
}
