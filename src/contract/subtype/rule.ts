// What a rule of comparison is given and what it answers; the rules are one list, in `subtype.ts`.
import type { PathPart } from '../../base/issue.ts';
import type { Schema } from '../schema.ts';
import type { Alternative } from './alternative.ts';

export interface Reason {
  readonly path: readonly PathPart[];
  /** One sentence without a full stop. */
  readonly message: string;
}

export interface Comparison {
  readonly producer: Alternative;
  /** One schema of the consumer's conjunction, for its own keywords only. */
  readonly consumer: Schema;
  readonly path: readonly PathPart[];
  /** Compares what stands below: schemas that the producer's value fits together, with one of the consumer's. */
  readonly below: (part: PathPart, producer: readonly Schema[], consumer: Schema) => readonly Reason[];
  /** Why the producer may not satisfy a branch of the consumer. */
  readonly against: (branch: Schema) => readonly Reason[];
  /** Whether no value of the producer fits a branch of the consumer. */
  readonly excludes: (branch: Schema) => boolean;
}

/** Why the producer may not satisfy one thing that the consumer asks; empty when it always does. */
export type Rule = (comparison: Comparison) => readonly Reason[];
