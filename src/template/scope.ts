// The scope of a document's steps: the steps of the document, and steps outside it whose results they may reference.
import type { JsonObject } from '../base/json.ts';
import type { Declaration } from '../contract/declaration.ts';
import type { StepSpec } from './step-spec.ts';

/** A step outside the document whose result may be referenced. */
export interface Producer {
  readonly id: string;
  /** JSON Schema of its result; absent: anything. */
  readonly schema?: JsonObject;
  /** The step may be skipped; its result is then null. */
  readonly optional: boolean;
}

/** Looks up producers on demand, because a long run has many. */
export interface Producers {
  get(name: string): Producer | undefined;
  names(): readonly string[];
}

/** The steps of a template or a fragment, with everything that they may name. */
export interface Scope {
  readonly steps: readonly StepSpec[];
  /** Steps outside the document by name and by full id; none for a template. */
  readonly outside: Producers;
  /** JSON Schema of the run's input. */
  readonly input?: JsonObject;
  /** The granted capabilities. */
  readonly declarations: Readonly<Record<string, Declaration>>;
}
