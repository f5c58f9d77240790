// The scope of a document's steps: each other, and the steps outside the document.
import type { JsonObject } from '../base/json.ts';
import type { Declaration } from '../contract/declaration.ts';
import type { StepSpec } from './step-spec.ts';

/** A step outside the document whose result may be referenced. */
export interface Producer {
  readonly id: string;
  /** JSON Schema of its result; absent: anything. */
  readonly schema?: JsonObject;
  /** It may be skipped, and its result then be null. */
  readonly optional: boolean;
}

/** Looked up, not copied: a long run has many. */
export interface Producers {
  get(name: string): Producer | undefined;
  names(): readonly string[];
}

/** A template's steps, or a fragment's, with all that names in them can mean. */
export interface Scope {
  readonly steps: readonly StepSpec[];
  /** By name and by full id; empty for a template. */
  readonly outside: Producers;
  /** JSON Schema of the run's input. */
  readonly input?: JsonObject;
  /** Only what is granted here. */
  readonly declarations: Readonly<Record<string, Declaration>>;
}
