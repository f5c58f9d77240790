// The interface of comparison rules; `subtype.ts` lists the rules.
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
  /** One schema of the consumer's conjunction; a rule looks at its own keywords only. */
  readonly consumer: Schema;
  readonly path: readonly PathPart[];
  /** Compares the part at a path: all producer schemas for it with one consumer schema. */
  readonly below: (part: PathPart, producer: readonly Schema[], consumer: Schema) => readonly Reason[];
  /** Reasons why the producer may not satisfy a branch of the consumer. */
  readonly against: (branch: Schema) => readonly Reason[];
  /** True when no value of the producer fits a branch of the consumer. */
  readonly excludes: (branch: Schema) => boolean;
}

/** Reasons why the producer may not satisfy one demand of the consumer; none when it always does. */
export type Rule = (comparison: Comparison) => readonly Reason[];
