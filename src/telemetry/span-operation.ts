// The operations of a trace: start a span, add an event or attributes, end a span.
import type { Instant } from '../base/quantity.ts';
import type { Attributes } from './attributes.ts';

/** `model`, `embeddings`, `capability`, `look_up`, `files` and `discover` are calls of an attempt. */
export type SpanKind =
  | 'run'
  | 'phase'
  | 'step'
  | 'attempt'
  | 'gate'
  | 'model'
  | 'embeddings'
  | 'capability'
  | 'look_up'
  | 'files'
  | 'discover';

export interface SpanLink {
  readonly to: string;
  /** The trace of that span, if it is another one. */
  readonly trace?: string;
  /**
   * `brought` links a step to the planning attempt that planned it, `replaces` a repair to the replaced plan, and `resumed`
   * a run to the span of the program that resumed it.
   */
  readonly relation: 'brought' | 'replaces' | 'resumed';
}

export interface SpanStart {
  readonly op: 'start';
  /** 32 hexadecimal digits. */
  readonly trace: string;
  /** 16 hexadecimal digits. */
  readonly span: string;
  readonly parent: string | undefined;
  readonly kind: SpanKind;
  readonly name: string;
  readonly at: Instant;
  /** Microseconds after `at`, for the order of events in one millisecond. */
  readonly micros: number;
  readonly attributes: Attributes;
  readonly links: readonly SpanLink[];
}

export type SpanOperation =
  | SpanStart
  | { readonly op: 'attributes'; readonly span: string; readonly attributes: Attributes }
  | { readonly op: 'link'; readonly span: string; readonly link: SpanLink }
  | {
      readonly op: 'event';
      readonly span: string;
      readonly name: string;
      readonly at: Instant;
      readonly micros: number;
      readonly attributes: Attributes;
    }
  | {
      readonly op: 'end';
      readonly span: string;
      readonly at: Instant;
      readonly micros: number;
      /** The code of the failure that ended the span. */
      readonly error: string | undefined;
      readonly attributes: Attributes;
    };
